"""What a server of the game tells about rooms and programs: the coordinator writes these records, agents and clients read them.

docs/api.md explains them. They stand beside the engine's answers because rooms carry those, and because agents may import the
engine but not the coordinator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.results import Fact
from idg.engine.wire.answers import (
    HINT_FIELDS,
    Assessment,
    BatchAnswer,
    Explanation,
    FeedbackAnswer,
    HintName,
    HintStep,
    ProposalAnswer,
    TraceAnswer,
    TransitionAnswer,
    Where,
)
from idg.engine.wire.codec import Json, Layout, schema
from idg.sip.record import Record
from idg.sip.syntax import Type

Variant = Literal["code", "trace"]
Medal = Literal["fewest-invariants", "fewest-proposals", "no-hint"]

# errors


class ErrorPlace(Record):
    """What is to blame for an error: a field of the request, and a place where that field is a text."""

    field: str | None = None
    line: int | None = None
    column: int | None = None
    start: int | None = None
    end: int | None = None


class TextProblem(Record):
    """Something that is wrong with an expression or a program."""

    code: str
    message: str
    where: Where
    hint: str


class ErrorAnswer(Record):
    """The one shape of errors."""

    code: str
    """One of the codes of docs/api.md."""
    message: str
    where: ErrorPlace | None
    hint: str
    problems: tuple[TextProblem, ...] | None = None
    """All that is wrong with a text."""


# programs


class Place(Record):
    """A part of a program: its canonical text, and where it stands in the source."""

    text: str
    where: Where


class TypedName(Record):
    """A variable and its type."""

    name: str
    type: Type


class LoopPlaces(Record):
    """A loop of a program: its number, the loop around it, its variables and its parts."""

    number: int
    outer: int | None
    columns: tuple[TypedName, ...]
    where: Where
    test: Place
    body: Where


class Guarantee(Record):
    """The promised expressions, and the place where they must hold."""

    expressions: tuple[Place, ...]
    where: Where


class ProgramAnswer(Record):
    """A program that can be played: what a client needs to show it and to check expressions by itself."""

    program: str
    """The hash of its source."""
    title: str
    source: str
    level: str | None
    params: tuple[TypedName, ...]
    assigned_params: tuple[str, ...]
    """Parameters that the program changes."""
    chooses: bool
    """Whether its runs depend on the seed of their choices."""
    helpers: tuple[str, ...]
    loops: tuple[LoopPlaces, ...]
    guarantee: Guarantee
    pres: tuple[Place, ...]
    guarantee_text: str
    """The guarantee as it is shown to players."""
    story: str | None = None
    """This and the next four are told of levels only, apart from the inputs."""
    difficulty: int | None = None
    world: str | None = None
    inputs: Mapping[str, str] | None = None
    """The inputs of the first trace, as texts."""
    tries: tuple[Mapping[str, str], ...] | None = None
    """Further inputs worth trying."""
    trace: TraceAnswer | None = None
    """The first trace, where the answer is about a program and not about a room."""

    layout = Layout(
        order=(
            "program", "title", "source", "level", "params", "assigned_params", "chooses", "helpers", "loops", "guarantee", "pres",
            "story", "difficulty", "world", "inputs", "tries", "guarantee_text", "trace",
        )
    )  # fmt: skip


class ListedLevel(Record):
    """A level in the list of all levels."""

    level: str
    title: str
    world: str
    difficulty: int
    """From 1 to 5."""
    story: str
    loops: int
    program: str
    """The hash of its source."""


class ListedWorld(Record):
    """A group of levels."""

    id: str
    title: str
    text: str


class LevelList(Record):
    """All levels in the order of play, and the worlds that group them."""

    worlds: tuple[ListedWorld, ...]
    levels: tuple[ListedLevel, ...]


# the bodies of events


class Loaded(Record):
    """The room was opened."""

    level: str | None
    program: str


class CameOrWent(Record):
    """Somebody joined or left; the event says who."""


class ProposedFact(Record):
    """One fact of a batch of proposals."""

    expression: str
    loop: int

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.expression)


class Proposed(Record):
    """A proposal: in canonical form, and as it was typed."""

    expression: str
    loop: int
    text: str

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (Fact(self.loop, self.expression),)

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


class Solved(Record):
    """The guarantee is proved."""

    credited: tuple[str, ...]
    """The players who have a part in the proof."""
    inductive: tuple[Fact, ...]


class Traced(Record):
    """Somebody ran the program."""

    inputs: Mapping[str, str]
    loop: int | None
    seed: int


class GivenHint(Record):
    """A step of a hint that was given to a room; `left` more follow about the same fact."""

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


Proposal = Proposed | ProposedMany
ProposalVerdict = ProposalAnswer | BatchAnswer
EventBody = (
    Loaded
    | CameOrWent
    | Proposed
    | ProposedMany
    | ProposalAnswer
    | BatchAnswer
    | Solved
    | FeedbackAnswer
    | TransitionAnswer
    | GivenHint
    | Reset
    | Traced
)
BODIES: dict[str, object] = {
    "loaded": Loaded,
    "joined": CameOrWent,
    "left": CameOrWent,
    "proposed": Proposal,
    "judged": ProposalVerdict,
    "solved": Solved,
    "feedback": FeedbackAnswer,
    "transition": TransitionAnswer,
    "hint": GivenHint,
    "reset": Reset,
    "traced": Traced,
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


# players and rooms


class PlayerAnswer(Record):
    """A player. The token is told once, to the player alone."""

    player: str
    name: str
    agent: bool
    token: str | None = None


class Earned(Record):
    """What a move earned."""

    coins: int
    gem: bool
    medals: tuple[Medal, ...]


class Score(Record):
    """What a player has earned with one program."""

    coins: int
    spent: int
    gem: bool
    medals: tuple[Medal, ...]


class JudgedMove(Record):
    """The answer to a proposal: the event with its verdict, what it earned, and the player's score for the program."""

    event: RoomEvent
    earned: Earned
    score: Score


