"""What is told of measures and of the end of programs, as it travels. termination/reports.py makes it."""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.results import Fact, SecondCheck, StateAtHead
from idg.engine.termination.results import EndingStatus, EndlessKind, Measure, MeasureKind
from idg.engine.wire.codec import Layout
from idg.engine.wire.places import ChoiceMade, LimitReached, UnprovedPlace
from idg.sip.record import Record
from idg.sip.values import Value


class TurnReport(Record):
    """A turn in which a measure does not fall: of a run, or one that what is proved allows."""

    before: Mapping[str, Value]
    after: Mapping[str, Value]
    measure_before: tuple[str, ...]
    """The components before the turn; empty texts where they have no value."""
    measure_after: tuple[str, ...]
    inputs: Mapping[str, Value] | None = None
    """Of a run: its inputs."""
    seed: int = 0
    row: int = 0
    """Of a run: the index of the row, in the loop's trace, from which the turn leads."""
    choices: tuple[ChoiceMade, ...] = ()
    function: str = ""
    """Of a run of a helper alone: the helper."""
    passed: tuple[StateAtHead, ...] = ()
    """Where other loops lie on the way: the states in which they are left."""


class MeasureReport(Record):
    """The answer to a proposed measure."""

    measure: str
    loop: int
    kind: MeasureKind
    message: str
    uses: tuple[Fact, ...] = ()
    rests_on: tuple[UnprovedPlace, ...] = ()
    turn: TurnReport | None = None
    waits_for: tuple[Fact, ...] = ()
    known: bool = False
    tried: tuple[str, ...] = ()
    because: str = ""


class NeverEndsReport(Record):
    """A run that never ends."""

    loop: int
    inputs: Mapping[str, Value]
    choices: tuple[ChoiceMade, ...]
    row: int
    state: Mapping[str, Value]
    again: int
    stays: tuple[str, ...]
    chosen: Mapping[str, str] = {}
    """Where the program makes choices: what the run chooses each time, for each variable, as an expression."""
    function: str = ""
    """Where calls go on inside of each other for ever: the function that is called with the arguments `state`, and inside of that
    call again before it returns, with arguments of which `stays` holds, too. Then `loop` is 0."""
    is_same_call: bool = False
    """Whether it is called with the same arguments again."""
    repeats: int = 0
    """Where a run that chooses comes back to a row: how many of its choices, the last ones, it makes again and again."""


class EndingReport(Record):
    """What is known of the end of a program's runs."""

    status: EndingStatus
    measures: tuple[Measure, ...]
    loops: tuple[int, ...]
    functions: tuple[str, ...]
    rests_on: tuple[UnprovedPlace, ...]
    run: NeverEndsReport | None
    message: str
    second_check: SecondCheck = SecondCheck.NOT_ASKED


class ListedMeasure(Record):
    """A measure on the books."""

    loop: int
    text: str
    proved: bool
    """Whether it is proved to fall. The others wait, and are tried again when facts arrive."""

    layout = Layout(names={"text": "expression"})

    @property
    def measure(self) -> Measure:
        return Measure(self.loop, self.text)


class JudgedClaim(Record):
    """A measure of a batch of proposals, or a run that is said in it never to end, and what it is."""

    loop: int
    text: str
    kind: str
    """What it is, in the words of `MeasureKind` or `EndlessKind`."""

    layout = Layout(names={"text": "expression"})


class MeasureJudged(Record):
    """The verdict on a proposed measure, and the measures after it."""

    expression: str
    """As it was proposed, in canonical form: `decreases n - i`."""
    loop: int
    kind: MeasureKind
    report: MeasureReport
    measures: tuple[ListedMeasure, ...]
    """All measures on the books, after it."""
    ending: EndingReport
    limited: LimitReached = ""

    @property
    def moves(self) -> tuple[JudgedClaim, ...]:
        """The answer as that to a batch with one proposal."""
        return (JudgedClaim(self.loop, self.expression, self.kind.value),)


class EndlessJudged(Record):
    """The verdict on the claim that a run never ends."""

    expression: str
    """As it was proposed, in canonical form: `endless x = 3, y = 0`."""
    loop: int
    """The loop for which it was proposed. A run is one of the whole program, so it does not matter."""
    kind: EndlessKind
    inputs: Mapping[str, Value]
    message: str
    ending: EndingReport
    outcome: str = ""
    """Where the run ends: how, in English."""
    because: str = ""
    """Why nothing can be said about the run, where that is because of the program."""
    known: bool = False
    """Whether it was said before, so that nothing changes."""
    limited: LimitReached = ""

    @property
    def moves(self) -> tuple[JudgedClaim, ...]:
        """The answer as that to a batch with one proposal."""
        return (JudgedClaim(self.loop, self.expression, self.kind.value),)
