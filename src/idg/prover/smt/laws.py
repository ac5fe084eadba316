"""Instances of laws about powers, gcd, ispow and division, for the terms that occur in a query.

Each instance is a SIP expression that is true in every state; a test evaluates them on random states. So they can be given to every
solver as further hypotheses. The solvers know nothing else of these operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from idg.prover.fold import BUILTINS, kind_of
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.checking.types import is_integer
from idg.sip.syntax import Binary, Call, Expr, Number, Type, Unary
from idg.sip.text.sexpr import expression_sexpr
from idg.sip.trees.build import ONE, ZERO, compare, literal, number, times
from idg.sip.trees.logic import conjoin, implies
from idg.sip.trees.polynomials import NamedPolynomial, difference, divides, multiplied, scaled, without_zeros
from idg.sip.trees.traverse import expressions

LAWS_MAX = 400
"""Instances for one query; those that are made later are left out."""
TERMS_MAX = 24
"""Terms of one operation for which laws are made; later ones get none. Laws of pairs make their number grow with the square."""
MONOMIALS_MAX = 60
"""Pairs of monomials that are multiplied out in one product; larger products count as one factor."""
EXPONENT_MAX = 12
"""The largest literal exponent of a power that is multiplied out, and the largest difference of exponents in a law."""
DIVISOR_MULTIPLES = range(-3, 4)
"""The k for which it is noticed that two dividends differ by k times their divisor. Loops change a dividend by small multiples."""


def laws(exprs: Sequence[Expr], variables: Mapping[str, Type], info: ModuleInfo | None) -> list[Expr]:
    """True facts about the operations in these expressions, at most LAWS_MAX."""
    terms = _Terms(exprs)
    if terms.is_empty():
        return []
    instances: dict[str, Expr] = {}
    for law in _all_laws(terms, variables, info):
        instances.setdefault(expression_sexpr(law), law)
        if len(instances) >= LAWS_MAX:
            break
    return list(instances.values())


class _Terms:
    """The terms that need laws, each once, in the order in which they first occur."""

    def __init__(self, exprs: Iterable[Expr]) -> None:
        self.powers: list[Binary] = []
        self.divisions: list[Binary] = []
        self.gcds: list[Call] = []
        self.ispows: list[Call] = []
        self.helpers: list[Call] = []
        seen: set[str] = set()
        for expr in exprs:
            for part in expressions(expr):
                if isinstance(part, Binary | Call):
                    self._sort(part, seen)

    def _sort(self, term: Binary | Call, seen: set[str]) -> None:
        match term:
            case Binary("^", _, exponent) if not _is_small(exponent):
                group: list[Binary] | list[Call] = self.powers
            case Binary("//" | "%", _, divisor) if not literal(divisor):
                group = self.divisions
            case Call("gcd"):
                group = self.gcds
            case Call("ispow"):
                group = self.ispows
            case Call(function) if function not in BUILTINS:
                group = self.helpers
            case _:
                return
        text = expression_sexpr(term)
        if text not in seen and len(group) < TERMS_MAX:
            seen.add(text)
            group.append(term)  # type: ignore[arg-type]

    def is_empty(self) -> bool:
        return not (self.powers or self.divisions or self.gcds or self.ispows or self.helpers)


def _is_small(exponent: Expr) -> bool:
    value = literal(exponent)
    return isinstance(value, int) and 0 <= value <= EXPONENT_MAX


def _all_laws(terms: _Terms, variables: Mapping[str, Type], info: ModuleInfo | None) -> Iterator[Expr]:
    for division in terms.divisions:
        yield from _division(division.left, division.right)
    for index, division in enumerate(terms.divisions):
        for other in terms.divisions[:index]:
            if expression_sexpr(division.right) == expression_sexpr(other.right):
                yield from _division_pair(division.left, other.left, division.right)
    yield from _gcd_laws(terms.gcds)
    yield from _ispow_laws(terms.ispows, terms.powers)
    yield from _power_laws(terms.powers, variables, info)
    for call in terms.helpers:
        if kind_of(call, variables, info) is Type.NAT:
            yield compare(call, ">=", ZERO)


# Division


def _division(a: Expr, b: Expr) -> Iterator[Expr]:
    """What floor division by an expression that is no literal means."""
    quotient, rest = Binary("//", a, b), Binary("%", a, b)
    nonzero = compare(b, "!=", ZERO)
    yield implies(nonzero, compare(a, "=", Binary("+", times(b, quotient), rest)))
    yield implies(compare(b, ">", ZERO), conjoin((compare(ZERO, "<=", rest), compare(rest, "<", b))))
    yield implies(compare(b, "<", ZERO), conjoin((compare(b, "<", rest), compare(rest, "<=", ZERO))))
    # These follow from the laws above by multiplying bounds, but solvers take long to find that.
    yield implies(conjoin((compare(a, ">=", ZERO), compare(b, ">", ZERO))), compare(quotient, ">=", ZERO))
    yield implies(conjoin((compare(a, ">=", ZERO), compare(b, ">", ZERO))), compare(rest, "<=", a))
    yield implies(conjoin((compare(a, ">=", ZERO), compare(b, ">", a))), compare(quotient, "=", ZERO))


def _division_pair(a: Expr, other: Expr, b: Expr) -> Iterator[Expr]:
    """Two dividends with one divisor b."""
    quotient, rest = Binary("//", a, b), Binary("%", a, b)
    other_quotient, other_rest = Binary("//", other, b), Binary("%", other, b)
    gap, divisor = difference(polynomial(a), polynomial(other)), polynomial(b)
    for factor in DIVISOR_MULTIPLES:
        if gap and gap == scaled(divisor, factor):
            same = conjoin((compare(quotient, "=", Binary("+", other_quotient, number(factor))), compare(rest, "=", other_rest)))
            yield implies(conjoin(compare(divisor, "!=", ZERO) for divisor in (b, *_divisors(a, other))), same)
            return
    for one, multiple in ((a, other), (other, a)):
        # A multiple of a multiple of b is a multiple of b.
        if any(polynomial(multiple) == scaled(polynomial(one), factor) for factor in (2, 3, 4, -1, -2)):
            divides = conjoin(
                (*(compare(divisor, "!=", ZERO) for divisor in (b, *_divisors(a, other))), compare(Binary("%", one, b), "=", ZERO))
            )
            yield implies(divides, compare(Binary("%", multiple, b), "=", ZERO))
    for small, large in ((a, other), (other, a)):
        ordered = conjoin((compare(b, ">", ZERO), compare(small, "<=", large)))
        yield implies(ordered, compare(Binary("//", small, b), "<=", Binary("//", large, b)))


# gcd


def _gcd_laws(terms: list[Call]) -> Iterator[Expr]:
    for term in terms:
        x, y = term.arguments
        yield compare(term, ">=", ZERO)
        yield implies(compare(y, "=", ZERO), compare(term, "=", Call("abs", (x,))))
        yield implies(compare(x, "=", ZERO), compare(term, "=", Call("abs", (y,))))
        yield implies(compare(x, "=", y), compare(term, "=", Call("abs", (x,))))
        yield implies(compare(term, "=", ZERO), conjoin((compare(x, "=", ZERO), compare(y, "=", ZERO))))
        yield implies(compare(x, "!=", ZERO), compare(term, "<=", Call("abs", (x,))))
        yield implies(compare(y, "!=", ZERO), compare(term, "<=", Call("abs", (y,))))
    for index, term in enumerate(terms):
        for other in terms[:index]:
            yield from _gcd_pair(term, other)
    for term in terms:
        # The gcd divides both arguments. These laws come late, because they bring in non-linear division.
        for argument in term.arguments:
            yield implies(compare(term, "!=", ZERO), compare(Binary("%", argument, term), "=", ZERO))
            yield from _division(argument, term)


def _gcd_pair(term: Call, other: Call) -> Iterator[Expr]:
    """Two gcds are equal if they share an argument and the other ones differ by a multiple of it, as in Euclid's algorithm."""
    for x, y in (term.arguments, term.arguments[::-1]):
        for u, v in (other.arguments, other.arguments[::-1]):
            p, q, r, s = map(polynomial, (x, y, u, v))
            for sign in (1, -1):
                if q != scaled(s, sign):
                    continue
                conditions = [compare(divisor, "!=", ZERO) for divisor in _divisors(x, y, u, v)]
                for other_sign in (1, -1):
                    if _is_multiple(difference(p, scaled(r, other_sign)), q):
                        equal = compare(term, "=", other)
                        yield implies(conjoin(conditions), equal) if conditions else equal
                        return
    for (x, y), (u, v) in ((term.arguments, other.arguments), (term.arguments, other.arguments[::-1])):
        same = conjoin((compare(x, "=", u), compare(y, "=", v)))
        yield implies(same, compare(term, "=", other))


