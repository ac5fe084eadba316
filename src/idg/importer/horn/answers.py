"""Invariants in the words of the problem, and what a solver must find true of them in the problem's own text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce

from idg.importer.horn.sexprs import SAtom, SExpr
from idg.importer.horn.systems import TransitionSystem, WrittenSystem, zero
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Unary
from idg.sip.trees.build import number, substitute, whole_literal
from idg.sip.trees.logic import simplified
from idg.sip.trees.traverse import links, names

EXPONENT_MAX = 12
"""The largest exponent that is written as a product."""
OPERATORS = {"&": "and", "|": "or", "->": "=>", "+": "+", "-": "-", "*": "*"}


class CannotSay(Exception):
    """SMT-LIB's whole numbers have no such operation."""


class AskedPredicate(Record):
    """A predicate that a problem asks for."""

    name: str
    """As the text writes it."""
    params: tuple[tuple[str, str], ...]
    """Its parameters with their sorts, as an answer writes them."""
    loop: int | None
    """The loop of the SIP program at whose head it holds."""
    means: Mapping[str, Expr]
    """What variables of the program are there: the parameters, or values."""
    otherwise: str
    """What defines it where it has no loop: the least that is needed, or that it never holds."""

    def defined(self, facts: Iterable[Expr]) -> str:
        """The definition as all the facts together. Facts that it cannot say are left out: those about other variables of the
        program, and those with operations that SMT-LIB lacks."""
        body = self.otherwise
        if self.loop is not None:
            parts = (simplified(substitute(fact, self.means)) for fact in facts)
            # A fact without variables is proved, too, and so it is true.
            told = [
                text for fact in parts if (names(fact) or fact == Boolean(False)) and (text := _said(fact, self.params)) is not None
            ]
            body = "true" if not told else told[0] if len(told) == 1 else f"(and {' '.join(told)})"
        params = " ".join(f"({word} {sort})" for word, sort in self.params)
        return f"(define-fun {self.name} ({params}) Bool {body})"


class LogicObligation(Record):
    """What must hold, in the problem's own words."""

    variables: tuple[tuple[str, str], ...]
    """With their sorts."""
    condition: str
    head: str
    """The predicate that it says to hold; '' for none."""


class AnswerForm(Record):
    """The form of an answer, and what has to be checked of it."""

    form: str
    """'sygus' or 'horn'."""
    predicates: tuple[AskedPredicate, ...]
    """In an order in which each definition uses only those before it."""
    definitions: tuple[str, ...]
    """The functions that the text defines."""
    obligations: tuple[LogicObligation, ...]

    def written(self, facts: Sequence[Sequence[Expr]], never: Collection[str] = ()) -> str:
        """One definition for each predicate, each in a line, from the facts of each loop. `scripts` say whether they suffice.
        `never`: predicates with loops that hold nowhere."""
        loops = dict(enumerate(facts, 1))
        parts = (
            [Boolean(False)] if predicate.name in never else loops.get(predicate.loop or 0, ()) for predicate in self.predicates
        )
        return "\n".join(predicate.defined(told) for predicate, told in zip(self.predicates, parts, strict=True))

    def scripts(self, written: str) -> list[str]:
        """Scripts that are all unsatisfiable exactly if the definitions solve the problem: one for each obligation."""
        return [
            "\n".join(
                [
                    "(set-logic ALL)",
                    *self.definitions,
                    written,
                    *(f"(declare-fun {word} () {sort})" for word, sort in obligation.variables),
                    f"(assert (not {obligation.condition}))",
                    "(check-sat)",
                    "",
                ]
            )
            for obligation in self.obligations
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


def asked_in(
    system: TransitionSystem, written: WrittenSystem, number_of: int, name: str, params: tuple[tuple[str, str], ...], least: str
) -> AskedPredicate:
    """A predicate of a system. `least`: what has to hold of it where it has no loop."""
    own = system.predicates[number_of].variables
    means: dict[str, Expr] = {
        variable.name: zero(variable.type) for predicate in system.predicates for variable in predicate.variables
    }
    means |= {variable.name: Name(word) for variable, (word, _) in zip(own, params, strict=True)}
    if written.place is not None:
        means[written.place] = number(number_of + 1)
    otherwise = least if number_of in written.reached else "false"
    return AskedPredicate(name, params, written.loops.get(number_of), means, otherwise)


def _said(fact: Expr, params: Iterable[tuple[str, str]]) -> str | None:
    """The fact in SMT-LIB, where it can be said."""
    words = {word: word for word, _ in params}
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
