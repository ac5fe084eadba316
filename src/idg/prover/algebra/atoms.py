"""Reads SIP expressions as polynomials over atoms, and conditions as combinations of comparisons of polynomials with 0.

An atom is a variable, or a term that is no polynomial, such as x // y. Such a term is identified by its operator and its arguments
in normal form, so that equal arguments give the same atom. A Boolean that is no comparison is an atom with value 0 or 1. What
always holds for an atom (a nat is not negative, say) is collected in `lemmas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NamedTuple

from idg.prover.algebra import polynomials
from idg.prover.algebra.polynomials import (
    ONE,
    Poly,
    PolynomialTooLarge,
    add,
    atom,
    constant,
    field,
    is_constant,
    multiply,
    power,
    support,
    times,
)
from idg.prover.fold import kind_of
from idg.prover.quantifiers.aggregates import key
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.operators import AGGREGATES
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Old, Quantified, Type, Unary
from idg.sip.trees.entry import entry_column
from idg.sip.trees.logic import OPPOSITE
from idg.sip.trees.traverse import is_within

NODES_MAX = 600
"""Nodes of the tree of one hypothesis or of the goal; larger ones are not read."""
LEVELS_MAX = 120
"""Levels of the tree of one hypothesis or of the goal. Reading is recursive, and this keeps it far from Python's limit."""
NUMBER_BITS_MAX = 256
"""Bits of a literal, numerator and denominator together."""


class Ratio(NamedTuple):
    """A polynomial with rational coefficients: numerator / denominator, where the denominator is a positive number."""

    numerator: Poly
    denominator: int


class Comparison(NamedTuple):
    """poly = 0, poly != 0, poly >= 0 or poly > 0"""

    relation: str
    poly: Poly


class Every(NamedTuple):
    """A conjunction: all parts hold. Without parts it is true."""

    parts: tuple[Formula, ...]


class Some(NamedTuple):
    """A disjunction: one of the parts holds. Without parts it is false."""

    parts: tuple[Formula, ...]


Formula = Comparison | Every | Some


class Term(NamedTuple):
    """The term for which an atom stands that is no variable."""

    operator: str
    arguments: tuple[Ratio, ...]
    atom_index: int


def is_small(expr: Expr) -> bool:
    """Whether the expression is within the limits on nodes and levels, which bound the recursion below."""
    return is_within(expr, NODES_MAX, LEVELS_MAX)


