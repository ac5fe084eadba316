"""Random well-typed expressions. Every choice is one draw, with the simplest alternative first, as random_programs.py explains."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from idg.sip import syntax as sip
from idg.sip.syntax import Binary, Call, Compare, Expr, Function, Name, Number, Type, Unary

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

Scalar = bool | int | Fraction
Value = Scalar | tuple[Scalar, ...]
Scope = dict[str, Type]
Functions = tuple[Function, ...]
Names = tuple[str, ...]
T = TypeVar("T")

NUMBER_TYPES = (Type.NAT, Type.INT, Type.RAT)
FITTING = {Type.BOOL: (Type.BOOL,), Type.NAT: (Type.NAT,), Type.INT: (Type.NAT, Type.INT), Type.RAT: (Type.NAT, Type.INT, Type.RAT)}
"""The types that an expression may have where one of the key's type is wanted."""

NAT_KINDS = (
    (6, "leaf"), (5, "+"), (3, "*"), (2, "//"), (3, "%"), (3, "^"), (2, "abs"), (2, "minmax"), (1, "gcd"), (5, "call"),
)  # fmt: skip
INT_KINDS = (*NAT_KINDS, (5, "-"), (2, "negate"))
NUMBER_KINDS = {Type.NAT: NAT_KINDS, Type.INT: INT_KINDS, Type.RAT: (*INT_KINDS, (5, "/"))}
BOOL_KINDS = (
    (3, "leaf"), (10, "compare"), (3, "chain"), (3, "&"), (2, "|"), (2, "->"), (2, "!"), (1, "equal"), (1, "ispow"),
    (2, "guard"), (2, "call"), (3, "likely"),
)  # fmt: skip
LIKELY_KINDS = (
    (3, "reflexive"), (2, "abs"), (1, "square"), (2, "max"), (2, "tautology"), (2, "remainder"),
    (1, "division"), (1, "gcd"), (1, "ispow"),
)  # fmt: skip


def chance(rng: random.Random, percent: int) -> bool:
    """True with this probability. Hypothesis shrinks it to False, because it takes the smallest draw."""
    return rng.randint(0, 99) >= 100 - percent


def pick(rng: random.Random, weighted: Sequence[tuple[int, T]]) -> T:
    position = rng.randint(0, sum(weight for weight, _ in weighted) - 1)
    for weight, value in weighted:
        if position < weight:
            return value
        position -= weight
    raise AssertionError("unreachable: position is below the sum of the weights")


def compare(left: Expr, op: str, right: Expr) -> Compare:
    return Compare((left, right), (op,))


def natural(rng: random.Random) -> Number:
    if chance(rng, 6):
        return Number(rng.choice((1_000, 65_536, 10**6, 2**31 - 1, 2**64, 10**30, 7**500)))
    return Number(rng.randint(10, 200) if chance(rng, 15) else rng.randint(0, 9))


def fraction(rng: random.Random) -> Number:
    """A number that is written with a point: its denominator divides a power of ten, and it is not whole."""
    return Number(rng.randint(0, 9) + Fraction(rng.choice((500, 250, 100, 123)), 1000))