def _divisors(*exprs: Expr) -> list[Expr]:
    divisors: dict[str, Expr] = {}
    for expr in exprs:
        for part in expressions(expr):
            if isinstance(part, Binary) and part.op in ("//", "%") and not literal(part.right):
                divisors.setdefault(expression_sexpr(part.right), part.right)
    return list(divisors.values())


def _is_multiple(p: NamedPolynomial, q: NamedPolynomial) -> bool:
    """Whether p is seen to be a multiple of q: a small one, or q is a monomial with coefficient 1 or -1 that divides every term."""
    if any(p == scaled(q, factor) for factor in (0, 1, -1, 2, -2, 3, -3)):
        return True
    if len(q) != 1:
        return False
    ((monomial, coefficient),) = q.items()
    whole = all(value.denominator == 1 for value in p.values())
    return abs(coefficient) == 1 and whole and all(divides(monomial, other) for other in p)


# ispow


def _ispow_laws(terms: list[Call], powers: list[Binary]) -> Iterator[Expr]:
    for term in terms:
        x, b = term.arguments
        yield implies(compare(x, "=", ONE), term)
        yield implies(compare(x, "=", b), term)
        base = literal(b)
        if not isinstance(base, int) or base < 2:
            continue
        part = Binary("//", x, b)
        smaller = conjoin((compare(Binary("%", x, b), "=", ZERO), Call("ispow", (part, b)), compare(part, ">=", ONE)))
        yield implies(term, conjoin((compare(x, ">=", ONE), Binary("|", compare(x, "=", ONE), smaller))))
        yield implies(conjoin((compare(x, ">=", ONE), smaller)), term)
    for term in terms:
        for other in terms:
            if term is not other and term.arguments[1] == other.arguments[1]:
                yield from _ispow_pair(term, other)
        for power in powers:
            if power.left == term.arguments[1]:
                known = conjoin((compare(power.right, ">=", ZERO), compare(term.arguments[0], "=", power)))
                yield implies(known, term)


