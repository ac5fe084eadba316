"""What the printers of all infix languages share: terms with few brackets, and indented lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from idg.audit.terms import BOOL, CELLS, QUANTIFIERS, REAL, LogicTerm, parts
from idg.export.lowering.lowered import LoweredProgram, terms_of

INDENT = "  "
COMMENT_CHARS_MAX = 100
"""Characters of the program's text that a comment repeats."""


def indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines]


def commented(text: str) -> str:
    """The text as the inside of a comment of any target: one line, none of the signs that end one."""
    text = " ".join(text.split()).replace("*)", "* )").replace("*/", "* /").replace("(*", "( *").replace("/*", "/ *")
    return text if len(text) <= COMMENT_CHARS_MAX else text[: COMMENT_CHARS_MAX - 1] + "…"


def all_names(program: LoweredProgram) -> list[str]:
    """Every name that the program gives something: functions first, so that these keep their names where they can."""
    names = [*(function.name for function in program.functions), *(aggregate.name for aggregate in program.aggregates)]
    for function in program.functions:
        names += [variable.name for variable in (*function.params, *function.locals)]
    for aggregate in program.aggregates:
        names += [aggregate.low, aggregate.high, *(param.name for param in aggregate.params)]
    names += [part.name for term in terms_of(program) for part in parts(term) if part.op in QUANTIFIERS]
    return [*names, "result"]


ARRAY_OPERATIONS = frozenset({"select", "store", "len", "forall", "exists", "permutation"})


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
            case "symbol" | "bound":
                return self.names[term.name]
            case _ if term.op in ARRAY_OPERATIONS:
                return self.of_arrays(term)
            case "not" if term.args[0].op == "=" and term.args[0].args[0].sort in CELLS:
                return self.negated(term.args[0])
            case "=" if term.args[0].sort in CELLS:
                return self.same_arrays(*term.args)
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
                given = [text for arg in term.args for text in self.argument(arg)]
                return self.applied(self.functions.get(term.name) or self.names[term.name], given)
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

    atoms = (
        frozenset({"symbol", "true", "false", "number", "ite", "to_real", "is_int", "to_int", "call", "bound"}) | ARRAY_OPERATIONS
    )
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

    def argument(self, term: LogicTerm) -> list[str]:
        """The term as an argument of a function, or as several."""
        return [self.inner(term)]

    # Arrays. Each operation is written so that it needs no brackets as an operand.

    def of_arrays(self, term: LogicTerm) -> str:
        match term.op:
            case "select":
                return self.cell(*term.args)
            case "store":
                return self.changed(*term.args)
            case "len":
                return self.length(term.args[0])
            case "permutation":
                return self.permuted(*term.args)
        ranges, body = [(term.name, term.args[0], term.args[1])], term.args[2]
        while body.op == term.op and body.op in QUANTIFIERS:
            ranges.append((body.name, body.args[0], body.args[1]))
            body = body.args[2]
        return self.quantified(term.op, ranges, body)

    def cell(self, array: LogicTerm, index: LogicTerm) -> str:
        return f"{self.inner(array)}[{self(index)}]"

    def changed(self, array: LogicTerm, index: LogicTerm, value: LogicTerm) -> str:
        """The array with one cell changed."""
        return f"{self.inner(array)}[{self(index)} := {self(value)}]"

    def length(self, array: LogicTerm) -> str:
        raise NotImplementedError

    def permuted(self, left: LogicTerm, right: LogicTerm) -> str:
        """Whether the arrays have the same values, each as often."""
        raise NotImplementedError

    def same_arrays(self, left: LogicTerm, right: LogicTerm) -> str:
        """Whether the arrays have the same length and the same cells."""
        return self.between(self.equal, (left, right))

    equal = "=="

    def quantified(self, op: str, ranges: Sequence[tuple[str, LogicTerm, LogicTerm]], body: LogicTerm) -> str:
        """A statement about all numbers of the ranges, or about some of them. A range may depend on the variables of those before
        it."""
        names = [self.names[name] for name, _, _ in ranges]
        guards = [text for name, low, high in ranges for text in self.guards(self.names[name], low, high)]
        return self.with_bound(op, names, guards, self.inner(body))

    def guards(self, name: str, low: LogicTerm, high: LogicTerm) -> list[str]:
        """The condition that the number is in the range."""
        return [f"{self.inner(low)} <= {name}", f"{name} <= {self.inner(high)}"]

    def with_bound(self, op: str, names: Sequence[str], guards: Sequence[str], body: str) -> str:
        link = self.infix["=>"] if op == "forall" else self.infix["and"]
        binders = ", ".join(f"{name}: int" for name in names)
        both = f" {self.infix['and']} ".join(guards)
        return f"({op} {binders} :: {both} {link} {body})"
