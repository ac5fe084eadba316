"""What the engine answers, as data. The sentences for people are made from these records in one place, messages.py."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Literal

from idg.engine.books import Books
from idg.engine.telling.pictures import answer_html
from idg.engine.wire.codec import Layout
from idg.sip.record import Record
from idg.sip.running.runner import Chosen, RunStart
from idg.sip.syntax import Span
from idg.sip.values import Value
from idg.vc.query import Requirement


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


def unknown_facts(books: Books) -> tuple[Fact, ...]:
    """The facts of all loops about which nothing could be established."""
    return tuple(Fact(number, text) for number, loop in enumerate(books.loops, 1) for text in loop.unknown)


def waiting_facts(books: Books) -> tuple[Fact, ...]:
    """The facts that are not proved yet: of each loop the potential ones, then those about which nothing is known."""
    return tuple(Fact(number, text) for number, loop in enumerate(books.loops, 1) for text in (*loop.potential, *loop.unknown))


class Refutation(Record):
    """A run that reaches the loop with the expression false."""

    inputs: Mapping[str, Value]
    seed: int
    """The seed of the run's choices."""
    row: int
    """The index, in the loop's trace, of the row in which the expression is false."""
    rows: tuple[tuple[Value, ...], ...]
    """The trace up to that row."""
    columns: tuple[str, ...]
    choices: tuple[Chosen, ...] = ()
    """What the run chose until then: the initial values that nothing determines, and the values of each cassign."""
    function: str = ""
    """For a loop of a helper: the helper, which was run alone; `inputs` are its arguments then."""

    @property
    def start(self) -> RunStart:
        """What repeats the run."""
        return RunStart(self.inputs, self.seed, tuple(chosen.values for chosen in self.choices), self.function)


class StateAtHead(Record):
    """A state at the head of a loop."""

    loop: int
    state: Mapping[str, Value]


class Transition(Record):
    """A state at the loop head in which everything proved holds, and the state after a turn, in which the expression fails."""

    loop: int
    before: Mapping[str, Value]
    after: Mapping[str, Value]
    at_entry: bool
    """True where this is no turn: as far as is known, the loop can be reached for the first time in the state `after`."""
    broken: tuple[Fact, ...] = ()
    """The facts of this loop, not proved yet, that do not hold in the state `before`."""
    passed: tuple[StateAtHead, ...] = ()
    """Where other loops lie on the way: the states in which they are left. Nothing is known about these loops but their facts, so
    this is a possible turn only as far as those loops are known."""


class Removal(Record):
    """An invariant that became redundant, and what implies it."""

    fact: Fact
    by: tuple[Fact, ...]
    rests_on: tuple[Requirement, ...] = ()
    """What it rests on that is not proved yet."""


class RestingFact(Record):
    """An inductive invariant, and what it rests on that is not proved yet."""

    fact: Fact
    rests_on: tuple[Requirement, ...]


class ToRuleOut(Record):
    """A state at a loop head that satisfies all accepted invariants and from which an obligation fails."""

    loop: int
    state: Mapping[str, Value]
    cause: str
    """The cause of the obligation, by the same name as in outcomes of runs."""
    span: Span
    inside: bool
    """Whether the loop's test is true in the state and the obligation is in the loop's body."""
    proved_only: bool = False
    """Whether only the proved facts allow the state: facts that are not proved yet would rule it out."""


ProofStatus = Literal["proved", "refuted", "unknown"]


class ObligationStatus(Record):
    """Whether an obligation is proved."""

    cause: str
    span: Span
    status: ProofStatus
    uses: tuple[Fact, ...] = ()
    """For a proved one: the invariants that its proof uses."""
    function: str = ""
    """For an obligation of a helper: the helper's name."""
    rests_on: tuple[Requirement, ...] = ()
    """For a proved one: what its proof rests on that is not proved yet."""

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.cause, self.span)


class FailingRun(Record):
    """A run that fails an obligation: the program is wrong, and no invariant can prove it."""

    inputs: Mapping[str, Value]
    cause: str
    span: Span
    seed: int = 0
    """The seed of the run's choices."""
    choices: tuple[Chosen, ...] = ()
    """What the run chose."""
    function: str = ""
    """Where a helper was run alone: the helper; `inputs` are its arguments then."""

    @property
    def start(self) -> RunStart:
        """What repeats the run."""
        choices = tuple(chosen.values for chosen in self.choices)
        return RunStart(self.inputs, self.seed, choices, self.function, claims=True)


class SecondCheck(enum.Enum):
    """What the second verifier says of a proof."""

    NOT_ASKED = ""
    """There is no proof yet."""
    CONFIRMED = "confirmed"
    NOT_DECIDED = "not decided"
    """It reached its limits. The proof of the first verifier stands alone."""
    CONTRADICTED = "contradicted"
    """One of the two verifiers is wrong. Nothing is called solved then."""

    def __str__(self) -> str:
        return self.value


