"""The stage of congruences: Euclid's laws for divisors that are not literals.

The goal is an equation about `s % d`. Two whole numbers have the same remainder exactly if d divides their difference, and t is the
remainder of s exactly if d divides s - t and t lies between 0 and d, on d's side. So the stage

- writes every `u % d` of the hypotheses as `u - d * k` and every `u // d` as k, where k is a new whole number,
- uses each equation among them that gives a variable to eliminate that variable,
- and divides s - t by d. There must be no remainder, and the quotient must have whole coefficients.

That d is not 0, and that t lies where it must, is left to the stage of algebra. What is not whole is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from idg.prover.algebra import identities as algebra
from idg.prover.answers import Proved
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import ZERO, compare
from idg.sip.trees.polynomials import Monomial, NamedPolynomial, difference, divides, multiplied
from idg.sip.trees.traverse import conjuncts, names, node_count
from idg.vc.query import Query

STAGE = "congruences"

NODES_MAX = 60
"""Nodes of the goal, and of each hypothesis that is used."""
TERMS_MAX = 60
"""Terms of one polynomial; with more, the stage gives up."""
EXPONENT_MAX = 6
"""The largest literal exponent that is multiplied out."""
EQUATIONS_MAX = 12
"""Equations among the hypotheses that are used, the first ones."""
ONE: NamedPolynomial = {(): Fraction(1)}
"""The polynomial 1, where powers begin."""


class _NotRead(Exception):
    """An expression is no polynomial over whole numbers, or too large."""


def attempt(query: Query, _budget: int = 1) -> Proved | None:
    """A proof by this stage, which bounds itself and needs no budget; None where it finds none."""
    match query.goal:
        case Compare((left, right), ("=",)) if node_count(query.goal) <= NODES_MAX:
            sides = ((left, right), (right, left))
        case _:
            return None
    for remainder, other in sides:
        match remainder:
            case Binary("%", dividend, divisor) if not isinstance(divisor, Number):
                core = _Proof(query, divisor).of(dividend, other)
                if core is not None:
                    return Proved(STAGE, core)
    return None


class _Proof:
    """Tries to prove one goal about remainders of this divisor."""

    def __init__(self, query: Query, divisor: Expr) -> None:
        self.query = query
        self.divisor = divisor
        self.core: set[int] = set()
        """The hypotheses that were used."""

    def of(self, dividend: Expr, other: Expr) -> frozenset[int] | None:
        """What proves `dividend % divisor = other`; None where nothing does."""
        if not self._follows(compare(self.divisor, "!=", ZERO)):
            return None
        match other:
            case Binary("%", of_other, divisor) if divisor == self.divisor:
                congruent = self._are_congruent(dividend, of_other)
            case _:
                congruent = self._are_congruent(dividend, other) and self._is_remainder(other)
        return frozenset(self.core) if congruent else None

    def _follows(self, goal: Expr) -> bool:
        """Whether algebra proves the goal from all hypotheses."""
        answer = algebra.attempt(Query(self.query.variables, self.query.hypotheses, goal, self.query.info))
        if answer is None:
            return False
        self.core |= answer.core
        return True

    def _is_remainder(self, expr: Expr) -> bool:
        """Whether the expression is between 0 and the divisor, on the divisor's side."""
        if expr == ZERO:
            return True
        above = (compare(ZERO, "<=", expr), compare(expr, "<", self.divisor))
        below = (compare(expr, "<=", ZERO), compare(self.divisor, "<", expr))
        return any(all(self._follows(bound) for bound in bounds) for bounds in (above, below))

    def _are_congruent(self, one: Expr, other: Expr) -> bool:
        """Whether the equations among the hypotheses make the divisor divide the difference."""
        reading = _Reading(self.query.variables, self.divisor, self._follows)
        try:
            divisor = reading.polynomial(self.divisor)
            left = _Zero(difference(reading.polynomial(one), reading.polynomial(other)), frozenset())
            equations = self._equations(reading)
            for position in range(len(equations)):
                given = _given_variable(equations[position].poly, keep=names(self.divisor))
                if given is not None:
                    uses = equations[position].uses
                    equations = [known.with_value(*given, uses) for known in equations]
                    left = left.with_value(*given, uses)
        except _NotRead:
            return False
        self.core |= left.uses
        return _divided_wholly(left.poly, divisor)

    def _equations(self, reading: _Reading) -> list[_Zero]:
        """The equations among the hypotheses, as polynomials that are 0."""
        equations: list[_Zero] = []
        for index, hypothesis in enumerate(self.query.hypotheses):
            for part in conjuncts(hypothesis.expr):
                match part:
                    case Compare((left, right), ("=",)) if node_count(part) <= NODES_MAX:
                        with suppress(_NotRead):
                            poly = difference(reading.polynomial(left), reading.polynomial(right))
                            equations.append(_Zero(poly, frozenset([index])))
        return equations[:EQUATIONS_MAX]


