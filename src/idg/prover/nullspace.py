"""Linear dependencies between columns of whole numbers: found modulo a prime by flint, then read back as whole numbers.

No stage of the prover uses this: it is here for agents, because the prover is the only package that imports flint.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt, lcm

PRIME = 2**61 - 1
"""The modulus: the largest Mersenne prime that fits flint's words of 64 bits."""
_HALF = isqrt(PRIME // 2)
"""A fraction whose numerator and denominator are at most this large is determined by its residue modulo the prime."""


def dependencies(rows: Sequence[Sequence[int]], columns: int) -> dict[int, list[int]]:
    """For each column that depends on the columns before it: a primitive whole vector whose product with every row is 0.

    The key is the column's index. The product is known to be 0 modulo the prime only, so whoever uses a vector checks it on the
    rows.
    """
    if not rows or not columns:
        return {}
    import flint  # Imported here, because only agents need it.

    matrix = flint.nmod_mat(len(rows), columns, [value % PRIME for row in rows for value in row], PRIME)
    reduced, rank = matrix.rref()
    pivots: list[int] = []
    vectors: dict[int, list[int]] = {}
    for column in range(columns):
        pivot_row = len(pivots)
        if (
            pivot_row < rank
            and int(reduced[pivot_row, column]) == 1
            and all(int(reduced[row, column]) == 0 for row in range(pivot_row))
        ):
            pivots.append(column)
            continue
        vector = _whole([int(reduced[row, column]) for row in range(pivot_row)], pivots, column, columns)
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
    """A small numerator and denominator whose quotient has this residue, if any; by the extended Euclidean algorithm."""
    before, now = (PRIME, 0), (residue, 1)
    while now[0] > _HALF:
        quotient = before[0] // now[0]
        before, now = now, (before[0] - quotient * now[0], before[1] - quotient * now[1])
    over, under = now
    if under == 0 or abs(under) > _HALF or gcd(over, under) != 1:
        return None
    return (over, under) if under > 0 else (-over, -under)