class Feedback(Record):
    """Where a game stands: solved, or a state that has to be ruled out, or why there is none."""

    _repr_html_ = answer_html

    solved: bool
    obligations: tuple[ObligationStatus, ...]
    to_rule_out: ToRuleOut | None = None
    potential_suffices: bool = False
    """Everything would be proved if the facts of `waits_for` were."""
    waits_for: tuple[Fact, ...] = ()
    """The facts, not proved yet, that the proof of everything would use."""
    no_other: bool = False
    """Whether another state was asked for and none was found: `to_rule_out` was shown before."""
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """For a program whose obligations are all proved: whether the second verifier confirms it."""
    nothing_to_prove: bool = False
    """Whether the program promises nothing, so that there is nothing to solve."""
    failing: FailingRun | None = None
    """A run that breaks an obligation, where one is known."""
    too_large: str = ""
    """Why nothing can be said: the program is beyond what is analysed."""
    resting: tuple[RestingFact, ...] = ()
    """The inductive invariants that rest on something that is not proved yet."""


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
    """For the displaced kinds: the facts that imply it."""
    refutation: Refutation | None = None
    transition: Transition | None = None
    """For a potential invariant: why it is not inductive yet."""
    waits_for: tuple[Fact, ...] = ()
    """For a potential invariant that every turn keeps if these facts hold, which are not proved yet."""
    tried: tuple[str, ...] = ()
    """For an unknown one: what could neither prove nor refute it."""
    because: str = ""
    """For an unknown one that depends on calls of a helper of which nothing is known: why that is so."""
    rests_on: tuple[Requirement, ...] = ()
    """What the verdict rests on that is not proved yet: it was assumed where something was proved."""


class WhyNot(Record):
    """Why a fact is not inductive yet."""

    transition: Transition | None = None
    waits_for: tuple[Fact, ...] = ()
    """Where no transition breaks it as long as these facts hold, which are not proved yet."""
    tried: tuple[str, ...] = ()
    """Where neither is known: what could neither prove nor refute it."""
    rests_on: tuple[Requirement, ...] = ()
    """Where it waits for facts: what it would still rest on that is not proved yet."""
    because: str = ""
    """Where neither is known because it depends on calls of a helper of which nothing is known: why that is so."""


PartStatus = Literal["proved", "waits", "open", "unknown"]
"""What is known of a part of the goal: what is proved suffices for it; it would follow from what is not proved yet; there is a
state that has to be ruled out; none of these was found."""


class GoalPart(Record):
    """A part of what is to be proved of a program: a conjunct of a post, an assert or a claim, or another requirement."""

    number: int
    """From 1: the level's posts and asserts, then what else it must ensure, then its helpers; each in the order of the text."""
    text: str
    """The condition. In a post, what is returned stands for `result` where that is one short expression."""
    cause: str
    span: Span
    function: str
    """For a part of a helper's contract or body: the helper's name."""
    loop: int
    """The loop whose head is passed last before the part must hold; 0 where none is."""
    status: PartStatus
    uses: tuple[Fact, ...] = ()
    """The inductive facts that its proof uses or, where it waits, would use."""
    waits_for: tuple[Fact, ...] = ()
    """Where it waits: the facts, not proved yet, that its proof would use."""
    rests_on: tuple[int, ...] = ()
    """Where it waits: the parts that its proof would take for granted, because the program checks them before, and that are not
    proved yet."""
    to_rule_out: ToRuleOut | None = None
    """Where it is open: a state from which this part fails."""
    failing: FailingRun | None = None
    """Where it is open because it is wrong: a run that breaks it. No invariant can prove it then."""


class WaitingFact(Record):
    """A fact that is not proved yet, and why."""

    fact: Fact
    why: WhyNot
    parts: tuple[int, ...] = ()
    """The parts of the goal whose proofs would use it, directly or through other facts that are not proved yet."""


class ProvedFact(Record):
    """An inductive fact, and what it is good for."""

    fact: Fact
    uses: tuple[Fact, ...] = ()
    """The other inductive facts that the proof of its own inductiveness uses."""
    parts: tuple[int, ...] = ()
    """The parts of the goal whose proofs use it directly, those included that still wait for other facts."""
    needed: bool = False
    """Whether the proof of a part that is proved uses it, directly or through other facts."""


class Board(Record):
    """What carries what: the parts of the goal, the facts that are not proved yet, and those that are."""

    _repr_html_ = answer_html

    parts: tuple[GoalPart, ...]
    waiting: tuple[WaitingFact, ...]
    proved: tuple[ProvedFact, ...]
    too_large: str = ""
    """Why nothing more is known: the program is beyond what is analysed."""


class BatchVerdict(Record):
    """The answer to many proposals at once, as if added together."""

    _repr_html_ = answer_html

    kinds: tuple[tuple[Fact, Kind], ...]
    promoted: tuple[Fact, ...]
    removed: tuple[Removal, ...]
    books: Books
    feedback: Feedback
