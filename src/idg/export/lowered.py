"""The program as all imperative targets get it: few kinds of statements, with terms in which every operation is total.

Terms are those of the second verifier (`idg.audit.terms`). A natural number is an integer there; asserts where it is assigned and
assumptions where it is chosen say that it is not negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from idg.audit.terms import LogicTerm, parts
from idg.sip.record import Record


class ExportRefused(Exception):
    """The program, or a construct of it, cannot be written in the target's language so that it means the same."""


class SortedVariable(Record):
    name: str
    sort: str
    """'Bool', 'Int' or 'Real', as in SMT-LIB."""


class SetTo(Record):
    target: str
    value: LogicTerm


class Forget(Record):
    """The variables get any values of their sorts."""

    targets: tuple[SortedVariable, ...]


class Suppose(Record):
    """Runs in which it is false do not count."""

    condition: LogicTerm


class Oblige(Record):
    """It must hold here."""

    condition: LogicTerm
    why: str
    """What of the program it is about, for a comment: 'divisor of x // y'."""


class Decide(Record):
    test: LogicTerm
    yes: tuple[LoweredStatement, ...]
    no: tuple[LoweredStatement, ...]


class Repeat(Record):
    test: LogicTerm
    invariants: tuple[LogicTerm, ...]
    """In their order: each may use those before it for its own meaning."""
    measure: tuple[LogicTerm, ...]
    """The components, the weightiest first; empty where it is not proved that the loop ends."""
    body: tuple[LoweredStatement, ...]


class CallOf(Record):
    """`target` gets the value of the helper."""

    target: str
    function: str
    arguments: tuple[LogicTerm, ...]


class LeaveLoop(Record):
    """The innermost loop ends here. Its invariants need not hold."""


class LeaveFunction(Record):
    """The function ends here; the variable `result` has its value."""


LoweredStatement = SetTo | Forget | Suppose | Oblige | Decide | Repeat | CallOf | LeaveLoop | LeaveFunction


class LoweredFunction(Record):
    name: str
    params: tuple[SortedVariable, ...]
    result: str | None
    """The sort of the result; the variable is called `result`."""
    requires: tuple[LogicTerm, ...]
    ensures: tuple[LogicTerm, ...]
    """What callers know. It speaks of the parameters as they were at entry, and of `result`."""
    locals: tuple[SortedVariable, ...]
    body: tuple[LoweredStatement, ...]
    ends: bool
    """Whether each loop has a proved measure and the function calls no other one."""


class LoweredProgram(Record):
    functions: tuple[LoweredFunction, ...]
    """Functions that are called come before those that call them, as far as they do not call each other. The level is the last."""
    groups: tuple[frozenset[str], ...]
    """The names of functions that call each other, in the order of the functions."""

    def is_recursive(self, group: frozenset[str]) -> bool:
        bodies = [function.body for function in self.functions if function.name in group]
        return any(isinstance(part, CallOf) and part.function in group for body in bodies for part in nested(body))


def nested(body: Iterable[LoweredStatement]) -> Iterator[LoweredStatement]:
    """All statements, those in branches and loops too."""
    for statement in body:
        yield statement
        if isinstance(statement, Decide):
            yield from nested(statement.yes)
            yield from nested(statement.no)
        elif isinstance(statement, Repeat):
            yield from nested(statement.body)


def written(body: Iterable[LoweredStatement]) -> list[str]:
    """The variables that get a value there, each once."""
    names: dict[str, None] = {}
    for statement in nested(body):
        if isinstance(statement, SetTo | CallOf):
            names[statement.target] = None
        elif isinstance(statement, Forget):
            names |= {target.name: None for target in statement.targets}
    return list(names)


def operations(program: LoweredProgram) -> set[str]:
    """The operations and functions that occur in the program's terms."""
    used: set[str] = set()
    for function in program.functions:
        terms = [*function.requires, *function.ensures]
        for statement in nested(function.body):
            match statement:
                case SetTo(_, term) | Suppose(term) | Oblige(term) | Decide(term):
                    terms.append(term)
                case Repeat(test, invariants, measure):
                    terms += [test, *invariants, *measure]
                case CallOf(_, _, arguments):
                    terms += arguments
        used |= {part.name if part.op == "call" else part.op for term in terms for part in parts(term)}
    return used
