"""Linear dependencies between columns of whole numbers: modulo a prime by flint, then as exact whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt, lcm

import flint

PRIME = 2**61 - 1
_HALF = isqrt(PRIME // 2)


def dependencies(rows: Sequence[Sequence[int]], columns: int) -> dict[int, list[int]]:
    """For each column that depends on the ones before it: a primitive whole vector that all rows annul, by the column's index.

    Found modulo a prime: whoever uses a vector checks it on exact rows.
    """
    if not rows or not columns:
        return {}
    matrix = flint.nmod_mat(len(rows), columns, [value % PRIME for row in rows for value in row], PRIME)
    reduced, rank = matrix.rref()
    pivots: list[int] = []
    vectors: dict[int, list[int]] = {}
    for column in range(columns):
        rank_so_far = len(pivots)
        if (
            rank_so_far < rank
            and int(reduced[rank_so_far, column]) == 1
            and all(int(reduced[row, column]) == 0 for row in range(rank_so_far))
        ):
            pivots.append(column)
            continue
        vector = _whole([int(reduced[row, column]) for row in range(rank_so_far)], pivots, column, columns)
        if vector is not None:
            vectors[column] = vector
    return vectors


def _whole(entries: Sequence[int], pivots: Sequence[int], column: int, columns: int) -> list[int] | None:
    fractions = [_rational(-entry % PRIME) for entry in entries]
    known = [fraction for fraction in fractions if fraction is not None]
    if len(known) < len(fractions):
        return None
    common = lcm(*(under for _, under in known))
    vector = [0] * columns
    vector[column] = common
    for pivot, (over, under) in zip(pivots, known, strict=True):
        vector[pivot] = over * (common // under)
    divisor = gcd(*vector)
    return [entry // divisor for entry in vector]


def _rational(residue: int) -> tuple[int, int] | None:
    """Numerator and denominator, both small, that are this residue; by the extended Euclidean algorithm."""
    before, now = (PRIME, 0), (residue, 1)
    while now[0] > _HALF:
        quotient = before[0] // now[0]
        before, now = now, (before[0] - quotient * now[0], before[1] - quotient * now[1])
    over, under = now
    if under == 0 or abs(under) > _HALF or gcd(over, under) != 1:
        return None
    return (over, under) if under > 0 else (-over, -under)
