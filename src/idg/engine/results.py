"""What the engine answers, as data. The sentences are made from it in one place, messages.py."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Literal

from idg.engine.books import Books
from idg.engine.wire.codec import Layout
from idg.sip.record import Record
from idg.sip.syntax import Span
from idg.sip.values import Value


class Kind(enum.Enum):
    """What a proposal is. Where several would fit, the first one is the answer."""

    TAUTOLOGY = "type-tautology"
    """Follows from the variables' types alone."""
    DISPLACED = "displaced"
    """Follows from the known inductive invariants and the code before the loop."""
    DISPLACED_POTENTIAL = "displaced-potential"
    """Equivalent, given the inductive invariants, to a conjunction of potential ones."""
    NON_INVARIANT = "non-invariant"
    """Some run reaches the loop with it false."""
    INDUCTIVE = "inductive"
    """Holds on entry and is kept by the body, given the known ones."""
    POTENTIAL = "potential"
    """Neither refuted by a run nor inductive yet."""
    UNKNOWN = "unknown"
    """None of these could be established."""

    def __str__(self) -> str:
        return self.value


class Fact(Record):
    """An expression for one loop, in canonical text."""

    loop: int
    text: str

    layout = Layout(names={"text": "expression"})


def inductive_facts(books: Books) -> tuple[Fact, ...]:
    """The inductive invariants of all loops."""
    return tuple(Fact(number, text) for number, loop in enumerate(books.loops, 1) for text in loop.inductive)


def potential_facts(books: Books) -> tuple[Fact, ...]:
    """The potential invariants of all loops."""
    return tuple(Fact(number, text) for number, loop in enumerate(books.loops, 1) for text in loop.potential)


class Refutation(Record):
    """A run that reaches the loop with the expression false."""

    inputs: Mapping[str, Value]
    seed: int
    """Of the choices of the run."""
    row: int
    """Index of the row in the loop's trace."""
    rows: tuple[tuple[Value, ...], ...]
    """The trace up to that row."""
    columns: tuple[str, ...]


class Transition(Record):
    """A state at the loop head that satisfies all that is known, and the state after one turn, in which the expression fails."""

    loop: int
    before: Mapping[str, Value]
    after: Mapping[str, Value]
    at_entry: bool
    """Not a turn: the loop is reached for the first time in `after`, as far as is known."""


class Removal(Record):
    """An invariant that became redundant, and what implies it."""

    fact: Fact
    by: tuple[Fact, ...]


class ToRuleOut(Record):
    """A state at a loop head that satisfies all accepted invariants and from which an obligation fails."""

    loop: int
    state: Mapping[str, Value]
    cause: str
    """Of the obligation, as in the outcomes of runs."""
    span: Span
    inside: bool
    """The test is true in the state, and the obligation is in the loop's body."""


ProofStatus = Literal["proved", "refuted", "unknown"]


class ObligationStatus(Record):
    cause: str
    span: Span
    status: ProofStatus
    uses: tuple[Fact, ...] = ()
    """For a proved one: the invariants its proof uses."""
    function: str = ""


class FailingRun(Record):
    """A run that fails an obligation: the program is wrong, and no invariant can prove it."""

    inputs: Mapping[str, Value]
    cause: str
    span: Span
    seed: int = 0
    """Of the choices of the run."""


class Feedback(Record):
    solved: bool
    obligations: tuple[ObligationStatus, ...]
    to_rule_out: ToRuleOut | None = None
    potential_suffices: bool = False
    """Everything would be proved if the potential invariants were."""
    failing: FailingRun | None = None
    """Where a run is known that breaks an obligation."""
    too_large: str = ""
    """Why nothing can be said: the program is beyond what is analysed."""


class Verdict(Record):
    """The answer to one proposal."""

    fact: Fact
    kind: Kind
    books: Books
    """The books after it."""
    feedback: Feedback
    promoted: tuple[Fact, ...] = ()
    """What became inductive with it, itself included where it did."""
    removed: tuple[Removal, ...] = ()
    implied_by: tuple[Fact, ...] = ()
    """For displaced kinds."""
    refutation: Refutation | None = None
    transition: Transition | None = None
    """For a potential invariant: why it is not inductive yet."""
    tried: tuple[str, ...] = ()
    """For an unknown one."""


class BatchVerdict(Record):
    """The answer to many proposals at once, as if added together."""

    kinds: tuple[tuple[Fact, Kind], ...]
    promoted: tuple[Fact, ...]
    removed: tuple[Removal, ...]
    books: Books
    feedback: Feedback
