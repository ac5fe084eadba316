"""z3's formulas of linear arithmetic, read back as SIP expressions that people can read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import z3

from idg.sip.syntax import Binary, Boolean, Compare, Expr, Number, Unary
from idg.sip.trees.build import ONE
from idg.sip.trees.logic import MIRRORED, OPPOSITE, TRUE, left_nested

CONJUNCTS_MAX = 40
"""Conjuncts of one formula that are read; later ones are left out."""
CONJUNCT_NODES_MAX = 80
"""Nodes of one conjunct as z3 has it; longer ones are left out, because people could not read them."""
_RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
_CLOSED = {"<": ("<=", 1), ">": (">=", -1)}
"""How to avoid strict comparisons of whole numbers: s < 0 means s + 1 <= 0."""
_OPENED = {("<=", 1, 0): "<", (">=", 0, 1): ">"}
"""How to write a strict comparison again: x + 1 <= y means x < y. The key has the constants of both sides."""
_COMPARED = {z3.Z3_OP_EQ: "=", z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">"}

Sum = dict[Expr, int]
"""A linear sum: terms with their factors; the constant is the factor of 1. Products do not occur here, so that this is enough."""


class NoReading(Exception):
    """The formula says something that has no expression here."""


def read_conjuncts(formula: Any, arguments: Sequence[Expr]) -> Iterator[Expr]:
    """The conjuncts of the formula as expressions. Bound variable number i is the i-th argument.

    Conjuncts that cannot be read are left out.
    """
    conditions: list[Expr] = []
    for part in _parts(formula, True):
        try:
            read = _Reader(arguments).condition(*part)
        except NoReading:
            continue
        if read not in conditions and read != TRUE:
            conditions.append(read)
    yield from _joined(conditions)[:CONJUNCTS_MAX]


def _parts(formula: Any, positive: bool) -> Iterator[tuple[Any, bool]]:
    if z3.is_not(formula):
        yield from _parts(formula.arg(0), not positive)
    elif z3.is_and(formula) if positive else z3.is_or(formula):
        for child in formula.children():
            yield from _parts(child, positive)
    else:
        yield formula, positive


def _joined(conditions: list[Expr]) -> list[Expr]:
    """a <= b and a >= b as a = b."""
    joined: list[Expr] = []
    for condition in conditions:
        match condition:
            case Compare(operands, ("<=" | ">=" as op,)):
                other = Compare(operands, (">=" if op == "<=" else "<=",))
                same = Compare(operands, ("=",))
                joined += [same if other in conditions else condition] if same not in joined else []
            case _:
                joined.append(condition)
    return joined


class _Reader:
    """Reads one conjunct and counts its nodes. z3 shares equal subterms; here they are written out, so it may become long."""

    def __init__(self, arguments: Sequence[Expr]) -> None:
        self.arguments = arguments
        self.nodes = 0

    def count(self) -> None:
        self.nodes += 1
        if self.nodes > CONJUNCT_NODES_MAX:
            raise NoReading

    def condition(self, term: Any, positive: bool) -> Expr:
        self.count()
        if z3.is_true(term) or z3.is_false(term):
            return Boolean(z3.is_true(term) == positive)
        if z3.is_var(term):
            variable = self.variable(term)
            return variable if positive else Unary("!", variable)
        if z3.is_not(term):
            return self.condition(term.arg(0), not positive)
        if z3.is_and(term) or z3.is_or(term):
            op = "&" if z3.is_and(term) == positive else "|"
            return left_nested(op, [self.condition(child, positive) for child in term.children()])
        if z3.is_implies(term):
            if positive:
                return Binary("->", self.condition(term.arg(0), True), self.condition(term.arg(1), True))
            return Binary("&", self.condition(term.arg(0), True), self.condition(term.arg(1), False))
        return self.comparison(term, positive)

    def comparison(self, term: Any, positive: bool) -> Expr:
        op = _COMPARED.get(term.decl().kind()) if z3.is_app(term) else None
        if op is None:
            raise NoReading
        left, right = term.children()
        if z3.is_bool(left):
            return Compare((self.condition(left, True), self.condition(right, positive)), ("=",))
        return compared(_plus(self.number(left), self.number(right), -1), op if positive else OPPOSITE[op])

    def number(self, term: Any) -> Sum:
        self.count()
        if z3.is_int_value(term):
            return {ONE: int(term.as_long())}
        if z3.is_var(term):
            return {self.variable(term): 1}
        if z3.is_add(term) or z3.is_sub(term):
            first, *others = map(self.number, term.children())
            for term_sum in others:
                first = _plus(first, term_sum, 1 if z3.is_add(term) else -1)
            return first
        if z3.is_mul(term):
            return self.product(term)
        if z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UMINUS:
            return _plus({}, self.number(term.arg(0)), -1)
        if z3.is_idiv(term) or z3.is_mod(term):
            return {self.quotient(term): 1}
        raise NoReading

    def product(self, term: Any) -> Sum:
        product: Sum = {ONE: 1}
        for factor in map(self.number, term.children()):
            constant, other = (product, factor) if set(product) <= {ONE} else (factor, product)
            if not set(constant) <= {ONE}:
                raise NoReading
            product = _plus({}, other, constant.get(ONE, 0))
        return product

    def quotient(self, term: Any) -> Expr:
        """A quotient or remainder by a positive literal, where z3 divides as SIP does."""
        left, right = term.children()
        if not z3.is_int_value(right) or right.as_long() <= 0:
            raise NoReading
        return Binary("//" if z3.is_idiv(term) else "%", _sum_of(self.number(left)), Number(int(right.as_long())))

    def variable(self, term: Any) -> Expr:
        return self.arguments[int(z3.get_var_index(term))]


def _plus(one: Sum, other: Sum, factor: int) -> Sum:
    total = dict(one)
    for term, value in other.items():
        total[term] = total.get(term, 0) + factor * value
    return {term: value for term, value in total.items() if value}


def compared(total: Sum, op: str) -> Expr:
    """The comparison `total op 0` of whole numbers, with every term on the side where its factor is positive."""
    if set(total) <= {ONE}:
        return Boolean(_RELATIONS[op](total.get(ONE, 0), 0))
    if op in _CLOSED:
        op, more = _CLOSED[op]
        total = _plus(total, {ONE: more}, 1)
    left = {term: value for term, value in total.items() if value > 0}
    right = {term: -value for term, value in total.items() if value < 0}
    if not set(left) - {ONE}:
        left, right, op = right, left, MIRRORED[op]
    one_sided = set(right) <= {ONE}
    if one_sided and ONE in left:
        # x >= -3 reads better than x + 3 >= 0.
        right = _plus(right, {ONE: left.pop(ONE)}, -1)
    elif not one_sided and (op, left.get(ONE, 0), right.get(ONE, 0)) in _OPENED:
        op = _OPENED[op, left.pop(ONE, 0), right.pop(ONE, 0)]
    return Compare((_sum_of(left), _sum_of(right)), (op,))


def _sum_of(terms: Mapping[Expr, int]) -> Expr:
    """The sum as an expression: variables come before the constant, and what is added before what is subtracted."""
    ordered = sorted(terms.items(), key=lambda pair: (pair[1] < 0, pair[0] == ONE))
    total: Expr | None = None
    for term, value in ordered:
        size = Number(abs(value))
        part: Expr = size if term == ONE else term if abs(value) == 1 else Binary("*", size, term)
        if total is None:
            total = part if value > 0 else Unary("-", part)
        else:
            total = Binary("+" if value > 0 else "-", total, part)
    return Number(0) if total is None else total
