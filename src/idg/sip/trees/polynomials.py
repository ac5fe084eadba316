"""Polynomials whose monomials are written out by name, for comparing and printing them.

A monomial is a tuple of names, each as often as it occurs: x²·y is ("x", "x", "y"). A name is that of a variable, or the text of
any other term. Nothing has to be numbered beforehand, and there is no limit on names or exponents. The laws for the solvers
(prover/smt/laws.py) compare exponents and divisors in this form, agents fit and print equations in it, and the patterns of facts
(levels/patterns.py) are read from it.

Calculating in it is slow; where proofs need much arithmetic, prover/algebra/polynomials.py is used. The two cannot be one: the
packed monomials of that module have room for few atoms and small exponents, so the laws would miss terms that are too large for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

Monomial = tuple[str, ...]
"""The names in a fixed order (the laws sort them as texts), each as often as it occurs; () is 1."""
NamedPolynomial = Mapping[Monomial, Fraction]
"""Monomials with their coefficients, none of which is 0."""


def divides(small: Monomial, large: Monomial) -> bool:
    return all(small.count(name) <= large.count(name) for name in set(small))


def without_zeros(p: Mapping[Monomial, Fraction]) -> NamedPolynomial:
    return {monomial: value for monomial, value in p.items() if value}


def scaled(p: NamedPolynomial, factor: int | Fraction) -> NamedPolynomial:
    return without_zeros({monomial: value * factor for monomial, value in p.items()})


def total(p: NamedPolynomial, q: NamedPolynomial) -> NamedPolynomial:
    return difference(p, scaled(q, -1))


def difference(p: NamedPolynomial, q: NamedPolynomial) -> NamedPolynomial:
    result = dict(p)
    for monomial, value in q.items():
        result[monomial] = result.get(monomial, Fraction(0)) - value
    return without_zeros(result)


def multiplied(p: NamedPolynomial, q: NamedPolynomial) -> NamedPolynomial:
    """The product of two polynomials whose monomials are sorted."""
    result: dict[Monomial, Fraction] = {}
    for left, a in p.items():
        for right, b in q.items():
            monomial = tuple(sorted(left + right))
            result[monomial] = result.get(monomial, Fraction(0)) + a * b
    return without_zeros(result)
