"""The program as all imperative targets get it: few kinds of statements, with terms in which every operation is total.

Terms are those of the second verifier (`idg.audit.terms`). A natural number is an integer there; asserts where it is assigned and
assumptions where it is chosen say that it is not negative. An array is a value with a length, and what sets a cell gives the
variable another array. Cells outside of an array are never relied on: that a cell exists is asserted before it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from idg.audit.terms import INT, LogicTerm, arithmetic, choice, number, parts, substitute, symbol
from idg.sip.record import Record, replace


class ExportRefused(Exception):
    """The program, or a construct of it, cannot be written in the target's language so that it means the same."""


class SortedVariable(Record):
    name: str
    sort: str
    """'Bool', 'Int' or 'Real', or an array of one of these, as in SMT-LIB."""


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


class Aggregate(Record):
    """A function that sums or counts over a range. It is 0 where low > high; otherwise what the body gives for `variable` = high is
    added to the value for the range up to high - 1."""

    name: str
    counts: bool
    """Whether it is the number of times that the body holds; otherwise it is the sum of the body's values."""
    sort: str
    low: str
    high: str
    params: tuple[SortedVariable, ...]
    """What else the body speaks of. The function's arguments are the range and these."""
    variable: str
    body: LogicTerm

    def last(self) -> LogicTerm:
        """What the last number of the range adds."""
        body = substitute(self.body, {self.variable: symbol(self.high, INT)}, {})
        return choice(body, number(1), number(0)) if self.counts else body

    def before(self) -> list[LogicTerm]:
        """The arguments for the range without its last number."""
        shorter = arithmetic("-", symbol(self.high, INT), number(1))
        return [symbol(self.low, INT), shorter, *(symbol(param.name, param.sort) for param in self.params)]


class LoweredProgram(Record):
    functions: tuple[LoweredFunction, ...]
    """Functions that are called come before those that call them, as far as they do not call each other. The level is the last."""
    groups: tuple[frozenset[str], ...]
    """The names of functions that call each other, in the order of the functions."""
    aggregates: tuple[Aggregate, ...] = ()
    """The sums and counts that terms call by their names."""

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


def terms_of(program: LoweredProgram) -> Iterator[LogicTerm]:
    """All terms of the program, those in its sums and counts too."""
    for aggregate in program.aggregates:
        yield aggregate.body
    for function in program.functions:
        yield from (*function.requires, *function.ensures)
        for statement in nested(function.body):
            match statement:
                case SetTo(_, term) | Suppose(term) | Oblige(term) | Decide(term):
                    yield term
                case Repeat(test, invariants, measure):
                    yield from (test, *invariants, *measure)
                case CallOf(_, _, arguments):
                    yield from arguments
                case _:
                    pass


def operations(program: LoweredProgram) -> set[str]:
    """The operations and functions that occur in the program's terms."""
    return {part.name if part.op == "call" else part.op for term in terms_of(program) for part in parts(term)}


def with_terms(program: LoweredProgram, changed: Callable[[LogicTerm], LogicTerm]) -> LoweredProgram:
    """The program with each term of its functions changed."""

    def all_changed(terms: tuple[LogicTerm, ...]) -> tuple[LogicTerm, ...]:
        return tuple(map(changed, terms))

    def block(body: tuple[LoweredStatement, ...]) -> tuple[LoweredStatement, ...]:
        return tuple(map(one, body))

    def one(statement: LoweredStatement) -> LoweredStatement:
        match statement:
            case SetTo(_, value):
                return replace(statement, value=changed(value))
            case Suppose(condition) | Oblige(condition):
                return replace(statement, condition=changed(condition))
            case Decide(test, yes, no):
                return Decide(changed(test), block(yes), block(no))
            case Repeat(test, invariants, measure, body):
                return Repeat(changed(test), all_changed(invariants), all_changed(measure), block(body))
            case CallOf(_, _, arguments):
                return replace(statement, arguments=all_changed(arguments))
        return statement

    functions = tuple(
        replace(function, requires=all_changed(function.requires), ensures=all_changed(function.ensures), body=block(function.body))
        for function in program.functions
    )
    return replace(program, functions=functions)
