"""Sums and counts over ranges of cells: the variables that hold them, and comparisons of them with variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from idg.agents.built_in.candidates import Idea
from idg.agents.built_in.ideas import text
from idg.agents.built_in.ideas.arrays.borders import Borders
from idg.agents.built_in.ideas.arrays.ranges import running_sums
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.operators import AGGREGATES
from idg.sip.syntax import Compare, Expr, Index, Name, Quantified
from idg.sip.trees.build import ONE, arithmetic, compare, replace_part, substitute
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.logic import implies, negate
from idg.sip.trees.traverse import expressions, names

EQUATIONS_MAX = 12
"""Equations of a variable with a sum that are yielded for one loop."""


def aggregates(claims: Sequence[Expr]) -> list[Quantified]:
    """The sums and counts in these claims."""
    parts = (part for claim in claims for part in expressions(claim))
    return list(dict.fromkeys(part for part in parts if isinstance(part, Quantified) and part.word in AGGREGATES))


def equations(borders: Borders, claims: Sequence[Expr]) -> Iterator[Idea]:
    """Variables that are the sum, or the count, over a range of cells in every state seen."""
    view, yielded = borders.view, 0
    columns = {name: [row[view.index[name]] for row in borders.rows] for name in view.numeric}
    for body in dict.fromkeys((part.word, part.variable, part.body) for part in aggregates(claims)):
        word, variable, inner = body
        if not names(inner) <= {*view.loop.columns, variable.name}:
            continue
        sums = running_sums(borders, inner, variable.name)
        for part in borders.ranges:
            low, high = borders.columns[part.low], borders.columns[part.high]
            values = [_between(row, first, end) for row, first, end in zip(sums, low, high, strict=True)]
            for name, column in columns.items():
                if name in view.changing and values == column and yielded < EQUATIONS_MAX:
                    yielded += 1
                    total = Quantified(word, variable, *borders.bounds(part), inner)
                    yield compare(column_leaf(name), "=", total), "a sum of cells that a variable holds"


def _between(sums: Sequence[int | Fraction] | None, first: int, end: int) -> int | Fraction | None:
    """The sum of the cells from `first` up to, and without, `end`; None where one of these cells does not exist."""
    if first >= end:
        return 0
    return sums[end] - sums[first] if sums is not None and first >= 0 and end < len(sums) else None


def comparisons(view: LoopView, claims: Sequence[Expr]) -> Iterator[Idea]:
    """The contract's comparisons of sums, with the sum taken up to a counter and a variable as slack; each also only while an
    equation of the contract holds, or fails."""
    guards: list[Expr | None] = [None]
    for claim in claims:
        if isinstance(claim, Compare) and claim.ops == ("=",) and view.can_say(claim) and not _reads_cells(claim):
            guards += [claim, negate(claim)]
    slacks = [name for name in view.numeric if name in view.changing]
    for claim in claims:
        if not isinstance(claim, Compare) or len(claim.ops) > 1 or claim.ops[0] in ("=", "!=") or not aggregates([claim]):
            continue
        for limit, counter in text.exit_equations(view.loop.statement.test):
            left, right = (replace_part(side, limit, counter) for side in claim.operands)
            sides = [right, *(arithmetic(op, right, column_leaf(name)) for name in slacks for op in ("+", "-"))]
            for guard in guards:
                for side in sides:
                    for op in ("<=", ">="):
                        fact = compare(left, op, side)
                        yield fact if guard is None else implies(guard, fact), "a sum of the contract, compared up to a counter"


def passed(view: LoopView, claims: Sequence[Expr]) -> Iterator[Idea]:
    """Claims about a cell or a sum whose place is an input: they may hold once a counter has passed the place, or for the part
    before the counter."""
    changing = [name for name in view.counters if name in view.changing]
    values = [name for name in view.numeric if name in view.changing]
    for claim in claims:
        if isinstance(claim, Quantified) or not view.can_say(claim):
            continue
        parts = [part for part in expressions(claim) if isinstance(part, Index | Quantified)]
        ends = [part.index if isinstance(part, Index) else part.high for part in parts]
        for end, counter in itertools.product(dict.fromkeys(ends), changing):
            if isinstance(end, Name) and end.name in view.counters and end.name not in view.changing:
                yield implies(compare(end, "<", Name(counter)), claim), "the guarantee, once a counter has passed its place"
        for part, counter in itertools.product(aggregates([claim]), changing):
            last = arithmetic("-", Name(counter), ONE)
            passed_part = replace_part(claim, part, Quantified(part.word, part.variable, part.low, last, part.body))
            on_the_way = Compare((part.low, last, part.high), ("<=", "<="))
            yield implies(on_the_way, passed_part), "the guarantee about the part that a counter has passed"
            for name, other in itertools.permutations(values, 2):
                changed = substitute(claim, {name: Name(other)})
                if name in names(claim) and other != counter:
                    changed = replace_part(changed, part, Quantified(part.word, part.variable, part.low, last, part.body))
                    yield implies(on_the_way, changed), "the guarantee about the part that a counter has passed"


def _reads_cells(expr: Expr) -> bool:
    return any(isinstance(part, Index | Quantified) for part in expressions(expr))
