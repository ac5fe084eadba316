"""Equalities from runs: polynomials that vanish on every state reached, by exact linear algebra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from idg.agents.built_in.ideas.polynomials import Poly, monomials
from idg.prover.named_polynomials import Monomial, divides
from idg.prover.nullspace import dependencies
from idg.sip.values import Value

MONOMIALS_MAX = 330
SPARE_ROWS = 24
"""Rows beyond the number of monomials, so that chance dependencies do not survive."""
UNEXPLAINED_MIN = 3
"""By so many the rows must outnumber the independent monomials; otherwise anything fits."""
TERMS_MAX = 12
COEFFICIENT_MAX = 2_000
"""Larger polynomials come from too few states, not from the program."""
ATTEMPTS_MAX = 6
"""Times that states which break what was found are added."""
BITS_MAX = 400
"""States with larger numbers are left out."""
ROWS_MAX = 500
DEGREE_MAX = 6

Columns = Mapping[str, Sequence[Value]]


class Fitting:
    """Equalities of growing degree over the same columns. What lower degrees say is not said again."""

    def __init__(self, columns: Columns) -> None:
        self.names = list(columns)
        count = len(next(iter(columns.values()), ()))
        usable = [
            at
            for at in range(count)
            if all(each[at].numerator.bit_length() + each[at].denominator.bit_length() <= BITS_MAX for each in columns.values())
        ]
        every = max(1, len(usable) // ROWS_MAX)
        kept = [*usable[: ROWS_MAX // 2], *usable[ROWS_MAX // 2 :: every]][: 2 * ROWS_MAX]
        self.rows = list(dict.fromkeys(tuple(each[at] for each in columns.values()) for at in kept))
        self.degree = 0
        self.leading: list[Monomial] = []
        self.standard: list[Monomial] = [()]
        """Monomials that do not depend on smaller ones."""
        self.values: dict[Monomial, list[int | Fraction]] = {(): [1] * len(self.rows)}

    def next_degree(self) -> list[Poly] | None:
        """The equalities of the next degree; None where that would be too large to be fitted, or nothing is left to say."""
        self.degree += 1
        new = [each for each in monomials(self.names, self.degree) if not any(divides(lead, each) for lead in self.leading)]
        tried = [*self.standard, *new]
        if not new or self.degree > DEGREE_MAX or len(tried) > MONOMIALS_MAX:
            return None
        for each in new:
            first = self.values[each[1:]] if each[1:] in self.values else self._value(each[1:])
            at = self.names.index(each[0])
            self.values[each] = [row[at] * value for row, value in zip(self.rows, first, strict=True)]
        chosen = self._spread(len(tried) + SPARE_ROWS)
        polys: dict[int, Poly] = {}
        for _ in range(ATTEMPTS_MAX):
            dependent = dependencies(self._matrix(tried, chosen), len(tried))
            if len(tried) - len(dependent) > len(chosen) - UNEXPLAINED_MIN:
                return None
            polys = {
                column: {monomial: value for monomial, value in zip(tried, vector, strict=True) if value}
                for column, vector in dependent.items()
            }
            broken = [at for at in (self._broken(poly) for poly in polys.values()) if at is not None]
            if not broken:
                break
            chosen = list(dict.fromkeys([*chosen, *broken]))
        found: list[Poly] = []
        for column, poly in polys.items():
            if self._broken(poly) is not None:
                continue
            self.leading.append(tried[column])
            if _is_plain(poly):
                found.append(poly)
        self.standard = [each for each in tried if each not in self.leading]
        return found

    def _value(self, monomial: Monomial) -> list[int | Fraction]:
        values: list[int | Fraction] = [1] * len(self.rows)
        for name in monomial:
            at = self.names.index(name)
            values = [value * row[at] for value, row in zip(values, self.rows, strict=True)]
        return values

    def _spread(self, wanted: int) -> list[int]:
        """Indices of so many rows: the first ones, and others from everywhere."""
        step = max(1, 2 * len(self.rows) // wanted)
        return list(dict.fromkeys([*range(min(len(self.rows), wanted // 2)), *range(0, len(self.rows), step)]))

    def _matrix(self, tried: Sequence[Monomial], chosen: Sequence[int]) -> list[list[int]]:
        matrix = []
        for at in chosen:
            row = [self.values[each][at] for each in tried]
            common = lcm(*(each.denominator for each in row))
            matrix.append([each.numerator * (common // each.denominator) for each in row])
        return matrix

    def _broken(self, poly: Poly) -> int | None:
        """A row on which it does not vanish."""
        columns = [(value, self.values[each] if each in self.values else self._value(each)) for each, value in poly.items()]
        return next((at for at in range(len(self.rows)) if sum(value * column[at] for value, column in columns)), None)


def _is_plain(poly: Poly) -> bool:
    """The constant of a linear one may be large: programs start their variables anywhere."""
    largest = max((abs(value) for monomial, value in poly.items() if monomial or max(map(len, poly)) > 1), default=0)
    return len(poly) <= TERMS_MAX and largest <= COEFFICIENT_MAX
