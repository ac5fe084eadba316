"""Facts that hold only while a test of the program does, as implications: they describe the phases of a loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from idg.agents.built_in.ideas.bounds import CONSTANT_MAX, SUPPORT_MIN
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import bound_text, equation_text
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.syntax import Binary, Compare, Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import node_count
from idg.sip.values import Scalar

ROWS_MIN = 3
"""States that a phase must have: fewer agree by chance."""
EQUALITY_ROWS_MIN = 8
"""States that a phase must have before equations are fitted to it, because an equation has several coefficients to be
determined."""
GUARD_NODES_MAX = 12
"""Nodes of a guard's expression, such as 5 for `x < 2 * y`: implications with longer guards are hard to read and to prove."""
GUARDS_MAX = 24
"""Guards that are tried, in the order given. Every guard repeats the search for bounds and equations."""


def phases(view: LoopView, guards: Sequence[Expr]) -> Iterator[tuple[Expr, list[int]]]:
    """Guards that are sometimes true and sometimes not, each with the rows where it is true; every set of rows only once."""
    small = [guard for guard in guards if node_count(guard) <= GUARD_NODES_MAX][:GUARDS_MAX]
    seen: set[int] = set()
    everything = (1 << len(view.rows)) - 1
    for guard, mask in zip(small, view.masks(small, view.rows), strict=True):
        if mask in (0, everything) or mask in seen:
            continue
        seen.add(mask)
        rows = [index for index in range(len(view.rows)) if mask >> index & 1]
        if len(rows) >= ROWS_MIN:
            yield guard, rows


def between(comparisons: Sequence[Compare]) -> Iterator[Expr]:
    """What holds in a middle branch, as of `if (i < 100) … else if (i < 200) …`: one test fails and another of the same holds."""
    for first, second in permutations(comparisons, 2):
        if first.ops == second.ops and first.operands[0] == second.operands[0]:
            yield Binary("&", negate(first), second)


def equalities(view: LoopView, guard: Expr, rows: Sequence[int], degree: int, wanted: Sequence[str]) -> Iterator[str]:
    """Polynomial equations up to a degree that hold on the rows of the guard."""
    if len(rows) < EQUALITY_ROWS_MIN:
        return
    columns = {name: [view.scalar_rows[index][view.index[name]] for index in rows] for name in wanted}
    fitting = Fitting(columns)
    premise = implication(guard)
    for _ in range(degree):
        polys = fitting.next_degree()
        if polys is None:
            return
        for poly in polys:
            if any(name in view.changing for monomial in poly for name in monomial):
                yield f"{premise}({equation_text(poly, [name for name in wanted if name in view.changing])})"


def implication(guard: Expr) -> str:
    """The text that stands before the fact. It is `x = 1 | …` rather than `x != 1 -> …`: easier to read, and to prove."""
    if isinstance(guard, Compare) and guard.ops == ("!=",):
        return f"{print_expression(negate(guard))} | "
    text = print_expression(guard)
    return f"({text}) -> " if isinstance(guard, Binary) else f"{text} -> "


def bounds(view: LoopView, guard: Expr, rows: Sequence[int], wanted: Sequence[str]) -> Iterator[str]:
    """Bounds of variables and of their differences that the guard makes tighter."""
    chosen = [view.scalar_rows[index] for index in rows]
    runs = [view.runs[index] for index in rows]
    premise = implication(guard)
    singles = [{name: 1} for name in wanted if name in view.changing]
    pairs = [{a: 1, b: -1} for a in wanted for b in wanted if a != b and a in view.changing and (a < b or b not in view.changing)]
    for terms in [*singles, *pairs]:
        for sign in (1, -1):
            signed = {name: sign * factor for name, factor in terms.items()}
            values = [_sum(view, signed, row) for row in chosen]
            least = min(values)
            rare = len({run for run, value in zip(runs, values, strict=True) if value == least}) < SUPPORT_MIN
            if least.denominator != 1 or (rare and not -CONSTANT_MAX <= least <= CONSTANT_MAX):
                continue
            if any(_sum(view, signed, row) < least for row in view.scalar_rows):
                yield f"{premise}{bound_text(signed, int(least))}"


def _sum(view: LoopView, terms: Mapping[str, int], row: tuple[Scalar, ...]) -> int | Fraction:
    total: int | Fraction = 0
    for name, factor in terms.items():
        total += factor * row[view.index[name]]
    return total


def remainders(view: LoopView, guard: Expr, rows: Sequence[int], wanted: Sequence[str], moduli: Sequence[int]) -> Iterator[str]:
    """Variables that have the same remainder on all rows of the guard."""
    for name in wanted:
        if view.types[name] is Type.RAT or name not in view.changing:
            continue
        column = view.index[name]
        for modulus in moduli:
            rests = {int(view.scalar_rows[row][column]) % modulus for row in rows}
            if len(rests) == 1 and len({view.rows[row][column] for row in rows}) > 1:
                yield f"{implication(guard)}{name} % {modulus} = {rests.pop()}"
