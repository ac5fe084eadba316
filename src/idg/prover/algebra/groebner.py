"""Gröbner bases, computed by flint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from idg.prover.algebra.polynomials import DEGREE_MAX, Poly, atom, exponents, primitive

BASIS_POLYNOMIALS_MAX = 16
"""Polynomials of a Gröbner basis, at which flint stops completing it."""
BASIS_TERMS_MAX = 40
"""Terms of a polynomial of the basis, at which flint stops."""
BASIS_BITS_MAX = 200
"""Bits of a coefficient in the basis, at which flint stops."""


def groebner(polys: Sequence[Poly], atoms: list[int]) -> list[Poly]:
    """A Gröbner basis of the ideal of the polynomials, or what was found of one within the limits. `atoms`: the greatest first."""
    import flint  # Imported here, because most programs are proved without a basis.

    context: Any = flint.fmpz_mpoly_ctx.get([f"x{index}" for index in range(len(atoms))], "deglex")
    vector = flint.fmpz_mpoly_vec(
        [context.from_dict({exponents(monomial, atoms): value for monomial, value in poly.items()}) for poly in polys], context
    )
    basis: Any = vector.buchberger_naive(limits=(BASIS_POLYNOMIALS_MAX, BASIS_TERMS_MAX, BASIS_BITS_MAX))[0]
    singles = [atom(index) for index in atoms]
    result: list[Poly] = []
    for element in basis:
        poly: Poly = {}
        if element.total_degree() > DEGREE_MAX:
            continue
        for powers, value in element.to_dict().items():
            monomial = sum(single * int(exponent) for single, exponent in zip(singles, powers, strict=True))
            poly[monomial] = int(value)
        if poly:
            result.append(primitive(poly))
    return result
