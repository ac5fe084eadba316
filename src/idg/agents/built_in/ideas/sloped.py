"""The guarantee's inequalities, tightened by a multiple of another variable while a test of the program holds.

A guarantee such as `6 * l <= t + 50` is often kept by what is stronger in each phase: `6 * l <= t + 5 * x` in one and
`6 * l <= t + 50 - x` in another. The states show such bounds as edges of the region that the guarantee's slack and the variable
fill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from idg.agents.built_in.ideas.bounds import Rational
from idg.agents.built_in.ideas.guarded import implication
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.syntax import Binary, Compare, Expr
from idg.sip.text.printer import print_expression

INEQUALITIES_MAX = 4
"""Inequalities of the guarantee that are tightened, in the order of the text."""
SLOPE_MAX = 100
"""The largest multiple of the other variable."""
POINTS_MIN = 3
"""Values of the other variable that a phase must show, because a line fits to two of them by chance."""


def sloped(view: LoopView, goals: Sequence[Expr], phases: Sequence[tuple[Expr | None, Sequence[int]]]) -> Iterator[str]:
    """For each phase, a test with the indices of its rows, the edges below which the slack of no inequality falls.

    The test None stands for all rows.
    """
    slacks = [slack for goal in goals for slack in _slacks(goal)][:INEQUALITIES_MAX]
    for slack, values in zip(slacks, view.values(slacks, view.rows), strict=True):
        known = [value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None for value in values]
        if None in known:
            continue
        text = print_expression(slack)
        for guard, rows in phases:
            premise = "" if guard is None else implication(guard)
            for name in view.numeric:
                if name not in view.changing:
                    continue
                column = view.column(name)
                least: dict[Rational, Rational] = {}
                for index in rows:
                    value = known[index]
                    place = column[index]
                    if value is not None and (place not in least or value < least[place]):
                        least[place] = value
                for slope, constant in _edges(least):
                    yield f"{premise}{text} >= {slope} * {name} + {constant}".replace("+ -", "- ").replace("-1 * ", "-")


def _slacks(goal: Expr) -> Iterator[Expr]:
    """The differences that the goal says not to be negative."""
    if isinstance(goal, Compare) and len(goal.ops) == 1 and goal.ops[0] in ("<", "<=", ">", ">="):
        small, large = goal.operands if goal.ops[0][0] == "<" else reversed(goal.operands)
        yield Binary("-", large, small)


def _edges(least: Mapping[Rational, Rational]) -> Iterator[tuple[int, int]]:
    """The lines with whole slopes, other than 0, and whole constants that bound the points from below and touch two of them."""
    if len(least) < POINTS_MIN:
        return
    hull: list[tuple[Rational, Rational]] = []
    for point in sorted(least.items()):
        while len(hull) > 1 and _turns_down(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    for (x, y), (further, other) in pairwise(hull):
        slope = Fraction(other - y) / Fraction(further - x)
        constant = y - slope * x
        if slope.denominator == constant.denominator == 1 and 0 < abs(slope) <= SLOPE_MAX:
            yield int(slope), int(constant)


def _turns_down(first: tuple[Rational, Rational], middle: tuple[Rational, Rational], last: tuple[Rational, Rational]) -> bool:
    """Whether the middle point lies on or above the line from the first to the last."""
    return (middle[1] - first[1]) * (last[0] - first[0]) >= (last[1] - first[1]) * (middle[0] - first[0])