def _ispow_pair(term: Call, other: Call) -> Iterator[Expr]:
    x, b = term.arguments
    u = other.arguments[0]
    yield implies(conjoin((other, compare(x, "=", times(u, b)))), term)
    base = literal(b)
    if isinstance(base, int) and base >= 2:
        yield implies(conjoin((term, compare(x, "=", times(u, b)))), other)
        yield implies(conjoin((term, other, compare(u, "<", x))), compare(times(u, b), "<=", x))


# Powers


def _power_laws(terms: list[Binary], variables: Mapping[str, Type], info: ModuleInfo | None) -> Iterator[Expr]:
    for term in terms:
        yield from _about_power(term, variables, info)
    for index, term in enumerate(terms):
        for other in terms[:index]:
            if expression_sexpr(term.left) == expression_sexpr(other.left):
                yield from _power_pair(term, other, variables, info)
            elif expression_sexpr(term.right) == expression_sexpr(other.right):
                yield from _power_bases(term, other, terms)
    for term in terms:
        for other in terms:
            for third in terms:
                yield from _power_sum(term, other, third)
    for term in terms:
        # The next smaller power, for facts such as "2^k is even for k >= 1".
        below = Binary("^", term.left, Binary("-", term.right, ONE))
        yield implies(compare(term.right, ">=", ONE), compare(term, "=", times(term.left, below)))
        yield from _sign_of_power(below)


def _about_power(term: Binary, variables: Mapping[str, Type], info: ModuleInfo | None) -> Iterator[Expr]:
    base, exponent = term.left, term.right
    yield implies(compare(exponent, "=", ZERO), compare(term, "=", ONE))
    yield implies(compare(exponent, "=", ONE), compare(term, "=", base))
    yield implies(compare(exponent, "=", Number(2)), compare(term, "=", times(base, base)))
    yield from _sign_of_power(term)
    value = literal(base)
    if value is None and is_integer(kind_of(base, variables, info)):
        yield implies(conjoin((compare(base, ">=", Number(2)), compare(exponent, ">=", ZERO))), compare(term, ">", exponent))
        yield implies(conjoin((compare(base, ">=", ONE), compare(exponent, ">=", ONE))), compare(term, ">=", base))


def _sign_of_power(term: Binary) -> Iterator[Expr]:
    base, exponent = term.left, term.right
    value = literal(base)
    not_negative = compare(exponent, ">=", ZERO)
    if value is not None and value >= 1:
        yield implies(not_negative, compare(term, ">=", ONE))
        if value >= 2:
            yield implies(not_negative, compare(term, ">=", Binary("+", exponent, ONE)))
    elif value is not None and value > 0:
        yield implies(not_negative, conjoin((compare(term, ">", ZERO), compare(term, "<=", ONE))))
    elif value is None:
        yield implies(conjoin((compare(base, ">=", ONE), not_negative)), compare(term, ">=", ONE))
        yield implies(conjoin((compare(base, ">", ZERO), not_negative)), compare(term, ">", ZERO))
        yield implies(conjoin((compare(base, "=", ZERO), compare(exponent, ">=", ONE))), compare(term, "=", ZERO))
        yield implies(conjoin((compare(base, "!=", ZERO), not_negative)), compare(term, "!=", ZERO))
    even = compare(Binary("%", exponent, Number(2)), "=", ZERO)
    if value is None or value < 0:
        yield implies(conjoin((not_negative, even)), compare(term, ">=", ZERO))