def in_lowest_terms(numerator: Poly, denominator: int) -> Ratio:
    common = gcd(denominator, *numerator.values())
    if common > 1:
        return Ratio({monomial: value // common for monomial, value in numerator.items()}, denominator // common)
    return Ratio(numerator, denominator)


class Atoms:
    """The atoms of a query, numbered in the order in which they are met, and the reading of expressions over them."""

    def __init__(self, variables: Mapping[str, Type], info: ModuleInfo | None) -> None:
        self._variables = variables
        self._info = info
        self._index: dict[object, int] = {}
        self.fractional = 0
        """The bits of the fields of those atoms that need not be whole."""
        self.terms: list[Term] = []
        self.lemmas: list[Comparison] = []
        self.reduced_terms = 0
        """Terms that closures have reduced so far. It is counted here because all closures of a query share one bound."""
        self._read = {
            Number: self._number,
            Name: self._name,
            Old: self._name,
            Unary: self._unary,
            Binary: self._binary,
            Call: self._call,
            Boolean: self._truth,
            Compare: self._truth,
            Quantified: self._total,
            Index: self._cell,
        }

    # numbers

    def value(self, expr: Expr) -> Ratio:
        return self._read[type(expr)](expr)  # type: ignore[operator, no-any-return]

    def is_whole(self, poly: Poly) -> bool:
        """Whether a polynomial with whole coefficients has whole values only."""
        return not support(poly) & self.fractional

    def _atom(self, identity: object, kind: Type) -> tuple[Ratio, int, bool]:
        """The atom as a polynomial, its index, and whether it is new."""
        index = self._index.get(identity)
        new = index is None
        if index is None:
            index = self._index[identity] = len(self._index)
            if kind is Type.RAT:
                self.fractional |= field(index)
            elif kind is Type.NAT:
                self.lemmas.append(Comparison(">=", {atom(index): 1}))
            elif kind is Type.BOOL:
                single = atom(index)
                self.lemmas += [Comparison(">=", {single: 1}), Comparison(">=", {ONE: 1, single: -1})]
                self.lemmas.append(Comparison("=", {single + single: 1, single: -1}))
        return Ratio({atom(index): 1}, 1), index, new

    def _number(self, expr: Number) -> Ratio:
        number = expr.value
        if number.numerator.bit_length() + number.denominator.bit_length() > NUMBER_BITS_MAX:
            raise PolynomialTooLarge
        return Ratio(constant(number.numerator), number.denominator)

    def _name(self, expr: Name | Old) -> Ratio:
        old = entry_column(expr.name)
        kind = self._variables.get(old) if isinstance(expr, Old) else None
        kind = kind or self._variables.get(expr.name, Type.RAT)
        return self._atom(old if isinstance(expr, Old) else expr.name, kind)[0]

    def _truth(self, expr: Expr) -> Ratio:
        """A condition used as a value."""
        if isinstance(expr, Boolean):
            return Ratio(constant(int(expr.value)), 1)
        return self._atom(("condition", expr), Type.BOOL)[0]

    def _unary(self, expr: Unary) -> Ratio:
        inner = self.value(expr.operand)
        if expr.op == "!":
            return Ratio(add({ONE: 1}, inner.numerator, -1), 1)
        return Ratio(times(inner.numerator, -1), inner.denominator)

    def _binary(self, expr: Binary) -> Ratio:
        op = expr.op
        if op in ("&", "|", "->"):
            return self._truth(expr)
        left, right = self.value(expr.left), self.value(expr.right)
        if op in ("+", "-"):
            sign = 1 if op == "+" else -1
            if left.denominator == right.denominator:
                return Ratio(self._bounded(add(left.numerator, right.numerator, sign)), left.denominator)
            scaled = times(left.numerator, right.denominator)
            total = self._bounded(add(scaled, right.numerator, sign * left.denominator))
            return in_lowest_terms(total, left.denominator * right.denominator)
        if op == "*":
            return in_lowest_terms(self._bounded(multiply(left.numerator, right.numerator)), left.denominator * right.denominator)
        if op == "/":
            return self._divide(left, right)
        if op == "^":
            return self.power(left, right)
        return self._floor(op, left, right)

    def _bounded(self, poly: Poly) -> Poly:
        if len(poly) > polynomials.TERMS_MAX or polynomials.bits_of(poly) > polynomials.COEFFICIENT_BITS_MAX:
            raise PolynomialTooLarge
        return poly

    def _divide(self, left: Ratio, right: Ratio) -> Ratio:
        if is_constant(right.numerator) and right.numerator:
            divisor = right.numerator[ONE]
            scaled = times(left.numerator, right.denominator if divisor > 0 else -right.denominator)
            return in_lowest_terms(scaled, left.denominator * abs(divisor))
        return self.term("/", (left, right), Type.RAT)

    def power(self, base: Ratio, exponent: Ratio) -> Ratio:
        if is_constant(exponent.numerator) and exponent.denominator == 1:
            number = exponent.numerator.get(ONE, 0)
            if number >= 0:
                numerator = power(base.numerator, number)
                if base.denominator != 1 and base.denominator.bit_length() * number > polynomials.COEFFICIENT_BITS_MAX:
                    raise PolynomialTooLarge
                return in_lowest_terms(numerator, base.denominator**number)
        whole = base.denominator == 1 and self.is_whole(base.numerator)
        return self.term("^", (base, exponent), Type.INT if whole else Type.RAT)

    def _floor(self, op: str, left: Ratio, right: Ratio) -> Ratio:
        divisor = right.numerator.get(ONE, 0)
        whole = left.denominator == right.denominator == 1 and self.is_whole(left.numerator)
        if not whole or not divisor or not is_constant(right.numerator):
            floor = self.term("//", (left, right), Type.INT)
            # A remainder has the quotient as a third argument, for the law x = y·(x // y) + x % y, which holds where y is not 0.
            return floor if op == "//" else self.term("%", (left, right, floor), Type.INT)
        # (c·a + b) // c = a + b // c for whole a. So only coefficients from 0 to c - 1 are left under the //.
        size = abs(divisor)
        outside = {monomial: coefficient for monomial, value in left.numerator.items() if (coefficient := value // size)}
        inside = {monomial: coefficient for monomial, value in left.numerator.items() if (coefficient := value % size)}
        outside = times(outside, 1 if divisor > 0 else -1)
        if is_constant(inside):
            outside = add(outside, constant(inside.get(ONE, 0) // divisor))
        else:
            outside = add(outside, self._quotient(inside, divisor))
        if op == "//":
            return Ratio(outside, 1)
        return Ratio(self._bounded(add(left.numerator, outside, -divisor)), 1)

    def _quotient(self, inside: Poly, divisor: int) -> Poly:
        floor, _, new = self._atom(("//", polynomials.key(inside), divisor), Type.INT)
        if new:
            rest = add(inside, floor.numerator, -divisor)
            sign = 1 if divisor > 0 else -1
            self.lemmas.append(Comparison(">=", times(rest, sign)))
            self.lemmas.append(Comparison(">=", add({ONE: abs(divisor) - 1}, rest, -sign)))
        return floor.numerator

    def term(self, operator: str, arguments: tuple[Ratio, ...], kind: Type) -> Ratio:
        identity = (operator, tuple((polynomials.key(argument.numerator), argument.denominator) for argument in arguments))
        single, index, new = self._atom(identity, kind)
        if new:
            self.terms.append(Term(operator, arguments, index))
        return single

    def _total(self, expr: Quantified) -> Ratio:
        """A sum or a count is a function of its bounds."""
        if expr.word not in AGGREGATES:
            return self._truth(expr)
        kind = kind_of(expr, self._variables, self._info)
        return self.term(key(expr), (self.value(expr.low), self.value(expr.high)), kind)

    def _cell(self, expr: Index) -> Ratio:
        """A cell of an array. Where two places are known to be equal, so are the cells, as for all terms."""
        kind = self._variables[expr.array.name].element or Type.RAT
        return self.term(f"cell of {expr.array.name}", (self.value(expr.index),), kind)

    def _call(self, expr: Call) -> Ratio:
        name = expr.function
        if name == "permutation":
            return self._truth(expr)
        if name == "len":
            return self._atom(("len", expr.arguments), Type.NAT)[0]
        arguments = tuple(self.value(argument) for argument in expr.arguments)
        whole = all(argument.denominator == 1 and self.is_whole(argument.numerator) for argument in arguments)
        if name in ("ispow", "iswhole"):
            return self.term(name, arguments, Type.BOOL)
        if name == "gcd":
            arguments = tuple(sorted(arguments, key=lambda argument: polynomials.key(argument.numerator)))
            return self.term(name, arguments, Type.NAT)
        if name == "abs":
            return self._between(name, (arguments[0], Ratio(times(arguments[0].numerator, -1), arguments[0].denominator)), whole)
        if name in ("min", "max"):
            return self._between(name, arguments, whole)
        function = self._info.functions[name].function if self._info and name in self._info.functions else None
        return self.term(f"call {name}", arguments, (function and function.result) or Type.RAT)

    def _between(self, name: str, arguments: tuple[Ratio, ...], whole: bool) -> Ratio:
        """A min, max or abs: it equals one of the arguments, and is at most (min) or at least (max, abs) each of them."""
        sign = -1 if name == "min" else 1
        before = len(self.terms)
        single = self.term(name, arguments, Type.INT if whole else Type.RAT)
        if len(self.terms) > before:
            product: Poly = {ONE: 1}
            for argument in arguments:
                difference = add(times(single.numerator, argument.denominator), argument.numerator, -1)
                self.lemmas.append(Comparison(">=", times(difference, sign)))
                if len(arguments) == 2:
                    product = multiply(product, difference)
            if len(arguments) == 2:
                self.lemmas.append(Comparison("=", product))
        return single

    # conditions

    def formula(self, expr: Expr, holds: bool = True) -> Formula:
        """The condition as a formula; its negation where `holds` is False."""
        match expr:
            case Boolean(value):
                return Every(()) if value is holds else Some(())
            case Unary("!", operand):
                return self.formula(operand, not holds)
            case Binary("&" | "|" | "->" as op, left, right):
                parts = (self.formula(left, holds is not (op == "->")), self.formula(right, holds))
                return Every(parts) if (op == "&") is holds else Some(parts)
            case Compare(operands, ops):
                links = tuple(
                    self._link(op if holds else OPPOSITE[op], operands[index], operands[index + 1]) for index, op in enumerate(ops)
                )
                if len(links) == 1:
                    return links[0]
                return Every(links) if holds else Some(links)
            case _:
                return Comparison("=", add(self.value(expr).numerator, {ONE: -1}) if holds else self.value(expr).numerator)

    def _link(self, op: str, left: Expr, right: Expr) -> Comparison:
        one, other = self.value(left), self.value(right)
        if op in ("<", "<="):
            one, other = other, one
        difference = add(times(one.numerator, other.denominator), other.numerator, -one.denominator)
        return Comparison({"<": ">", "<=": ">="}.get(op, op), self._bounded(difference))


def negation(formula: Formula) -> Formula:
    match formula:
        case Every(parts):
            return Some(tuple(negation(part) for part in parts))
        case Some(parts):
            return Every(tuple(negation(part) for part in parts))
        case Comparison("=" | "!=" as relation, poly):
            return Comparison("!=" if relation == "=" else "=", poly)
        case Comparison(relation, poly):
            return Comparison(">" if relation == ">=" else ">=", times(poly, -1))
    raise AssertionError(formula)
