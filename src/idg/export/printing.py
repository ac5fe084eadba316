"""What the printers of all infix languages share: terms with few brackets, and indented lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from idg.audit.terms import BOOL, REAL, LogicTerm
from idg.export.lowered import LoweredFunction

INDENT = "  "
COMMENT_CHARS_MAX = 100
"""Characters of the program's text that a comment repeats."""


def indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines]


def commented(text: str) -> str:
    """The text as the inside of a comment of any target: one line, none of the signs that end one."""
    text = " ".join(text.split()).replace("*)", "* )").replace("*/", "* /").replace("(*", "( *").replace("/*", "/ *")
    return text if len(text) <= COMMENT_CHARS_MAX else text[: COMMENT_CHARS_MAX - 1] + "…"


def all_names(functions: Sequence[LoweredFunction]) -> list[str]:
    """Every name that the program gives something: functions first, so that these keep their names where they can."""
    names = [function.name for function in functions]
    for function in functions:
        names += [variable.name for variable in (*function.params, *function.locals)]
    return [*names, "result"]


class InfixTerms:
    """Writes terms. A subclass has the signs of its language, and says how it writes what differs in more than a sign."""

    infix: Mapping[str, str] = {}
    """An operation of terms → the sign between its operands."""
    functions: Mapping[str, str] = {}
    """A function of terms → its name."""
    constants: Mapping[str, str] = {"true": "true", "false": "false"}

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def __call__(self, term: LogicTerm) -> str:
        match term.op:
            case "symbol":
                return self.names[term.name]
            case "number":
                return self.number(term.value, term.sort)
            case "true" | "false":
                return self.constants[term.op]
            case "not" if term.args[0].op == "=" and term.args[0].args[0].sort != BOOL:
                return self.between(self.different, term.args[0].args)
            case "not":
                return self.negated(term.args[0])
            case "=" if term.args[0].sort == BOOL:
                return self.between(self.equivalent, term.args)
            case "ite":
                return self.choice(*(self(arg) for arg in term.args))
            case "to_real":
                return self.to_real(self.inner(term.args[0]))
            case "is_int":
                return self.is_int(self.inner(term.args[0]))
            case "to_int":
                return self.to_int(self.inner(term.args[0]))
            case "call":
                return self.applied(self.functions[term.name], [self.inner(arg) for arg in term.args])
            case "div" | "mod" if term.op in self.functions:
                return self.applied(self.functions[term.op], [self.inner(arg) for arg in term.args])
        return self.between(self.infix[term.op], term.args, term.op)

    different = "!="
    equivalent = "<==>"

    def between(self, sign: str, args: Iterable[LogicTerm], op: str = "") -> str:
        """The operands with the sign between them. Sums, products, conjunctions and disjunctions need no brackets on their left."""
        first, *others = args
        left = self(first) if op in ("+", "*", "and", "or") and first.op == op else self.inner(first)
        return f" {sign} ".join([left, *map(self.inner, others)])

    atoms = frozenset({"symbol", "true", "false", "number", "ite", "to_real", "is_int", "to_int", "call"})
    """Operations that are written so that they need no brackets as operands."""

    def inner(self, term: LogicTerm) -> str:
        """The term as an operand."""
        return self(term) if term.op in self.atoms else f"({self(term)})"

    def number(self, value: int | Fraction, sort: str) -> str:
        over, under = abs(value.numerator), value.denominator
        digits = str(over) if sort != REAL else f"{over}.0" if under == 1 else f"({over}.0 / {under}.0)"
        return f"(-{digits})" if value < 0 else digits

    def negated(self, term: LogicTerm) -> str:
        return f"!{self.inner(term)}"

    def applied(self, function: str, arguments: Sequence[str]) -> str:
        return f"{function}({', '.join(arguments)})"

    def to_real(self, text: str) -> str:
        """The integer as a real number."""
        raise NotImplementedError

    def is_int(self, text: str) -> str:
        """Whether the real number is whole."""
        raise NotImplementedError

    def to_int(self, text: str) -> str:
        """The real number, which is whole, as an integer."""
        raise NotImplementedError

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"(if {condition} then {yes} else {no})"