def _power_pair(term: Binary, other: Binary, variables: Mapping[str, Type], info: ModuleInfo | None) -> Iterator[Expr]:
    """Two powers of the same base."""
    base = term.left
    gap = difference(polynomial(term.right), polynomial(other.right))
    if not gap or set(gap) == {()}:
        distance = gap.get((), Fraction(0))
        if distance < 0:
            term, other, distance = other, term, -distance
        if distance.denominator == 1 and distance <= EXPONENT_MAX:
            higher = times(Binary("^", base, number(distance.numerator)), other) if distance else other
            yield implies(compare(other.right, ">=", ZERO), compare(term, "=", higher))
        return
    for upper, lower in ((term, other), (other, term)):
        next_one = compare(upper.right, "=", Binary("+", lower.right, ONE))
        known = compare(lower.right, ">=", ZERO)
        yield implies(conjoin((known, next_one)), compare(upper, "=", times(base, lower)))
        larger = literal(base)
        if larger is not None and larger >= 1:
            yield implies(conjoin((known, compare(lower.right, "<=", upper.right))), compare(lower, "<=", upper))
            yield implies(conjoin((known, compare(lower.right, "<", upper.right))), compare(times(base, lower), "<=", upper))
        elif larger is None:
            at_least = conjoin((compare(base, ">=", ONE), known, compare(lower.right, "<=", upper.right)))
            yield implies(at_least, compare(lower, "<=", upper))


def _power_bases(term: Binary, other: Binary, terms: list[Binary]) -> Iterator[Expr]:
    """Two powers with the same exponent k: (a·b)^k = a^k · b^k, and 0 <= a <= b implies a^k <= b^k."""
    exponent = term.right
    for small, large in ((term, other), (other, term)):
        ordered = conjoin((compare(ZERO, "<=", small.left), compare(small.left, "<=", large.left), compare(exponent, ">=", ZERO)))
        yield implies(ordered, compare(small, "<=", large))
    product = polynomial(times(term.left, other.left))
    for third in terms:
        if expression_sexpr(third.right) == expression_sexpr(exponent) and polynomial(third.left) == product:
            yield implies(compare(exponent, ">=", ZERO), compare(third, "=", times(term, other)))


def _power_sum(term: Binary, other: Binary, third: Binary) -> Iterator[Expr]:
    """The law b^(i + j + d) = b^d · b^i · b^j, where the three powers with variable exponents occur and d is a small number."""
    texts = {expression_sexpr(power.left) for power in (term, other, third)}
    if len(texts) > 1 or literal(term.right) is not None or literal(other.right) is not None:
        return
    i, j = polynomial(term.right), polynomial(other.right)
    rest = difference(polynomial(third.right), difference(i, scaled(j, -1)))
    distance = rest.get((), Fraction(0))
    if set(rest) <= {()} and 0 <= distance <= EXPONENT_MAX and distance.denominator == 1:
        known = conjoin((compare(term.right, ">=", ZERO), compare(other.right, ">=", ZERO)))
        product = times(term, other)
        if distance:
            product = times(Binary("^", term.left, number(distance.numerator)), product)
        yield implies(known, compare(third, "=", product))


# Expressions as polynomials


def polynomial(expr: Expr) -> NamedPolynomial:
    """The expression as a polynomial over the texts of those terms that are no sums, differences, products or small powers.

    `x % y` is read as x - y·(x // y), so that the laws see that both have the same parts.
    """
    value = literal(expr)
    if value is not None:
        return without_zeros({(): Fraction(value)})
    match expr:
        case Unary("-", operand):
            return scaled(polynomial(operand), -1)
        case Binary("+" | "-" as op, left, right):
            other = polynomial(right)
            return difference(polynomial(left), other if op == "-" else scaled(other, -1))
        case Binary("*", left, right):
            return _product([polynomial(left), polynomial(right)], expr)
        case Binary("^", base, exponent) if _is_small(exponent):
            return _product([polynomial(base)] * int(literal(exponent) or 0), expr)
        case Binary("%", left, right):
            return polynomial(Binary("-", left, times(right, Binary("//", left, right))))
        case _:
            return _atom(expr)


def _atom(expr: Expr) -> NamedPolynomial:
    return {(expression_sexpr(expr),): Fraction(1)}


def _product(factors: Sequence[NamedPolynomial], whole: Expr) -> NamedPolynomial:
    """The product multiplied out; the `whole` expression as one factor where that takes too many monomials."""
    product: NamedPolynomial = {(): Fraction(1)}
    for factor in factors:
        if len(product) * len(factor) > MONOMIALS_MAX:
            return _atom(whole)
        product = multiplied(product, factor)
    return product
