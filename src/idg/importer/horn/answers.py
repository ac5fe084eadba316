"""Invariants in the words of the problem, and what a solver must find true of them in the problem's own text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from idg.importer.horn.sexprs import SAtom, SExpr
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Unary
from idg.sip.trees.build import whole_literal
from idg.sip.trees.traverse import links, names

EXPONENT_MAX = 12
"""The largest exponent that is written as a product."""
OPERATORS = {"&": "and", "|": "or", "->": "=>", "+": "+", "-": "-", "*": "*"}


class CannotSay(Exception):
    """SMT-LIB's whole numbers have no such operation."""


class AnswerForm(Record):
    """The form of an answer, and what has to be checked of it."""

    form: str
    """'sygus' or 'horn'."""
    name: str
    """The predicate that is asked for, as the text writes it."""
    params: tuple[tuple[str, str], ...]
    """Its parameters with their sorts, as an answer writes them."""
    state: tuple[str, ...]
    """The variables of the SIP program that stand for the parameters."""
    definitions: tuple[str, ...]
    """The functions that the text defines."""
    obligations: tuple[tuple[tuple[tuple[str, str], ...], str], ...]
    """What must hold: variables with their sorts, and a condition, in the problem's own words."""

    def written(self, facts: Iterable[Expr]) -> str:
        """The definition of the predicate as all the facts together. Facts that it cannot say are left out: those about other
        variables of the program, and those with operations that SMT-LIB lacks. `scripts` say whether the rest suffices."""
        words = dict(zip(self.state, (word for word, _ in self.params), strict=True))
        told = [text for fact in facts if (text := _said(fact, words)) is not None]
        body = "true" if not told else told[0] if len(told) == 1 else f"(and {' '.join(told)})"
        params = " ".join(f"({word} {sort})" for word, sort in self.params)
        return f"(define-fun {self.name} ({params}) Bool {body})"

    def scripts(self, written: str) -> list[str]:
        """Scripts that are all unsatisfiable exactly if the definition solves the problem."""
        return [
            "\n".join(
                [
                    "(set-logic ALL)",
                    *self.definitions,
                    written,
                    *(f"(declare-fun {word} () {sort})" for word, sort in variables),
                    f"(assert (not {condition}))",
                    "(check-sat)",
                    "",
                ]
            )
            for variables, condition in self.obligations
        ]


def printed(expr: SExpr) -> str:
    if isinstance(expr, SAtom):
        return quoted(expr.text) if expr.quoted else expr.text
    return f"({' '.join(map(printed, expr.items))})"


def quoted(word: str) -> str:
    """A symbol, between bars where it needs them."""
    plain = (
        word
        and not word[0].isdigit()
        and all(letter.isascii() and (letter.isalnum() or letter in "~!@$%^&*_-+=<>.?/") for letter in word)
    )
    return word if plain else f"|{word}|"


def _said(fact: Expr, words: dict[str, str]) -> str | None:
    """The fact in SMT-LIB, where it can be said."""
    if not names(fact) <= words.keys():
        return None
    try:
        return _term(fact, words)
    except CannotSay:
        return None


def _term(expr: Expr, words: dict[str, str]) -> str:
    match expr:
        case Boolean(value):
            return "true" if value else "false"
        case Number(value) if isinstance(value, int):
            return str(value)
        case Name(name):
            return words[name]
        case Unary("!", operand):
            return f"(not {_term(operand, words)})"
        case Unary("-", operand):
            return f"(- {_term(operand, words)})"
        case Compare():
            return _all(_compared(link, words) for link in links(expr))
        case Binary("^", base, exponent):
            power = whole_literal(exponent)
            if power is None or not 0 <= power <= EXPONENT_MAX:
                raise CannotSay
            factors = [_term(base, words)] * power
            return "1" if not factors else factors[0] if power == 1 else f"(* {' '.join(factors)})"
        case Binary("//" | "%" as op, left, right):
            divisor = whole_literal(right)
            if divisor is None or divisor <= 0:
                raise CannotSay
            return f"({'div' if op == '//' else 'mod'} {_term(left, words)} {divisor})"
        case Binary(op, left, right) if op in OPERATORS:
            return f"({OPERATORS[op]} {_term(left, words)} {_term(right, words)})"
        case Call("abs", (argument,)):
            return f"(abs {_term(argument, words)})"
        case Call("min" | "max" as word, arguments):
            sign = "<=" if word == "min" else ">="
            return reduce(
                lambda one, other: f"(ite ({sign} {one} {other}) {one} {other})", (_term(argument, words) for argument in arguments)
            )
    raise CannotSay


def _compared(link: Compare, words: dict[str, str]) -> str:
    left, right = (_term(operand, words) for operand in link.operands)
    return f"(not (= {left} {right}))" if link.ops[0] == "!=" else f"({link.ops[0]} {left} {right})"


def _all(parts: Iterable[str]) -> str:
    told = list(parts)
    return told[0] if len(told) == 1 else f"(and {' '.join(told)})"
