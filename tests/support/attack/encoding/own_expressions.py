"""Expressions as z3 terms in the tests' own encoding: the value, and the condition under which there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from idg.sip import syntax as sip
from idg.sip.program import Program
from idg.sip.syntax import Expr, Type
from tests.support.attack.encoding.own_cells import (
    CELLS_MAX,
    FALSE,
    RANGE,
    TRUE,
    Beyond,
    Cells,
    Encoded,
    about_arrays,
    aggregate,
    all_of,
    at_most,
    either,
    implies,
    same_arrays,
    same_numbers,
    truth_of,
    whole,
)  # fmt: skip

EXPONENT_MAX = 6
"""The largest literal exponent that is multiplied out."""
IN_HELPER = "~"
"""Marks the names of unknowns that a helper makes, which must not be left in the value of a call."""

State = dict[str, Any]
"""The z3 term of each variable; of an array, its `Cells`."""


@dataclass
class Place:
    """Where expressions are read: the state, the entry values, and how deep calls are inlined."""

    state: State
    entry: Mapping[str, Any]
    depth: int = 0


def fitting(term: Any, kind: Type) -> tuple[Any, Any]:
    """The term as a value of the type, and the condition under which it fits."""
    if kind is Type.BOOL or kind.element is not None:
        return term, TRUE
    if kind is Type.RAT:
        return (z3.ToReal(term) if whole(term) else term), TRUE
    fits = TRUE if whole(term) else z3.IsInt(term)
    term = term if whole(term) else z3.ToInt(term)
    return term, all_of(fits, term >= 0) if kind is Type.NAT else fits


class Encoding:
    """Reads expressions and, for a program, collects what must hold if the given facts are known at its loops."""

    def __init__(self, program: Program | None = None) -> None:
        self.functions = {function.name: function for function in program.module.functions} if program else {}
        self.count = 0
        self.limits: list[Any] = []
        """Conditions under which the formulas say what the language means; only states that satisfy them are looked at."""

    def fresh(self, name: str, kind: Type) -> tuple[Any, Any]:
        """A new unknown of the type, and what the type says of it."""
        self.count += 1
        if kind.element is not None:
            return self.fresh_array(name, kind.element)
        sort = {Type.BOOL: z3.BoolSort(), Type.RAT: z3.RealSort()}.get(kind, z3.IntSort())
        term = z3.Const(f"{name}.{self.count}", sort)
        return term, term >= 0 if kind is Type.NAT else TRUE

    def fresh_array(self, name: str, element: Type) -> tuple[Any, Any]:
        cells = [self.fresh(f"{name}.{place}", element) for place in range(CELLS_MAX)]
        length = z3.Const(f"{name}.len.{self.count}", z3.IntSort())
        return Cells(tuple(term for term, _ in cells), length), all_of(
            length >= 0, length <= CELLS_MAX, *(cell_fits for _, cell_fits in cells)
        )

    # expressions

    def read(self, expr: Expr, place: Place) -> Encoded:
        match expr:
            case sip.Number(value):
                number = z3.IntVal(value) if isinstance(value, int) else z3.RealVal(Fraction(value))
                return Encoded(number, TRUE)
            case sip.Boolean(value):
                return Encoded(truth_of(value), TRUE)
            case sip.Name(name):
                return Encoded(place.state[name], TRUE)
            case sip.Old(name):
                return Encoded(place.entry[name], TRUE)
            case sip.Unary(op, operand):
                inner = self.read(operand, place)
                return Encoded(z3.Not(inner.value) if op == "!" else -inner.value, inner.defined)
            case sip.Binary():
                return self.binary(expr, place)
            case sip.Compare():
                return self.chain(expr, place)
            case sip.Call():
                return self.call(expr, place)
            case sip.Index(array, position):
                index = self.read(position, place)
                cell = self.read(array, place).value.read(index.value)
                return Encoded(cell.value, all_of(index.defined, cell.defined))
            case sip.Quantified():
                return self.quantified(expr, place)

    def quantified(self, expr: sip.Quantified, place: Place) -> Encoded:
        low, high = self.read(expr.low, place), self.read(expr.high, place)
        defined = [low.defined, high.defined]
        instances: list[tuple[Any, Any]] = []
        self.limits.append(z3.Or(high.value < low.value, z3.And(low.value >= RANGE[0], high.value <= RANGE[-1])))
        for number in RANGE:
            term = z3.IntVal(number)
            inside = all_of(at_most(low.value, term), at_most(term, high.value))
            if inside is FALSE:
                continue
            before = len(self.limits)
            body = self.read(expr.body, Place({**place.state, expr.variable.name: term}, place.entry, place.depth))
            self.limits[before:] = [implies(inside, limit) for limit in self.limits[before:]]
            defined.append(implies(inside, body.defined))
            instances.append((inside, body.value))
        return Encoded(aggregate(expr.word, instances), all_of(*defined))

    def binary(self, expr: sip.Binary, place: Place) -> Encoded:
        left, right = self.read(expr.left, place), self.read(expr.right, place)
        both = all_of(left.defined, right.defined)
        a, b = left.value, right.value
        match expr.op:
            case "&":
                return Encoded(all_of(a, b), all_of(left.defined, implies(a, right.defined)))
            case "|":
                return Encoded(z3.Or(a, b), all_of(left.defined, TRUE if right.defined is TRUE else z3.Or(a, right.defined)))
            case "->":
                return Encoded(implies(a, b), all_of(left.defined, implies(a, right.defined)))
            case "+":
                return Encoded(a + b, both)
            case "-":
                return Encoded(a - b, both)
            case "*":
                return Encoded(a * b, both)
            case "/":
                a, b = (z3.ToReal(term) if whole(term) else term for term in (a, b))
                return Encoded(a / b, all_of(both, b != 0))
            case "//" | "%":
                # z3's own division leaves a remainder that is not negative, so it rounds down only where the divisor is positive.
                floor = z3.If(b > 0, a / b, (-a) / (-b))
                return Encoded(floor if expr.op == "//" else a - b * floor, all_of(both, b != 0))
            case "^":
                return self.power(a, expr.right, both)
        raise Beyond(expr.op)

    def power(self, base: Any, exponent: Expr, defined: Any) -> Encoded:
        if not isinstance(exponent, sip.Number) or not isinstance(exponent.value, int) or exponent.value > EXPONENT_MAX:
            raise Beyond("an exponent")
        product: Any = z3.IntVal(1) if whole(base) else z3.RealVal(1)
        for _ in range(exponent.value):
            product = product * base
        return Encoded(product, defined)

    def chain(self, expr: sip.Compare, place: Place) -> Encoded:
        operands = [self.read(operand, place) for operand in expr.operands]
        value: Any = TRUE
        defined = operands[0].defined
        for op, left, right in zip(expr.ops, operands, operands[1:], strict=False):
            a, b = left.value, right.value
            if isinstance(a, Cells):
                a, b = same_arrays(a, b), TRUE
            link = {
                "=": lambda a=a, b=b: a == b,
                "!=": lambda a=a, b=b: a != b,
                "<": lambda a=a, b=b: a < b,
                "<=": lambda a=a, b=b: at_most(a, b),
                ">": lambda a=a, b=b: a > b,
                ">=": lambda a=a, b=b: at_most(b, a),
            }[op]()
            # A chain stops at its first false comparison. What comes later then needs no value.
            defined = all_of(defined, implies(value, right.defined))
            value = all_of(value, link)
        return Encoded(value, defined)

    def call(self, expr: sip.Call, place: Place) -> Encoded:
        if expr.function == "ite":  # It occurs only in queries of the engine, and so does `store`.
            test, yes, no = (self.read(argument, place) for argument in expr.arguments)
            defined = z3.And(test.defined, z3.If(test.value, yes.defined, no.defined))
            return Encoded(either(test.value, *same_numbers(yes.value, no.value)), defined)
        arguments = [self.read(argument, place) for argument in expr.arguments]
        defined = all_of(*(argument.defined for argument in arguments))
        values = [argument.value for argument in arguments]
        if expr.function in ("len", "store", "sorted", "permutation"):
            called = about_arrays(expr.function, values)
            return Encoded(called.value, all_of(defined, called.defined))
        if expr.function in self.functions:
            return self.inlined(self.functions[expr.function], values, defined, place.depth + 1)
        if expr.function in ("min", "max") and not all(map(whole, values)):
            values = [z3.ToReal(value) if whole(value) else value for value in values]
        match expr.function:
            case "abs":
                return Encoded(z3.If(values[0] >= 0, values[0], -values[0]), defined)
            case "min" | "max":
                best = values[0]
                for value in values[1:]:
                    best = z3.If(value < best if expr.function == "min" else value > best, value, best)
                return Encoded(best, defined)
            case "iswhole":  # It occurs only in queries of the engine.
                return Encoded(TRUE if whole(values[0]) else z3.IsInt(values[0]), defined)
        raise Beyond(expr.function)

    def inlined(self, function: sip.Function, arguments: Sequence[Any], defined: Any, depth: int) -> Encoded:
        """The value of a call of a helper."""
        raise Beyond(function.name)