class _Zero(NamedTuple):
    """A polynomial, and the hypotheses, by their indices, that have changed it."""

    poly: NamedPolynomial
    uses: frozenset[int]

    def with_value(self, name: str, value: NamedPolynomial, uses: frozenset[int]) -> _Zero:
        """The same with a value for the variable."""
        changed = _substituted(self.poly, name, value)
        return self if changed == self.poly else _Zero(changed, self.uses | uses)


class _Reading:
    """Reads expressions as polynomials over whole variables; quotients by the divisor are variables, too."""

    def __init__(self, variables: Mapping[str, Type], divisor: Expr, follows: Callable[[Expr], bool]) -> None:
        self.variables = variables
        self.divisor = divisor
        self.follows = follows

    def polynomial(self, expr: Expr) -> NamedPolynomial:
        """The polynomial; raises _NotRead where the expression is none."""
        match expr:
            case Number(int() as value):
                return {(): Fraction(value)} if value else {}
            case Name(name) if self.variables.get(name) in (Type.NAT, Type.INT):
                return {(name,): Fraction(1)}
            case Unary("-", operand):
                return difference({}, self.polynomial(operand))
            case Binary("+", left, right):
                return difference(self.polynomial(left), difference({}, self.polynomial(right)))
            case Binary("-", left, right):
                return difference(self.polynomial(left), self.polynomial(right))
            case Binary("*", left, right):
                return _product(self.polynomial(left), self.polynomial(right))
            case Binary("^", base, Number(int() as exponent)) if exponent <= EXPONENT_MAX:
                power = ONE
                for _ in range(exponent):
                    power = _product(power, self.polynomial(base))
                return power
            case Binary("//", dividend, divisor) if divisor == self.divisor:
                return {(self._quotient(dividend),): Fraction(1)}
            case Binary("%", dividend, divisor) if divisor == self.divisor:
                quotient: NamedPolynomial = {(self._quotient(dividend),): Fraction(1)}
                return difference(self.polynomial(dividend), _product(self.polynomial(divisor), quotient))
            case Call("abs", (operand,)):
                return self._greater(operand, Unary("-", operand))
            case Call("max", (left, right)):
                return self._greater(left, right)
            case Call("min", (left, right)):
                return difference({}, self._greater(Unary("-", left), Unary("-", right)))
            case _:
                raise _NotRead

    def _greater(self, left: Expr, right: Expr) -> NamedPolynomial:
        """The greater of the two, where it is known which one that is. C's division is written with such terms."""
        if self.follows(compare(left, ">=", right)):
            return self.polynomial(left)
        if self.follows(compare(left, "<=", right)):
            return self.polynomial(right)
        raise _NotRead

    def _quotient(self, dividend: Expr) -> str:
        """The name of a quotient. No variable is called like that."""
        self.polynomial(dividend)  # It must be whole, for else so need not be the remainder's difference.
        return f"({print_expression(dividend)}) // ({print_expression(self.divisor)})"


def _product(one: NamedPolynomial, other: NamedPolynomial) -> NamedPolynomial:
    if len(one) * len(other) > TERMS_MAX:
        raise _NotRead
    return multiplied(one, other)


def _given_variable(equation: NamedPolynomial, keep: Iterable[str]) -> tuple[str, NamedPolynomial] | None:
    """A variable that the equation (a polynomial that is 0) gives as a polynomial with whole coefficients, and that polynomial."""
    for monomial, factor in sorted(equation.items()):
        if len(monomial) != 1 or abs(factor) != 1 or monomial[0] in keep:
            continue
        if sum(monomial[0] in other for other in equation) > 1:
            continue
        rest = {other: -value / factor for other, value in equation.items() if other != monomial}
        return monomial[0], rest
    return None


def _substituted(poly: NamedPolynomial, name: str, value: NamedPolynomial) -> NamedPolynomial:
    result: NamedPolynomial = {}
    for monomial, factor in poly.items():
        term: NamedPolynomial = {tuple(other for other in monomial if other != name): factor}
        for _ in range(monomial.count(name)):
            term = _product(term, value)
        result = difference(result, difference({}, term))
        if len(result) > TERMS_MAX:
            raise _NotRead
    return result


def _divided_wholly(poly: NamedPolynomial, divisor: NamedPolynomial) -> bool:
    """Whether the polynomial is the divisor times a polynomial with whole coefficients."""
    if not divisor:
        return False
    leading = max(divisor, key=_rank)
    for _ in range(TERMS_MAX):
        if not poly:
            return True
        first = max(poly, key=_rank)
        factor = poly[first] / divisor[leading]
        if not divides(leading, first) or factor.denominator != 1:
            return False
        quotient = list(first)
        for name in leading:
            quotient.remove(name)
        poly = difference(poly, multiplied(divisor, {tuple(quotient): factor}))
    return False


def _rank(monomial: Monomial) -> tuple[int, Monomial]:
    return len(monomial), monomial
