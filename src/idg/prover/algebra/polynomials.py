"""Polynomials with whole coefficients, small and quick.

A polynomial maps monomials to coefficients, none of them 0. A monomial is one int: its total degree is in the highest bits, and
below it each atom has a field of `FIELD_BITS` bits for its exponent. So a product of monomials is a sum of ints, and comparing ints
compares monomials in graded lexicographic order (later atoms are greater). For the handful of terms of a typical condition this is
quicker than a library's general polynomials, because every call of a library from Python costs more than the arithmetic does.
Gröbner bases are the exception: there is enough work in them for flint.

This is the representation in which the prover calculates. Two others exist for other purposes: `sip/trees/polynomials.py` has
names instead of numbered atoms and is good for comparing and printing; `search/literals.py` has pieces of Python code as
coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd

Poly = dict[int, int]

ATOMS_MAX = 24
"""Atoms of one query; hypotheses that would need more are passed over."""
DEGREE_MAX = 48
"""The greatest total degree of a polynomial. It is less than half of 2^FIELD_BITS, so that no exponent runs over its field."""
TERMS_MAX = 160
"""Terms of one polynomial."""
STEPS_MAX = 64
"""Steps of one division of a polynomial by another; each removes one term."""
COEFFICIENT_BITS_MAX = 2_000
"""Bits of a coefficient of a polynomial that is read from an expression."""

FIELD_BITS = 8
"""Bits of a monomial for the exponent of one atom."""
DEGREE_SHIFT = FIELD_BITS * ATOMS_MAX
"""The lowest bit of a monomial's total degree, which stands above the fields of all atoms."""
ONE = 0
"""The monomial of degree 0."""
_DEGREE_ONE = 1 << DEGREE_SHIFT
"""A total degree of 1 in its place in a monomial."""
_FIELD = (1 << FIELD_BITS) - 1
"""All bits of the field of atom 0."""
_LOWS = sum(1 << (FIELD_BITS * index) for index in range(ATOMS_MAX))
"""The lowest bit of every atom's field."""
_GUARDS = sum(1 << (FIELD_BITS * index + FIELD_BITS - 1) for index in range(ATOMS_MAX + 1))
"""The highest bit of every atom's field and of the degree's lowest byte. Exponents never reach it, so it shows borrows."""


assert 2 * DEGREE_MAX < 1 << FIELD_BITS


class PolynomialTooLarge(Exception):
    """A limit of this module is exceeded."""


def atom(index: int) -> int:
    """The monomial of the atom with this index."""
    if index >= ATOMS_MAX:
        raise PolynomialTooLarge
    return _DEGREE_ONE | 1 << (FIELD_BITS * index)


def field(index: int) -> int:
    """The bits that the atom's exponent takes in a monomial."""
    return _FIELD << (FIELD_BITS * index)


def constant(value: int) -> Poly:
    return {ONE: value} if value else {}


def is_constant(poly: Poly) -> bool:
    return not poly or (len(poly) == 1 and ONE in poly)


def degree(poly: Poly) -> int:
    return max(poly) >> DEGREE_SHIFT if poly else 0


def support(poly: Poly) -> int:
    """All bits of the fields of the atoms that occur."""
    bits = 0
    for monomial in poly:
        bits |= monomial
    # Any bit that is set in a field is moved down to the lowest bit of the field, which then fills the field.
    bits |= bits >> 4
    bits |= bits >> 2
    bits |= bits >> 1
    return (bits & _LOWS) * _FIELD


def atoms_of(bits: int) -> Iterator[int]:
    """The indices of the atoms whose fields are not 0."""
    index = 0
    while bits:
        if bits & _FIELD:
            yield index
        bits >>= FIELD_BITS
        index += 1


def exponents(monomial: int, atoms: Iterable[int]) -> tuple[int, ...]:
    return tuple(monomial >> (FIELD_BITS * index) & _FIELD for index in atoms)


def divides(left: int, right: int) -> bool:
    """Whether one monomial divides another: no field borrows from its guard when the first is subtracted from the second."""
    return ((right | _GUARDS) - left) & _GUARDS == _GUARDS


def times(poly: Poly, factor: int) -> Poly:
    return {monomial: value * factor for monomial, value in poly.items()} if factor else {}