@dataclass
class Expressions:
    """Makes expressions over the names and functions that are visible somewhere."""

    rng: random.Random
    scope: Scope
    functions: Functions = ()
    olds: Names = ()
    """The parameters that may be written in old()."""

    def make(self, want: Type, size: int) -> Expr:
        """An expression of a type that fits the wanted one."""
        if size <= 1:
            return self.leaf(want)
        return self.boolean(size) if want is Type.BOOL else self.number(want, size)

    def names(self, want: Type) -> list[Expr]:
        names: list[Expr] = [Name(name) for name, type_ in self.scope.items() if type_ in FITTING[want]]
        return [*names, *(sip.Old(name) for name in self.olds if self.scope[name] in FITTING[want])]

    def leaf(self, want: Type) -> Expr:
        names = self.names(want)
        if names and not chance(self.rng, 30):
            return self.rng.choice(names)
        if want is Type.BOOL:
            return sip.Boolean(self.rng.choice((True, False)))
        if want is Type.RAT and chance(self.rng, 40):
            return fraction(self.rng)
        literal = natural(self.rng)
        return Unary("-", literal) if want is not Type.NAT and chance(self.rng, 25) else literal

    def pair(self, want: Type, size: int) -> tuple[Expr, Expr]:
        left = self.rng.randint(1, max(1, size - 2))
        return self.make(want, left), self.make(want, size - 1 - left)

    def number(self, want: Type, size: int) -> Expr:
        whole = Type.NAT if want is Type.NAT else Type.INT
        match pick(self.rng, NUMBER_KINDS[want]):
            case "leaf":
                return self.leaf(want)
            case ("+" | "-" | "*") as op:
                return Binary(op, *self.pair(want, size))
            case "/":
                return Binary("/", self.make(Type.RAT, size - 2), self.divisor(Type.RAT))
            case "//":
                return Binary("//", self.make(whole, size - 2), self.divisor(whole))
            case "%":
                return Binary("%", self.make(Type.INT, size - 2), self.divisor(whole))
            case "^":
                return Binary("^", self.make(want, min(size - 2, 3)), self.exponent())
            case "negate":
                return Unary("-", self.make(want, size - 1))
            case "abs":
                return Call("abs", (self.make(Type.RAT if want is Type.RAT else Type.INT, size - 1),))
            case "minmax":
                third = (self.leaf(want),) if chance(self.rng, 25) else ()
                return Call(self.rng.choice(("min", "max")), (*self.pair(want, size), *third))
            case "gcd":
                return Call("gcd", self.pair(Type.INT, size))
            case _:
                return self.call(want, size)

    def divisor(self, want: Type) -> Expr:
        """A divisor that is seldom zero."""
        match pick(self.rng, ((12, "literal"), (5, "positive"), (3, "any"))):
            case "literal":
                literal = Number(self.rng.randint(1, 9))
                return Unary("-", literal) if want is not Type.NAT and chance(self.rng, 15) else literal
            case "positive":
                value = self.leaf(want)
                return Binary("+", value if want is Type.NAT else Call("abs", (value,)), Number(1))
            case _:
                return self.make(want, 2)

    def exponent(self) -> Expr:
        """A mostly small exponent. It is never a negated literal, which the checker refuses."""
        match pick(self.rng, ((20, "literal"), (4, "remainder"), (2, "nat"), (3, "int"), (2, "large"))):
            case "literal":
                return Number(self.rng.randint(0, 3))
            case "remainder":
                return Binary("%", self.leaf(Type.INT), Number(self.rng.randint(1, 5)))
            case "nat":
                return self.leaf(Type.NAT)
            case "int":
                name = self.rng.choice(self.names(Type.INT) or [Binary("-", Number(2), Number(3))])
                return self.rng.choice([name, Binary("-", name, Number(self.rng.randint(0, 3))), Unary("-", name)])
            case _:
                return Number(self.rng.choice((100, 8_192, 65_536, 10**9)))

    def call(self, want: Type, size: int) -> Expr:
        callable_ = [function for function in self.functions if function.result in FITTING[want]]
        if not callable_:
            return self.leaf(want)
        function = self.rng.choice(callable_)
        share = max(1, (size - 1) // max(1, len(function.params)))
        return Call(function.name, tuple(self.argument(param.type, share) for param in function.params))

    def argument(self, want: Type, size: int) -> Expr:
        """An argument of a call. A nat is mostly small, because it may be the depth of a recursion."""
        if want is not Type.NAT or chance(self.rng, 15):
            return self.assigned(want, size)
        if chance(self.rng, 50):
            return Binary("%", self.make(Type.INT, size - 2), Number(self.rng.randint(1, 6)))
        return Number(self.rng.randint(0, 6))

    def assigned(self, want: Type, size: int) -> Expr:
        """A value for a variable of the type. Sometimes it has a wider type and may not fit."""
        if want is Type.BOOL or want is Type.RAT:
            return self.make(want, size)
        if chance(self.rng, 15):
            return self.make(Type.INT if want is Type.NAT else Type.RAT, size)
        if want is Type.INT and chance(self.rng, 10):
            factor = Number(self.rng.randint(1, 4))
            return Binary("/", Binary("*", factor, self.make(Type.INT, size - 2)), factor)
        if want is Type.NAT and chance(self.rng, 30):
            return Call("max", (Number(0), self.make(Type.INT, size - 2)))
        if chance(self.rng, 15):
            return Binary("%", self.make(Type.INT, size - 2), Number(self.rng.randint(1, 99)))
        return self.make(want, size)

    def boolean(self, size: int) -> Expr:
        order = ("<", "<=", ">", ">=", "=", "!=")
        match pick(self.rng, BOOL_KINDS):
            case "leaf":
                return self.leaf(Type.BOOL)
            case "compare":
                left, right = self.pair(self.rng.choice(NUMBER_TYPES), size)
                return compare(left, self.rng.choice(order), right)
            case "chain":
                left, right = self.pair(self.rng.choice(NUMBER_TYPES), size)
                ops = (self.rng.choice(order), self.rng.choice(order))
                return Compare((left, right, self.leaf(Type.RAT)), ops)
            case ("&" | "|" | "->") as op:
                return Binary(op, *self.pair(Type.BOOL, size))
            case "!":
                return Unary("!", self.make(Type.BOOL, size - 1))
            case "equal":
                operands = (*self.pair(Type.BOOL, size), self.leaf(Type.BOOL))[: 3 if chance(self.rng, 30) else 2]
                return Compare(operands, tuple(self.rng.choice(("=", "!=")) for _ in operands[1:]))
            case "ispow":
                return Call("ispow", (self.make(Type.INT, size - 2), self.leaf(Type.INT)))
            case "guard":
                return self.guard(size)
            case "call":
                return self.call(Type.BOOL, size)
            case _:
                return self.likely(size)

    def guard(self, size: int) -> Expr:
        """A division that is evaluated only where its divisor is not zero (or, seldom, the other way round)."""
        op = self.rng.choice(("/", "//", "%"))
        want = Type.RAT if op == "/" else Type.INT
        divisor = self.leaf(want)
        quotient = Binary(op, self.make(want, size - 4), divisor)
        use = compare(quotient, self.rng.choice((">", "=", "<=")), self.leaf(Type.INT))
        not_zero = compare(divisor, "!=", Number(0))
        guarded = (Binary("&", not_zero, use), Binary("|", Unary("!", not_zero), use), Binary("->", not_zero, use))
        if chance(self.rng, 8):
            return Binary("&", use, not_zero)
        return self.rng.choice((*guarded, Compare((Number(0), divisor, quotient), ("<", "<="))))

    def likely(self, size: int) -> Expr:
        """A condition that is true wherever it can be evaluated."""
        part = max(1, size - 3)
        factor = Number(self.rng.randint(1, 9))
        match pick(self.rng, LIKELY_KINDS):
            case "reflexive":
                value = self.make(Type.RAT, part)
                return compare(value, self.rng.choice(("=", "<=")), value)
            case "abs":
                return compare(Call("abs", (self.make(Type.RAT, part),)), ">=", Number(0))
            case "square":
                return compare(Binary("^", self.make(Type.RAT, min(part, 3)), Number(2)), ">=", Number(0))
            case "max":
                left, right = self.pair(Type.RAT, part)
                return compare(left, "<=", Call("max", (right, left)))
            case "tautology":
                value = self.make(Type.BOOL, part)
                return self.rng.choice((Binary("->", value, value), Binary("|", value, Unary("!", value))))
            case "remainder":
                return Compare((Number(0), Binary("%", self.make(Type.INT, part), factor), factor), ("<=", "<"))
            case "division":
                value = self.leaf(Type.INT)
                product = Binary("*", factor, Binary("//", value, factor))
                return compare(Binary("+", product, Binary("%", value, factor)), "=", value)
            case "gcd":
                return compare(Call("gcd", self.pair(Type.INT, part)), ">=", Number(0))
            case _:
                return Call("ispow", (Number(1), self.make(Type.INT, part)))

    def condition(self, size: int, percent_likely: int) -> Expr:
        if chance(self.rng, 100 - percent_likely):
            return self.make(Type.BOOL, size)
        return self.likely(size)
