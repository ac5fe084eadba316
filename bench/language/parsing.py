"""Measures the parsing of expressions against Lark's LALR parser with an equal grammar."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import Lark, Transformer

from bench.timing import Figure, best
from idg.levels import all_levels
from idg.sip.operators import CANONICAL
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Old, Unary
from idg.sip.text.expressions import parse_expression

GRAMMAR = r"""
    ?start: implication
    ?implication: disjunction | disjunction _IMPLIES implication -> implies
    ?disjunction: conjunction | disjunction _OR conjunction -> disjoin
    ?conjunction: negation | conjunction _AND negation -> conjoin
    ?negation: comparison | _NOT negation -> invert
    ?comparison: sum | sum (COMPARE sum)+ -> chain
    ?sum: product | sum SUM product -> binary
    ?product: unary | product PRODUCT unary -> binary
    ?unary: power | "-" unary -> negate
    ?power: atom | atom _POWER unary -> raised
    ?atom: NUMBER -> number
        | "true" -> yes
        | "false" -> no
        | NAME -> name
        | "old" "(" NAME ")" -> old
        | NAME "(" [implication ("," implication)*] ")" -> call
        | "(" implication ")"
    _IMPLIES.2: "->" | "=>" | "→"
    _OR: "||" | "|" | "or" | "∨"
    _AND: "&&" | "&" | "and" | "∧"
    _NOT: "!" | "not" | "¬"
    _POWER.2: "**" | "^"
    COMPARE: "==" | "!=" | "<=" | ">=" | "=" | "<" | ">" | "≠" | "≤" | "≥"
    SUM: "+" | "-"
    PRODUCT: "//" | "*" | "/" | "%"
    NAME: /(?!(?:or|and|not|true|false|old)\b)[A-Za-z_][A-Za-z0-9_]*/
    NUMBER: /[0-9]+(\.[0-9]+)?/
    %ignore /\s+/
"""


class ToSyntax(Transformer[Any, Expr]):
    """Makes the same trees as our parser, without the spans that ours has in addition."""

    def number(self, children: list[Any]) -> Expr:
        return Number(Fraction(children[0]) if "." in children[0] else int(children[0]))

    def yes(self, children: list[Any]) -> Expr:
        return Boolean(True)

    def no(self, children: list[Any]) -> Expr:
        return Boolean(False)

    def name(self, children: list[Any]) -> Expr:
        return Name(str(children[0]))

    def old(self, children: list[Any]) -> Expr:
        return Old(str(children[0]))

    def call(self, children: list[Any]) -> Expr:
        return Call(str(children[0]), tuple(child for child in children[1:] if child is not None))

    def implies(self, children: list[Any]) -> Expr:
        return Binary("->", *children)

    def disjoin(self, children: list[Any]) -> Expr:
        return Binary("|", *children)

    def conjoin(self, children: list[Any]) -> Expr:
        return Binary("&", *children)

    def invert(self, children: list[Any]) -> Expr:
        return Unary("!", children[0])

    def negate(self, children: list[Any]) -> Expr:
        return Unary("-", children[0])

    def raised(self, children: list[Any]) -> Expr:
        return Binary("^", *children)

    def binary(self, children: list[Any]) -> Expr:
        return Binary(str(children[1]), children[0], children[2])

    def chain(self, children: list[Any]) -> Expr:
        ops = tuple(CANONICAL.get(str(op), str(op)) for op in children[1::2])
        return Compare(tuple(children[::2]), ops)


def figures() -> list[Figure]:
    texts = [fact.expr for level in all_levels() for fact in level.solution] + [level.guarantee for level in all_levels()]
    texts += ["0 <= i < n and not (x == 2 ** k || -x^2 * y // 3 % 5 != 0.5) -> old(n) >= max(a, b, c)", "((((x))))", "p => q => r"]
    lark = Lark(GRAMMAR, parser="lalr", transformer=ToSyntax())

    def theirs() -> list[Expr]:
        return [lark.parse(text) for text in texts]  # type: ignore[misc]

    def ours() -> list[Expr]:
        return [parse_expression(text) for text in texts]

    assert theirs() == ours()
    times = best({"ours": ours, "lark": theirs}, rounds=10)
    return [
        Figure(
            f"parsing {len(texts)} expressions into the same trees",
            "Lark's LALR parser",
            times["ours"],
            times["lark"],
            "quicker",
            times["ours"] < times["lark"],
        )
    ]
