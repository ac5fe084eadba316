"""Random queries with every operation, also those without a value everywhere: variable exponents, divisors that may be zero."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random

from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type, Unary
from idg.vc.query import Hypothesis, Query

_KINDS = (Type.INT,) * 4 + (Type.NAT,) * 3 + (Type.RAT,) * 2 + (Type.BOOL,)
_WHOLE = ("+", "-", "*", "+", "-", "*", "negative", "square", "abs", "min", "max", "//", "%", "// literal", "% literal", "gcd", "^")
_COMPARISONS = ("=", "=", "!=", "<", "<=", ">", ">=")


def random_query(pick: Random) -> Query:
    variables = {name: pick.choice(_KINDS) for name in "abc"[: pick.choice((1, 2, 2, 3))]}
    maker = _Maker(pick, variables)
    hypotheses = tuple(Hypothesis(maker.condition(1)) for _ in range(pick.choice((0, 1, 1, 2, 3))))
    goal = maker.condition(1)
    if pick.random() < 0.3:
        goal = Binary("|", goal, maker.condition(1))
    return Query(variables, hypotheses, goal)


class _Maker:
    def __init__(self, pick: Random, variables: Mapping[str, Type]) -> None:
        self.pick = pick
        self.variables = variables

    def named(self, *kinds: Type) -> list[str]:
        return [name for name, kind in self.variables.items() if kind in kinds]

    def condition(self, levels: int) -> Expr:
        pick = self.pick
        if not levels or pick.random() < 0.6:
            return self.simple()
        op = pick.choice(("&", "|", "->", "!", "="))
        if op == "!":
            return Unary("!", self.condition(levels - 1))
        sides = (self.condition(levels - 1), self.condition(levels - 1))
        return Compare(sides, (pick.choice(("=", "!=")),)) if op == "=" else Binary(op, *sides)

    def simple(self) -> Expr:
        pick = self.pick
        names = self.named(Type.BOOL)
        if names and pick.random() < 0.2:
            return Name(pick.choice(names))
        if pick.random() < 0.05:
            return Call("ispow", (self.number(1, True), pick.choice((Number(2), self.number(1, True)))))
        links = 1 if pick.random() < 0.9 else 2
        operands = tuple(self.number(2, pick.random() < 0.7) for _ in range(links + 1))
        return Compare(operands, tuple(pick.choice(_COMPARISONS) for _ in range(links)))

    def leaf(self, whole: bool) -> Expr:
        pick = self.pick
        names = self.named(Type.NAT, Type.INT) if whole else self.named(Type.NAT, Type.INT, Type.RAT)
        if names and pick.random() < 0.7:
            return Name(pick.choice(names))
        return Number(pick.choice((0, 1, 2, 3, 4, 7)))

    def number(self, levels: int, whole: bool) -> Expr:
        pick = self.pick
        if not levels or pick.random() < 0.3:
            return self.leaf(whole)
        op = pick.choice(_WHOLE if whole else (*_WHOLE, "/", "/ literal", "fraction"))
        below = levels - 1
        match op:
            case "negative":
                return Unary("-", self.number(below, whole))
            case "square":
                return Binary("^", self.number(below, whole), Number(pick.choice((2, 2, 3))))
            case "^":
                return Binary("^", pick.choice((Number(2), self.number(below, whole))), self.number(1, True))
            case "abs":
                return Call("abs", (self.number(below, whole),))
            case "min" | "max":
                return Call(op, (self.number(below, whole), self.number(below, whole)))
            case "gcd":
                return Call("gcd", (self.number(below, True), self.number(below, True)))
            case "// literal" | "% literal":
                divisor: Expr = Number(pick.choice((2, 2, 3, 4, 5)))
                divisor = divisor if pick.random() < 0.8 else Unary("-", divisor)
                return Binary(op.split()[0], self.number(below, True), divisor)
            case "//" | "%":
                return Binary(op, self.number(below, True), self.number(below, True))
            case "/ literal":
                return Binary("/", self.number(below, whole), Number(pick.choice((2, 3))))
            case "fraction":
                return Number(Fraction(pick.choice((1, 3, 5)), 2))
            case _:
                return Binary(op, self.number(below, whole), self.number(below, whole))