class OwnedFact(Record):
    """A fact on a room's books, and who proposed it first."""

    loop: int
    text: str
    player: str | None

    layout = Layout(names={"text": "expression"})

    @property
    def fact(self) -> Fact:
        return Fact(self.loop, self.text)


class MemberAnswer(Record):
    """A player of a room."""

    player: str
    name: str
    agent: bool
    here: bool
    """Connected to the room's socket now."""
    left: bool


class RoomAnswer(Record):
    """A room's state: its books, the state to rule out, and who is in it."""

    room: str
    code: str | None
    """By which others can join, where the room is shared."""
    program: str
    level: str | None
    variant: Variant
    owner: str
    engine: str
    """The version of the engine with which the room was opened."""
    version: int
    last_event: int
    inductive: tuple[OwnedFact, ...]
    potential: tuple[OwnedFact, ...]
    solved: bool
    feedback: FeedbackAnswer
    hints: tuple[GivenHint, ...]
    """Given in this sitting."""
    hint_coins: Mapping[str, int]
    """What each step of a hint costs."""
    members: tuple[MemberAnswer, ...]


class OpenedRoom(Record):
    """Everything that a client needs to show a room."""

    room: RoomAnswer
    program: ProgramAnswer
    trace: TraceAnswer
    player: PlayerAnswer
    score: Score


class ListedRoom(Record):
    """A room in the list of a player's rooms."""

    room: str
    code: str | None
    program: str
    level: str | None
    variant: Variant
    time: float
    solved: bool
    version: int


class RoomList(Record):
    """A player's rooms, newest first."""

    rooms: tuple[ListedRoom, ...]


class CrowdView(Record):
    """What all players' proposals prove together."""

    solved: bool
    inductive: tuple[Fact, ...] | None
    """None for players who have not proved the level themselves."""
    candidates: int
    """How many distinct facts were combined."""
    players: int
    proposals: int
    distinct: int
    """How many distinct useful facts there are."""


class SocketEvent(Record):
    """A message on a room's socket: something happened."""

    type: Literal["event"]
    event: RoomEvent


class SocketMembers(Record):
    """A message on a room's socket: somebody came, went, or has another name."""

    type: Literal["here"]
    members: tuple[MemberAnswer, ...]


TOLD: tuple[type[Record], ...] = (
    ErrorAnswer,
    OpenedRoom,
    LevelList,
    RoomList,
    JudgedMove,
    EventPage,
    Explanation,
    Assessment,
    CrowdView,
    SocketEvent,
    SocketMembers,
)
"""What a server answers; all other records are parts of these."""


def wire_schema() -> Json:
    """A JSON Schema of everything that a server tells, from which the types of clients can be made."""
    return schema(*TOLD)
