"""What happens in a room: the events of its history, each kind with a body of its own type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.results import Fact, Kind
from idg.engine.telling.pictures import answer_html
from idg.engine.termination.results import Measure, MeasureKind
from idg.engine.wire.answers import (
    HINT_FIELDS,
    BatchAnswer,
    FeedbackAnswer,
    HintName,
    HintStep,
    JudgedFact,
    ProposalAnswer,
    StatesRuledOut,
    TransitionAnswer,
)
from idg.engine.wire.codec import Layout
from idg.engine.wire.endings import EndingReport, EndlessJudged, MeasureJudged
from idg.engine.wire.places import LimitReached
from idg.sip.record import Record
from idg.sip.values import Value, ValueJson

Medal = Literal["fewest-invariants", "fewest-proposals", "no-hint"]
EndMark = Literal["", "ends", "never ends"]
"""The second mark of a room: it is proved that every run ends, or a run is shown that never does; empty where neither is."""


class Loaded(Record):
    """The room was opened."""

    level: str | None
    program: str
    engine: str | None = None
    """The version of the engine with which it was opened."""


class CameOrWent(Record):
    """Somebody joined or left; the event says who."""


class ProposedFact(Record):
    """One fact of a batch of proposals."""

    expression: str
    loop: int

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.expression)


class OwnedFact(Record):
    """A fact on a room's books, and who proposed it first."""

    loop: int
    text: str
    player: str | None
    """Who proposed it first."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class OwnedMeasure(Record):
    """A measure on a room's books, and who proposed it first."""

    loop: int
    text: str
    player: str | None
    proved: bool
    """Whether it is proved to fall. The others wait, and are tried again when facts arrive."""

    layout = Layout(names={"text": "expression"})

    @property
    def measure(self) -> Measure:
        return Measure(self.loop, self.text)


class Proposed(Record):
    """A proposal: in canonical form, and as it was typed. It is a fact, a measure, or a run that is said never to end."""

    expression: str
    loop: int
    text: str

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.expression)

    @property
    def imported(self) -> bool:
        return False


