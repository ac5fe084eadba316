"""Pieces of the program: parts of the guarantee and of tests, and bounds by numbers and steps that stand in the text.

Runs need not reach these bounds, so they are not read off from states. A state only has to allow them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from idg.agents.built_in.states.loop_view import LoopView, numbers
from idg.sip.program import Program
from idg.sip.syntax import Assign, Binary, Compare, Expr, Number, Type
from idg.sip.trees.build import arithmetic, number
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import expressions, links, statement_expressions, statements

PIECES_MAX = 240
"""Pieces that are tried at one loop. Each is evaluated in all states seen."""
LIMITS_MAX = 8
"""Numbers of the text, the smallest ones, that are tried as bounds of every variable."""
FACTORS_MAX = 10
"""Factors that are tried in bounds such as y <= 100 * x: steps of the text, ratios of two of them, other numbers of the text."""
FACTOR_MAX = 10**6
"""The largest of them."""
PAIRS_MAX = 160
"""Pairs of a variable and a multiple of another one whose distance is looked at."""


def pieces(view: LoopView, claims: Sequence[Expr], atoms: Sequence[Compare]) -> Iterator[Expr]:
    """Parts of the claims and their negations, comparisons with their borders moved by one, and variables against numbers."""
    collected: dict[Expr, None] = {}
    comparisons: dict[Compare, None] = dict.fromkeys(atoms)
    for claim in claims:
        for part in (claim, *_disjuncts(claim)):
            collected |= {part: None, negate(part): None}
        for inner in expressions(claim):
            if isinstance(inner, Compare):
                comparisons.update(dict.fromkeys(links(inner)))
    for comparison in comparisons:
        collected |= {comparison: None, negate(comparison): None}
        collected |= dict.fromkeys(_moved(comparison))
    for name in view.numeric:
        for limit in numbers(view.program)[:LIMITS_MAX] if name in view.changing else ():
            for op in (">=", "<="):
                collected[Compare((column_leaf(name), Number(limit)), (op,))] = None
    yield from (piece for piece in itertools.islice(collected, PIECES_MAX) if view.can_say(piece))


def _disjuncts(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Binary("|", left, right):
            yield from _disjuncts(left)
            yield from _disjuncts(right)
        case Binary("->", left, right):
            yield from _disjuncts(negate(left))
            yield from _disjuncts(right)
        case _:
            yield expr


def _moved(comparison: Compare) -> Iterator[Expr]:
    """The comparison with its border included, and moved by one to either side."""
    left, right = comparison.operands
    ops = {"<": ("<=",), "<=": ("<=",), ">": (">=",), ">=": (">=",)}.get(comparison.ops[0], ("<=", ">="))
    if comparison.ops[0] == "=" and _is_truth(left):
        return
    for op, by in itertools.product(ops, (0, 1, -1)):
        border = right if by == 0 else arithmetic("+" if by > 0 else "-", right, Number(1))
        yield Compare((left, border), (op,))


def _is_truth(expr: Expr) -> bool:
    return isinstance(expr, Compare) or (isinstance(expr, Binary) and expr.op in ("&", "|", "->"))


def with_coefficients(view: LoopView, program: Program) -> list[tuple[Expr, Expr]]:
    """Pairs of a variable and a multiple of another one, by factors that a turn can make: steps and their ratios."""
    steps = _steps(view)
    ratios = {abs(one // other) for one in steps for other in steps if other and one % other == 0}
    others = [value for number in numbers(program) for value in (number, number - 1)]
    factors = [factor for factor in dict.fromkeys((*sorted(ratios), *sorted(map(abs, steps)), *others)) if 1 < factor <= FACTOR_MAX]
    changing = [name for name in view.numeric if name in view.changing and view.types[name] is not Type.BOOL]
    pairs: list[tuple[Expr, Expr]] = [
        (column_leaf(one), Binary("*", number(factor), column_leaf(other)))
        for factor in factors[:FACTORS_MAX]
        for one, other in itertools.permutations(changing, 2)
    ]
    return pairs[:PAIRS_MAX]


def _steps(view: LoopView) -> set[int]:
    """The numbers that the body of the loop adds to variables or takes away."""
    steps: set[int] = set()
    for statement in statements(view.loop.statement.body):
        if isinstance(statement, Assign):
            for whole in statement_expressions(statement):
                for part in expressions(whole):
                    if isinstance(part, Binary) and part.op in ("+", "-"):
                        sides = [side.value for side in (part.left, part.right) if isinstance(side, Number)]
                        steps |= {value for value in sides if isinstance(value, int)}
    return steps
