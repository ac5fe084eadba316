"""Linear arithmetic over monomials: whether inequalities contradict each other, by an exact simplex on whole numbers.

Each monomial counts as an unknown of its own. By Farkas' lemma the inequalities p_i >= 0 (some of them strict) have no common
solution exactly when some combination of them with non-negative factors, one of them a positive factor of a strict inequality, adds
up to the zero polynomial. For example x > 0, y >= 0 and -x - y >= 0 add up to 0 > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from idg.prover.algebra.polynomials import ONE, Poly

PIVOTS_MAX = 60
"""Pivot steps of one simplex."""
CELLS_MAX = 8_000
"""Numbers in the tableau of one simplex: rows times columns."""


class Inequality(NamedTuple):
    """poly >= 0, or poly > 0 where strict"""

    poly: Poly
    strict: bool
    uses: int
    """The hypotheses from which it follows, as bits."""


def contradiction(inequalities: Sequence[Inequality]) -> int | None:
    """The hypotheses behind a combination of the inequalities that cannot hold; None if there is none or it was not found."""
    every = [*inequalities, Inequality({ONE: 1}, True, 0)]
    live = _useful(every)
    if live is None:
        return None
    used = _simplex([every[index] for index in live])
    if used is None:
        return None
    uses = 0
    for position in used:
        uses |= every[live[position]].uses
    return uses


def _useful(inequalities: Sequence[Inequality]) -> list[int] | None:
    """The indices of the inequalities that can take part in a contradiction; None where there is no contradiction.

    An inequality with a term that no other can cancel cannot take part. Dropping it may leave others in the same position, so this
    is repeated until nothing changes.
    """
    sides: dict[int, tuple[set[int], set[int]]] = {}
    for index, inequality in enumerate(inequalities):
        for monomial, value in inequality.poly.items():
            pair = sides.get(monomial)
            if pair is None:
                pair = sides[monomial] = (set(), set())
            pair[value < 0].add(index)
    gone: set[int] = set()
    waiting = list(sides)
    while waiting:
        monomial = waiting.pop()
        positive, negative = sides[monomial]
        if bool(positive) == bool(negative):
            continue
        for index in sorted(positive or negative):
            gone.add(index)
            for other in inequalities[index].poly:
                pair = sides[other]
                pair[0].discard(index)
                pair[1].discard(index)
                waiting.append(other)
    left = [index for index in range(len(inequalities)) if index not in gone]
    return left if any(inequalities[index].strict for index in left) else None


def _simplex(inequalities: Sequence[Inequality]) -> list[int] | None:
    """The indices of inequalities whose combination is a contradiction, or None.

    This is phase one of the simplex algorithm for factors x_i >= 0 such that the sum of x_i · poly_i is 0 and the x_i of the strict
    inequalities add up to 1; the answer is the i with x_i > 0. Each row may be scaled by any positive number, so rows are kept
    whole and divided by their common divisor.
    """
    monomials = sorted({monomial for inequality in inequalities for monomial in inequality.poly})
    width = len(inequalities)
    if (len(monomials) + 2) * (width + 1) > CELLS_MAX:
        return None
    rows = [[inequality.poly.get(monomial, 0) for inequality in inequalities] + [0] for monomial in monomials]
    rows.append([int(inequality.strict) for inequality in inequalities] + [1])
    goal = [sum(column) for column in zip(*rows, strict=True)]
    basis = [width + index for index in range(len(rows))]
    for _ in range(PIVOTS_MAX):
        if goal[width] == 0:
            return [variable for variable, row in zip(basis, rows, strict=True) if variable < width and row[width]]
        entering = next((column for column in range(width) if goal[column] > 0), None)
        if entering is None:
            return None
        leaving = -1
        for index, row in enumerate(rows):
            if row[entering] > 0:
                if leaving < 0:
                    leaving = index
                    continue
                best = rows[leaving]
                left, right = row[width] * best[entering], best[width] * row[entering]
                if left < right or (left == right and basis[index] < basis[leaving]):
                    leaving = index
        if leaving < 0:
            return None
        pivot = rows[leaving]
        rows = [row if row is pivot else _eliminated(row, pivot, entering) for row in rows]
        goal = _eliminated(goal, pivot, entering)
        basis[leaving] = entering
    return None


def _eliminated(row: list[int], pivot: list[int], column: int) -> list[int]:
    """The row plus such a multiple of the pivot's row that it is 0 in the column; scaled by a positive number."""
    value = row[column]
    if not value:
        return row
    common = gcd(value, pivot[column])
    factor, value = pivot[column] // common, value // common
    new = [factor * one - value * other for one, other in zip(row, pivot, strict=True)]
    common = gcd(*new)
    return new if common <= 1 else [value // common for value in new]