class ProposedMany(Record):
    """Many proposals, to be judged together."""

    proposals: tuple[ProposedFact, ...]
    imported: bool = False
    """They came with a progress file."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(proposal.fact for proposal in self.proposals)


class ProgramSolved(Record):
    """The guarantee is proved."""

    credited: tuple[str, ...]
    """The players who have a part in the proof."""
    inductive: tuple[Fact, ...]


class ProgramEnded(Record):
    """The second mark is given: it is proved that every run ends, or a run is shown that never does."""

    ends: EndMark
    credited: tuple[str, ...]
    """The players who have a part in it."""
    measures: tuple[Measure, ...]
    inputs: Mapping[str, Value] | None = None
    """Of the run that never ends."""


class FallenMeasure(Record):
    """A measure on the books of an engine of another version that this one does not accept as what it was."""

    loop: int
    text: str
    was_proved: bool
    kind: MeasureKind
    """What it is according to this engine."""

    layout = Layout(names={"text": "expression"})


class FallenFact(Record):
    """A fact that an engine of another version had accepted, and that this one does not accept as what it was."""

    loop: int
    text: str
    was: Literal["inductive", "potential", "unknown"]
    kind: Kind
    """What it is according to this engine."""
    message: str
    """Why; empty where the fact was one of many proposals that were judged together."""

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class EndedByLimit(Record):
    """An analysis that reached a limit of time or memory when it was made again."""

    event: int
    """The number of the event with the verdict, or with the state to rule out."""
    limit: LimitReached


class JudgedAgain(Record):
    """An engine of another version has judged everything in the room again, from its first event on."""

    engine: str
    """Its version."""
    engine_before: str
    was_solved: bool
    solved: bool
    fallen: tuple[FallenFact, ...]
    kept: int
    """How many facts that were on the books still hold."""
    gained: tuple[Fact, ...]
    """Facts that are inductive now and were not before."""
    inductive: tuple[OwnedFact, ...]
    potential: tuple[OwnedFact, ...]
    feedback: FeedbackAnswer
    limited: tuple[EndedByLimit, ...] = ()
    unknown: tuple[OwnedFact, ...] = ()
    """The facts about which nothing could be established."""
    measures: tuple[OwnedMeasure, ...] = ()
    fallen_measures: tuple[FallenMeasure, ...] = ()
    had_ended: EndMark = ""
    """The second mark that the room had before."""
    ends: EndMark = ""
    ending: EndingReport | None = None


class Traced(Record):
    """Somebody ran the program."""

    inputs: Mapping[str, ValueJson]
    loop: int | None
    seed: int
    choices: tuple[tuple[str, ...], ...] = ()
    """The first choices of the run, where these were asked for."""
    origin: str | None = None
    """Where the inputs come from: `typed` by the player, the `default` ones, `tried` from a verdict or a hint, or `restored`."""


class GivenHint(Record):
    """A step of a hint that was given to a room; `left` more follow about the same fact."""

    _repr_html_ = answer_html

    step: HintName
    message: str
    loop: int
    left: int
    coins: int
    """What it cost."""
    variable: str | None = None
    variables: tuple[str, ...] | None = None
    shape: str | None = None
    degree: int | None = None
    template: str | None = None
    expression: str | None = None

    layout = Layout(
        order=(
            "step", "variable", "variables", "shape", "degree", "template", "expression", "message", "loop", "left", "coins",
        ),
        tag="step",
        fields_of_tag=HINT_FIELDS,
    )  # fmt: skip


def given_hint(step: HintStep, loop: int, left: int, coins: int) -> GivenHint:
    return GivenHint(
        step.step,
        step.message,
        loop,
        left,
        coins,
        step.variable,
        step.variables,
        step.shape,
        step.degree,
        step.template,
        step.expression,
    )


class Reset(Record):
    """The room starts again: the first state to rule out."""

    feedback: FeedbackAnswer


class KeptScore(Record):
    """What a player has earned and spent with a program, as a progress file keeps it."""

    program: str
    """The hash of its source. What was ruled out counts for the very same program only."""
    engine: str
    """The version of the engine by whose samples it was ruled out. Another one takes the coins as they are."""
    coins: int
    gem: bool
    medals: tuple[Medal, ...]
    spent: Mapping[str, int]
    """For each room in which coins were spent, named by a digest, how many. So no file makes them count twice."""
    ruled_out: tuple[StatesRuledOut, ...] = ()
    doubled: Mapping[str, int] = {}
    """Pattern → what it earned once more."""
    expressions: tuple[str, ...] = ()
    """The first few accepted expressions."""
    ends: bool = False
    """Whether the player has a part in the second mark."""


class Restored(Record):
    """What a player had earned came back with a progress file that this server had sealed."""

    score: KeptScore | None = None
    hints: tuple[GivenHint, ...] = ()
    """The hints that were given in the room, where it has none of its own."""


Proposal = Proposed | ProposedMany
ProposalVerdict = ProposalAnswer | BatchAnswer | MeasureJudged | EndlessJudged


def judged_facts(verdict: ProposalVerdict) -> tuple[JudgedFact, ...]:
    """The facts that were judged. Measures, and runs that are said never to end, are none."""
    return verdict.kinds if isinstance(verdict, ProposalAnswer | BatchAnswer) else ()


EventBody = (
    Loaded
    | CameOrWent
    | Proposed
    | ProposedMany
    | ProposalAnswer
    | BatchAnswer
    | MeasureJudged
    | EndlessJudged
    | ProgramSolved
    | ProgramEnded
    | FeedbackAnswer
    | TransitionAnswer
    | GivenHint
    | Reset
    | Traced
    | JudgedAgain
    | Restored
)
BODIES: dict[str, object] = {
    "loaded": Loaded,
    "joined": CameOrWent,
    "left": CameOrWent,
    "proposed": Proposal,
    "judged": ProposalVerdict,
    "solved": ProgramSolved,
    "ended": ProgramEnded,
    "feedback": FeedbackAnswer,
    "transition": TransitionAnswer,
    "hint": GivenHint,
    "reset": Reset,
    "traced": Traced,
    "rejudged": JudgedAgain,
    "restored": Restored,
}
"""Kind of an event → the type of its body."""


class RoomEvent(Record):
    """Something that happened in a room. The body's type depends on the kind, as BODIES says."""

    number: int
    """From 1 in each room, without gaps."""
    kind: str
    player: str | None
    time: float
    """Seconds since 1970."""
    body: EventBody
    request: str | None = None
    """The id that the client chose for its request."""
    answers: int | None = None
    """Of a verdict: the number of the proposal's event."""

    layout = Layout(order=("number", "kind", "player", "time", "request", "answers", "body"), tag="kind", body_of_tag=BODIES)


class EventPage(Record):
    """A part of a room's history."""

    events: tuple[RoomEvent, ...]
    last_event: int
    """The number of the room's newest event."""
