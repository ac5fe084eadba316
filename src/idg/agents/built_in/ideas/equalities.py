"""Equalities from runs: polynomials that vanish on every state reached, by exact linear algebra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from idg.agents.built_in.ideas.polynomials import Poly, monomials
from idg.prover.nullspace import dependencies
from idg.sip.trees.polynomials import Monomial, divides
from idg.sip.values import Scalar

MONOMIALS_MAX = 330
"""Monomials of one fit. The matrix has this many columns, and exact elimination takes time that grows with the cube of them."""
SPARE_ROWS = 24
"""Rows beyond the number of monomials that the matrix has, so that chance dependencies do not survive."""
UNEXPLAINED_MIN = 3
"""There must be this many more rows than independent monomials. With fewer rows, every set of states satisfies some equation."""
TERMS_MAX = 12
"""Terms of a polynomial. Longer ones mostly come from too few states, not from the program."""
COEFFICIENT_MAX = 2_000
"""Size of a coefficient. Larger ones mostly come from too few states, not from the program."""
ATTEMPTS_MAX = 6
"""Fits of one degree. After each, the rows that break what was fitted are added."""
BITS_MAX = 400
"""Bits of a value, numerator and denominator together. Larger ones make elimination slow, so their states are left out."""
ROWS_MAX = 500
"""States beyond which only some are used: the first half of this number, and others spread over the rest."""
DEGREE_MAX = 6
"""Degree of a polynomial. The first six degrees are what sums of powers up to the fifth need."""

Columns = Mapping[str, Sequence[Scalar]]


class Fitting:
    """Fits equalities of growing degree to the same columns. What follows from lower degrees is not yielded again."""

    def __init__(self, columns: Columns) -> None:
        self.names = list(columns)
        count = len(next(iter(columns.values()), ()))
        usable = [index for index in range(count) if all(_bits(column[index]) <= BITS_MAX for column in columns.values())]
        step = max(1, len(usable) // ROWS_MAX)
        kept = [*usable[: ROWS_MAX // 2], *usable[ROWS_MAX // 2 :: step]][: 2 * ROWS_MAX]
        self.rows = list(dict.fromkeys(tuple(column[index] for column in columns.values()) for index in kept))
        self.degree = 0
        self.leading: list[Monomial] = []
        """Monomials that depend on smaller ones: the largest monomial of each equality."""
        self.standard: list[Monomial] = [()]
        """Monomials that do not depend on smaller ones."""
        self.values: dict[Monomial, list[int | Fraction]] = {(): [1] * len(self.rows)}

    def next_degree(self) -> list[Poly] | None:
        """The equalities of the next degree; None where that would be too large to be fitted, or nothing is left to say."""
        self.degree += 1
        new = [
            monomial
            for monomial in monomials(self.names, self.degree)
            if not any(divides(leading, monomial) for leading in self.leading)
        ]
        tried = [*self.standard, *new]
        if not new or self.degree > DEGREE_MAX or len(tried) > MONOMIALS_MAX:
            return None
        for monomial in new:
            rest = monomial[1:]
            rest_values = self.values[rest] if rest in self.values else self._value(rest)
            column = self.names.index(monomial[0])
            self.values[monomial] = [row[column] * value for row, value in zip(self.rows, rest_values, strict=True)]
        polys = self._fitted(tried)
        if polys is None:
            return None
        equalities: list[Poly] = []
        for leading, poly in polys:
            if self._broken(poly) is not None:
                continue
            self.leading.append(leading)
            if _is_plain(poly):
                equalities.append(poly)
        self.standard = [monomial for monomial in tried if monomial not in self.leading]
        return equalities

    def _fitted(self, tried: Sequence[Monomial]) -> list[tuple[Monomial, Poly]] | None:
        """Polynomials over these monomials that vanish on many rows, each with its largest monomial; None: the rows are too few."""
        chosen = self._spread(len(tried) + SPARE_ROWS)
        polys: list[tuple[Monomial, Poly]] = []
        for _ in range(ATTEMPTS_MAX):
            dependent = dependencies(self._matrix(tried, chosen), len(tried))
            if len(tried) - len(dependent) > len(chosen) - UNEXPLAINED_MIN:
                return None
            polys = [
                (tried[column], {monomial: value for monomial, value in zip(tried, vector, strict=True) if value})
                for column, vector in dependent.items()
            ]
            broken = [row for row in (self._broken(poly) for _, poly in polys) if row is not None]
            if not broken:
                break
            chosen = list(dict.fromkeys([*chosen, *broken]))
        return polys

    def _value(self, monomial: Monomial) -> list[int | Fraction]:
        values: list[int | Fraction] = [1] * len(self.rows)
        for name in monomial:
            column = self.names.index(name)
            values = [value * row[column] for value, row in zip(values, self.rows, strict=True)]
        return values

    def _spread(self, wanted: int) -> list[int]:
        """Indices of about this many rows: the first ones, and others from everywhere."""
        step = max(1, 2 * len(self.rows) // wanted)
        return list(dict.fromkeys([*range(min(len(self.rows), wanted // 2)), *range(0, len(self.rows), step)]))

    def _matrix(self, tried: Sequence[Monomial], chosen: Sequence[int]) -> list[list[int]]:
        """The values of the monomials on the chosen rows; each row is multiplied so that its numbers are whole."""
        matrix = []
        for index in chosen:
            row = [self.values[monomial][index] for monomial in tried]
            common = lcm(*(value.denominator for value in row))
            matrix.append([value.numerator * (common // value.denominator) for value in row])
        return matrix

    def _broken(self, poly: Poly) -> int | None:
        """The index of a row on which the polynomial does not vanish."""
        columns = [
            (factor, self.values[monomial] if monomial in self.values else self._value(monomial))
            for monomial, factor in poly.items()
        ]
        return next((row for row in range(len(self.rows)) if sum(factor * column[row] for factor, column in columns)), None)


def _bits(value: Scalar) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _is_plain(poly: Poly) -> bool:
    """Whether the polynomial is short and its coefficients are small.

    The constant of a linear one may be large, because programs start their variables anywhere.
    """
    largest = max((abs(value) for monomial, value in poly.items() if monomial or max(map(len, poly)) > 1), default=0)
    return len(poly) <= TERMS_MAX and largest <= COEFFICIENT_MAX