def add(left: Poly, right: Poly, factor: int = 1) -> Poly:
    """left + factor · right"""
    total = dict(left)
    for monomial, value in right.items():
        new = total.get(monomial, 0) + factor * value
        if new:
            total[monomial] = new
        else:
            total.pop(monomial, None)
    return total


def multiply(left: Poly, right: Poly) -> Poly:
    if not left or not right:
        return {}
    if len(left) * len(right) > 4 * TERMS_MAX or (max(left) + max(right)) >> DEGREE_SHIFT > DEGREE_MAX:
        raise PolynomialTooLarge
    product: Poly = {}
    for one, value in left.items():
        for other, factor in right.items():
            monomial = one + other
            product[monomial] = product.get(monomial, 0) + value * factor
    result = {monomial: value for monomial, value in product.items() if value}
    if len(result) > TERMS_MAX:
        raise PolynomialTooLarge
    return result


def power(poly: Poly, exponent: int) -> Poly:
    if not poly:
        return {} if exponent else {ONE: 1}
    if degree(poly) * exponent > DEGREE_MAX or bits_of(poly) * exponent > COEFFICIENT_BITS_MAX:
        if is_constant(poly) and abs(poly[ONE]) == 1:
            return {ONE: poly[ONE] ** (exponent % 2)}
        raise PolynomialTooLarge
    result: Poly = {ONE: 1}
    for _ in range(exponent):
        result = multiply(result, poly)
    return result


def bits_of(poly: Poly) -> int:
    return max((value.bit_length() for value in poly.values()), default=0)


def primitive(poly: Poly) -> Poly:
    """The polynomial divided by the greatest common divisor of its coefficients; signs stay."""
    common = gcd(*poly.values())
    return poly if common <= 1 else {monomial: value // common for monomial, value in poly.items()}


def key(poly: Poly) -> tuple[tuple[int, int], ...]:
    """The polynomial as something that can be hashed."""
    return tuple(sorted(poly.items()))


def isolated(poly: Poly, index: int) -> bool:
    """Whether the atom occurs in exactly one term, and that term is a multiple of the atom alone."""
    bits = field(index)
    return atom(index) in poly and sum(1 for monomial in poly if monomial & bits) == 1


def substitute(poly: Poly, index: int, numerator: Poly, denominator: int) -> tuple[Poly, int]:
    """`poly` with numerator / denominator put in for the atom, multiplied by the second result so that it stays whole.

    The factor is a power of the denominator, so it is positive where the denominator is.
    """
    shift = FIELD_BITS * index
    single = atom(index)
    parts: dict[int, Poly] = {}
    for monomial, value in poly.items():
        exponent = monomial >> shift & _FIELD
        parts.setdefault(exponent, {})[monomial - exponent * single] = value
    highest = max(parts, default=0)
    total: Poly = {}
    raised: Poly = {ONE: 1}
    for exponent in range(highest + 1):
        if exponent:
            raised = multiply(raised, numerator)
        if exponent in parts:
            total = add(total, multiply(parts[exponent], raised), denominator ** (highest - exponent))
    if len(total) > TERMS_MAX:
        raise PolynomialTooLarge
    return total, denominator**highest


def reduce_by(poly: Poly, divisor: Poly, leading: int) -> tuple[Poly, int]:
    """The remainder of a positive multiple of `poly` modulo the divisor, and the multiple's factor.

    No term of the remainder is divisible by `leading`, which is the divisor's leading monomial.
    """
    head = divisor[leading]
    scale = 1
    for _ in range(STEPS_MAX):
        # `divides` is written out here, because most of the time of a reduction by a Gröbner basis is spent in this line.
        target = max([monomial for monomial in poly if ((monomial | _GUARDS) - leading) & _GUARDS == _GUARDS], default=-1)
        if target < 0:
            return poly, scale
        value = poly[target]
        common = gcd(head, value)
        factor = abs(head) // common
        shifted = {monomial + target - leading: coefficient for monomial, coefficient in divisor.items()}
        poly = add(times(poly, factor) if factor != 1 else poly, shifted, -(value // common) * (1 if head > 0 else -1))
        scale *= factor
        if len(poly) > TERMS_MAX:
            raise PolynomialTooLarge
    raise PolynomialTooLarge
