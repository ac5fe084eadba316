"""What the engine answers about the end of programs, as data."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Literal

from idg.engine.books import Books
from idg.engine.results import Fact, SecondCheck, StateAtHead
from idg.sip.record import Record
from idg.sip.running.runner import Chosen, RunStart, Undefined
from idg.sip.syntax import Expr
from idg.sip.values import Scalar, Value
from idg.vc.query import Requirement

MeasureValues = tuple[Scalar | Undefined, ...]
"""The values of a measure's components in a state."""


class Measure(Record):
    """What is said to fall in every turn of a loop: components in canonical text, the weightiest first, with commas."""

    loop: int
    text: str


class MeasureKind(enum.Enum):
    """What a proposed measure is."""

    FALLS = "falls"
    """It falls in every turn, by a proof."""
    DOES_NOT_FALL = "does-not-fall"
    """A run makes a turn in which it does not fall."""
    MAY_NOT_FALL = "may-not-fall"
    """What is proved allows a turn in which it does not fall, but no such run is known."""
    UNKNOWN = "unknown"
    """None of these could be established."""

    def __str__(self) -> str:
        return self.value


class RunTurn(Record):
    """A turn that a run makes: two neighbouring rows of the loop's trace."""

    inputs: Mapping[str, Value]
    seed: int
    row: int
    """The index of the first of the two rows in the loop's trace."""
    columns: tuple[str, ...]
    before: tuple[Value, ...]
    after: tuple[Value, ...]
    choices: tuple[Chosen, ...] = ()
    """What the run chose until the second row."""
    function: str = ""
    """For a loop of a helper: the helper, which was run alone; `inputs` are its arguments then."""

    @property
    def start(self) -> RunStart:
        """What repeats the run."""
        return RunStart(self.inputs, self.seed, tuple(chosen.values for chosen in self.choices), self.function)


class Turn(Record):
    """A turn that what is proved allows: two states at the head of a loop."""

    loop: int
    before: Mapping[str, Value]
    after: Mapping[str, Value]
    passed: tuple[StateAtHead, ...] = ()
    """Where other loops lie on the way: the states in which they are left. Nothing is known about these loops but their facts."""


class MeasureVerdict(Record):
    """The answer to one proposed measure."""

    measure: Measure
    kind: MeasureKind
    books: Books
    """The books after it."""
    uses: tuple[Fact, ...] = ()
    """Where it falls: the facts that the proof uses."""
    rests_on: tuple[Requirement, ...] = ()
    """Where it falls: what the proof rests on that is not proved yet."""
    run: RunTurn | None = None
    """Where it does not fall: the turn of a run."""
    turn: Turn | None = None
    """Where it may not fall: a turn that has to be ruled out."""
    values: tuple[MeasureValues, MeasureValues] = ((), ())
    """The measure before and after that turn."""
    waits_for: tuple[Fact, ...] = ()
    """Where it would fall if these facts were proved: the facts."""
    known: bool = False
    """Whether it was proposed before, with the same answer, so that nothing changes."""
    tried: tuple[str, ...] = ()
    """Where it is unknown: what could neither prove nor refute it."""
    because: str = ""
    """Where it is unknown because nothing is known of a helper that is called: why that is so."""


class Contract(Record):
    """What a function demands of its arguments and promises of its result, besides what the program states."""

    function: str
    pre: Expr
    post: Expr


class NeverEnds(Record):
    """A run that never ends."""

    loop: int
    inputs: Mapping[str, Value]
    row: int
    """The index of the row, in the loop's trace, from which on the run stays in the loop."""
    state: Mapping[str, Value]
    """That row."""
    again: int = 0
    """The index of a later row that is the same; 0 where the run is seen otherwise to go on for ever."""
    stays: tuple[str, ...] = ()
    """Facts that hold in that row, the loop's test among them, and that every turn keeps. Of calls: facts about the arguments."""
    choices: tuple[Chosen, ...] = ()
    """The initial values that nothing determines, and where `repeats` is not 0, what was chosen until the later row."""
    repeats: int = 0
    """Where a run that chooses comes back to a row: how many of its choices, the last ones, it makes again and again."""
    chosen: Mapping[str, str] = {}
    """Where the program makes choices: what the run chooses each time, for each variable, as an expression."""
    function: str = ""
    """Where it is a call that never returns: the function that is called with the arguments `state`. No call of it returns of whose
    arguments `stays` holds. Then `loop` is 0."""
    is_same_call: bool = False
    """Whether it is called with the same arguments again."""
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """Where facts show it: whether the second verifier confirms that they are kept. A state that comes again needs no proof."""


class EndlessKind(enum.Enum):
    """What is found out about a run that a player says never to end."""

    NEVER_ENDS = "never-ends"
    """It goes on for ever."""
    RUN_ENDS = "run-ends"
    """It comes to an end."""
    NOT_SHOWN = "not-shown"
    """It is longer than we run programs, or it is not known which run is meant; whether it ends could not be established."""

    def __str__(self) -> str:
        return self.value


class EndlessVerdict(Record):
    """The answer to the claim that the run from these inputs never ends."""

    inputs: Mapping[str, Value]
    kind: EndlessKind
    books: Books
    """The books after it."""
    never: NeverEnds | None = None
    """Where it never ends: why."""
    outcome: str = ""
    """Where it ends: how, in English."""
    known: bool = False
    """Whether it was said before, so that nothing changes."""
    because: str = ""
    """Why nothing can be said about the run, where that is because of the program."""


EndingStatus = Literal["ends", "never ends", "open"]


class Ending(Record):
    """What is known of the end of a program's runs."""

    status: EndingStatus
    measures: tuple[Measure, ...] = ()
    """The measures that are proved."""
    loops: tuple[int, ...] = ()
    """The loops that a run may reach and that have no proved measure."""
    functions: tuple[str, ...] = ()
    """The recursive functions that a run may reach and that are not known to end."""
    rests_on: tuple[Requirement, ...] = ()
    """What the proofs rest on that is not proved yet. As long as there is something, the program is not known to end."""
    never: NeverEnds | None = None
    second_check: SecondCheck = SecondCheck.NOT_ASKED
    """For a program that ends: whether the second verifier confirms the measures. Where it contradicts them, nothing is known.
    For a run that never ends: what it says of that."""
    contracts: tuple[Contract, ...] = ()
    """For a program that ends: what its recursive functions keep to besides their own contracts, and what the proof uses."""
    remembers: bool = False
    """Whether this was proved of the program with variables that keep what others were before inner loops, such as n_before_2."""
