"""What a server of the game tells about rooms and players: the coordinator writes these records, agents and clients read them.

docs/api.md explains them. They stand beside the engine's answers because rooms carry those, and because agents may import the
engine but not the coordinator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.results import Fact
from idg.engine.wire.answers import Assessment, Explanation, FeedbackAnswer, RestingFactAnswer, TraceAnswer
from idg.engine.wire.board import BoardAnswer
from idg.engine.wire.codec import Json, schema
from idg.engine.wire.endings import EndingReport
from idg.engine.wire.events import EndMark, EventPage, GivenHint, Medal, OwnedFact, OwnedMeasure, RoomEvent
from idg.engine.wire.places import Where
from idg.engine.wire.programs import ExportedProof, LevelList, ProgramAnswer, Variant
from idg.sip.record import Record
from idg.sip.values import ValueJson

Phrase = Literal["look", "nice", "stuck"]
"""What members of a room can say with one click: look at this row; nice; I am stuck."""

PartnerMode = Literal["hints", "turns", "helper", "solve"]
"""What the computer does as a partner: it hints when asked; it proposes a fact after each fact of the others; it looks for facts
that the waiting facts of the others need; it proposes fact after fact until the program is solved, and takes turns again then."""
PartnerWord = Literal["hint", "enough", "next", "nothing", "solved", "refuted", "trouble"]
"""What it says: a hint; that the next step would tell too much; what it proposes next; that it knows nothing to propose; that the
program is solved; that it cannot be solved; that it got no answer."""

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


# players and rooms


class PlayerAnswer(Record):
    """A player."""

    player: str
    name: str
    agent: bool
    """Whether it is a program and not a person."""


class PlayerToken(Record):
    """A player and their token, which is told once, to the player alone."""

    player: str
    name: str
    agent: bool
    """Whether it is a program and not a person."""
    token: str
    """For the header `Authorization: Bearer …`. It is also set as a cookie."""


class Earned(Record):
    """What a move earned."""

    coins: int
    gem: bool
    medals: tuple[Medal, ...]
    doubled: int = 0
    """How many of the coins were added because the fact has a form that the player had not used yet in the level."""
    patterns: tuple[str, ...] = ()
    """The forms that were new, where coins were doubled."""


class Score(Record):
    """What a player has earned with one program."""

    coins: int
    spent: int
    gem: bool
    medals: tuple[Medal, ...]
    patterns: tuple[str, ...] = ()
    """The forms of facts that the player has used in it, in the order of the way. They earn double no more."""
    ends: bool = False
    """Whether the player has a part in the second mark: that every run ends is proved, or a run is shown that never ends."""


class JudgedMove(Record):
    """The answer to a proposal: the event with its verdict, what it earned, and the player's score for the program."""

    event: RoomEvent
    earned: Earned
    score: Score


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
    """The version of the engine that judged the room's books."""
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
    judging_again: bool = False
    """Whether an engine of another version made the books. They are being judged again, and `solved` is false meanwhile."""
    unknown: tuple[OwnedFact, ...] = ()
    """The facts about which nothing could be established."""
    measures: tuple[OwnedMeasure, ...] = ()
    ends: EndMark = ""
    """The second mark, beside `solved`: it is shown that every run ends, or that one never does; empty where neither is."""
    ending: EndingReport | None = None
    """What is known of the end of the program's runs; null where nobody has said anything about it."""


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
    judging_again: bool = False
    """Whether an engine of another version made the books. They are being judged again, and `solved` is false meanwhile."""
    ends: EndMark = ""
    """The second mark, as in a `RoomAnswer`."""


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
    resting: tuple[RestingFactAnswer, ...] = ()
    """The inductive invariants that rest on something that is not proved yet. None are told where the invariants are not."""


# what members of a room show each other at the moment


class DraftAnswer(Record):
    """What a member is typing for a loop. It is no proposal and stored nowhere."""

    loop: int
    text: str


class PointedRow(Record):
    """A row of a run's table at which a member points."""

    loop: int
    row: int
    """From 1, as the table counts."""
    inputs: Mapping[str, ValueJson]
    seed: int = 0
    choices: tuple[tuple[str, ...], ...] = ()
    """The first choices of the run, where these were asked for."""


class SaidPhrase(Record):
    """One of a few fixed phrases that a member said a moment ago."""

    phrase: Phrase
    number: int
    """Counts what members say. Whoever sees the same number again need not show it again."""


class MemberSignal(Record):
    """All that a member shows the others at the moment: null where they show nothing."""

    player: str
    draft: DraftAnswer | None
    row: PointedRow | None
    said: SaidPhrase | None


class PartnerSays(Record):
    """What the computer says in a room, as data: clients have the sentences."""

    kind: PartnerWord
    number: int
    """Counts what it says."""
    hint: GivenHint | None = None
    fact: Fact | None = None
    """What it proposes."""
    helps: Fact | None = None
    """The waiting fact that this fact is meant to help."""


class PartnerAnswer(Record):
    """The computer as a partner in a room."""

    player: str
    """The member that it plays as."""
    mode: PartnerMode
    paused: bool
    thinking: bool
    """Whether it looks for what to do next."""
    says: PartnerSays | None


class SocketPartner(Record):
    """A message on a room's socket: what the computer does there; null where it plays along no more."""

    type: Literal["partner"]
    partner: PartnerAnswer | None


class SocketSignals(Record):
    """A message on a room's socket: what other members are typing, where they point, and what they say. It tells only those for
    whom something changed. Signals are not stored, and some may be left out: each tells all that its member shows."""

    type: Literal["signals"]
    signals: tuple[MemberSignal, ...]


class SocketEvent(Record):
    """A message on a room's socket: something happened."""

    type: Literal["event"]
    event: RoomEvent


class SocketMembers(Record):
    """A message on a room's socket about who is in the room. The first one tells all members (`here`). Each further one (`changed`)
    tells only those who came, went, or have another name."""

    type: Literal["here", "changed"]
    members: tuple[MemberAnswer, ...]


TOLD: tuple[type[Record], ...] = (
    ErrorAnswer,
    OpenedRoom,
    LevelList,
    RoomList,
    JudgedMove,
    EventPage,
    Explanation,
    ExportedProof,
    BoardAnswer,
    Assessment,
    CrowdView,
    SocketEvent,
    SocketMembers,
    SocketSignals,
    SocketPartner,
)
"""What a server answers; all other records are parts of these."""


def wire_schema() -> Json:
    """A JSON Schema of everything that a server tells, from which the types of clients can be made."""
    return schema(*TOLD)
