"""Linear arithmetic over monomials: whether inequalities contradict each other, by an exact simplex on whole numbers.

Each monomial counts as an unknown of its own. By Farkas' lemma the inequalities p_i >= 0 (some of them strict) have no common
solution exactly when some non-negative combination of them, with a strict one among them, adds up to the zero polynomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from idg.prover.algebra.polynomials import ONE, Poly

PIVOTS_MAX = 60
"""Steps of one simplex."""
CELLS_MAX = 8_000
"""Rows times columns of the tableau."""


class Inequality(NamedTuple):
    """poly >= 0, or > 0 where strict"""

    poly: Poly
    strict: bool
    uses: int
    """The hypotheses it follows from, as bits."""


def contradiction(facts: Sequence[Inequality]) -> int | None:
    """The hypotheses behind a combination of the facts that cannot hold; None if there is none or it was not found."""
    every = [*facts, Inequality({ONE: 1}, True, 0)]
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


def _useful(facts: Sequence[Inequality]) -> list[int] | None:
    """The facts left when those with a term that no other can cancel are dropped, again and again. None: no contradiction."""
    sides: dict[int, tuple[set[int], set[int]]] = {}
    for index, fact in enumerate(facts):
        for monomial, value in fact.poly.items():
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
            for other in facts[index].poly:
                pair = sides[other]
                pair[0].discard(index)
                pair[1].discard(index)
                waiting.append(other)
    left = [index for index in range(len(facts)) if index not in gone]
    return left if any(facts[index].strict for index in left) else None


def _simplex(facts: Sequence[Inequality]) -> list[int] | None:
    """Phase one for: the sum of x_i · poly_i is 0, the x_i of strict facts add up to 1, x >= 0. The indices of x_i > 0, or None.

    Each row may be scaled by any positive number, so rows are kept whole and divided by their common divisor.
    """
    monomials = sorted({monomial for fact in facts for monomial in fact.poly})
    width = len(facts)
    if (len(monomials) + 2) * (width + 1) > CELLS_MAX:
        return None
    rows = [[fact.poly.get(monomial, 0) for fact in facts] + [0] for monomial in monomials]
    rows.append([int(fact.strict) for fact in facts] + [1])
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
    """The row plus a multiple of the pivot's, 0 in the column; scaled by a positive number."""
    value = row[column]
    if not value:
        return row
    common = gcd(value, pivot[column])
    factor, value = pivot[column] // common, value // common
    new = [factor * one - value * other for one, other in zip(row, pivot, strict=True)]
    common = gcd(*new)
    return new if common <= 1 else [value // common for value in new]
