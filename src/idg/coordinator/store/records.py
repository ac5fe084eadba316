"""What goes into the store and comes out of it, and the errors with which it refuses.

The fields of a record are in the order of its table's columns, because rows become records by position.
"""

from __future__ import annotations

from idg.engine.wire.programs import Variant
from idg.sip.record import Record

OWN_PROPOSAL = -1
"""The value of `answers` in a new event that answers the first event of the same unit, whose number is not known yet."""


TALLY_START = ',"tally":{'
"""Where the tally begins in the text of a room's state. Within a string of JSON the quotes would be escaped, and nothing else in a
state has this name."""


class ProgramRow(Record):
    hash: str
    """The hash of the source."""
    source: str
    title: str
    player: str | None
    """Who submitted it; None for a level."""
    time: float


class PlayerRow(Record):
    id: str
    name: str
    agent: bool
    time: float


class RoomRow(Record):
    id: str
    code: str | None
    """The code by which others can join; None where nobody has asked for one."""
    program: str
    level: str | None
    variant: Variant
    owner: str
    engine: str
    """The version of the engine that judged the room's books."""
    version: int
    """How often the state has changed."""
    last_event: int
    """The number of the room's last event."""
    state: str
    """The room's state, as JSON."""
    time: float
    purpose: str | None = None
    """`tutorial` for a room that the tutorial made, which counts in no study."""


class RoomOutline(Record):
    """What lists and scores need of a room. It is read without the rest of the state, because a player may have many rooms."""

    id: str
    code: str | None
    program: str
    level: str | None
    variant: Variant
    owner: str
    engine: str
    version: int
    time: float
    purpose: str | None
    tally: str
    """The end of the state, from its tally on, as `read_tally` of rooms/room_state.py reads it."""


class IdleRoom(Record):
    """A room in which nothing happened for some time."""

    id: str
    program: str
    level: str | None
    state: str
    last_event: int
    last: float
    """When the last event happened."""
    members: int
    """How many players are or were in it."""


class Member(Record):
    room: str
    player: str
    time: float
    """When the player joined."""
    left: float | None
    """When the player left; None for one who is a member now."""
    name: str
    agent: bool


class NewEvent(Record):
    """An event that is to be stored."""

    kind: str
    time: float
    player: str | None = None
    session: str = ""
    variant: str = ""
    request: str | None = None
    answers: int | None = None
    body: str = "{}"
    coordinator: str | None = None


class Event(Record):
    """An event as it is stored. Events are never changed or deleted."""

    id: int
    """Unique among the events of all rooms."""
    room: str | None
    number: int | None
    """The place among the events of its room, from 1; None outside of rooms."""
    player: str | None
    kind: str
    time: float
    session: str
    variant: str
    request: str | None
    """Chosen by the client, so that a request that is sent twice is carried out once."""
    answers: int | None
    """The number of the proposal to which this event is the answer."""
    body: str
    coordinator: str | None = None
    """The coordinator that has stored a proposal, and judges it; None for all other events."""


class PlacedEvent(Record):
    """An event with the program and the level that its room plays, and the version of the engine that judged the room's books.
    They are None outside of rooms."""

    event: Event
    program: str | None
    level: str | None
    engine: str | None

    study: str | None = None
    """The study that the owner of the room takes part in."""
    participant: int | None = None
    """The number of the participant who made the event."""
    pid: str | None = None
    arm: str | None = None
    agent: bool = False
    purpose: str | None = None


class PlacedLog(Record):
    """A line of a client's log, and who wrote it where that is a participant of a study."""

    log: Log
    study: str | None
    participant: int | None
    pid: str | None
    arm: str | None
    agent: bool


class StudyRecord(Record):
    """A study that was opened."""

    name: str
    definition: str
    """The text of its file."""
    opened: float
    closed: float | None = None


class ParticipantRow(Record):
    """Somebody who takes part in a study, or did."""

    study: str
    number: int
    """From 1, in the order in which they came."""
    pid: str | None
    """The id that the link named; None after withdrawing."""
    player: str
    arm: str
    seed: int
    """The seed of the assignment to arms, as the study had it then."""
    consent: str
    """The version of the text that they agreed to."""
    time: float
    finished: float | None = None
    code: str | None = None
    """What shows a crowd platform that they finished."""
    withdrawn: float | None = None


class CoordinatorRow(Record):
    """A coordinator that uses the database."""

    id: str
    machine: str
    """The machine on which it runs, as far as its process can be seen from other processes there."""
    process: str
    age: float
    """How many seconds ago its last sign of life was."""


class Size(Record):
    """How large a table is, or a part of it."""

    rows: int
    bytes: int
    """The size of its long texts."""


class NewLog(Record):
    time: float
    kind: str
    body: str = "{}"


class Log(Record):
    id: int
    player: str
    session: str
    time: float
    kind: str
    body: str


class StoreError(Exception):
    """The store cannot do what was asked; the message says what to try."""


class StoreUnavailable(StoreError):
    """The database cannot be used now: it is gone, its disk is full, it cannot be written. The caller may try again later.

    Usually nothing was stored. Where the connection was lost during a COMMIT, nobody knows; requests that are sent again have an id
    by which the store recognizes them. `reason` is a sentence for everybody, and the message has the details for the log.
    """

    def __init__(self, reason: str, details: object = "") -> None:
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason = reason


class StoreBusy(StoreUnavailable):
    """Nothing was stored, because too many units wait or another process holds the database."""


class NoSuchRoom(StoreError):
    def __init__(self, room: str) -> None:
        super().__init__(f"there is no room {room}")
        self.room = room


class NotMember(StoreError):
    """The player is not in the room, or not any more; nothing was stored now."""

    def __init__(self, room: str, player: str) -> None:
        super().__init__(f"player {player} is not in room {room}")
        self.room = room
        self.player = player


class RoomFull(StoreError):
    def __init__(self, members: int) -> None:
        super().__init__(f"{members} players are in this room or were there, and there can be no more")


class CodeTaken(StoreError):
    def __init__(self, code: str) -> None:
        super().__init__(f"the code {code} belongs to another room; try another one")
        self.code = code


class Duplicate(StoreError):
    """The player's request is stored already, as `event`; nothing was stored now."""

    def __init__(self, event: Event) -> None:
        super().__init__(f"request {event.request} of player {event.player} is event {event.number} of room {event.room} already")
        self.event = event


class AlreadyAnswered(StoreError):
    """The proposal is answered already, by `event`; nothing was stored now."""

    def __init__(self, event: Event) -> None:
        super().__init__(f"event {event.answers} of room {event.room} is answered already, by event {event.number}")
        self.event = event


class UnitRefused(StoreError):
    """The database refused a unit of work because it breaks a rule. For example, it refers to something that is not stored."""


class PlayerDeleted(UnitRefused):
    """What was to be stored names a player who was deleted at the same moment. Only PostgreSQL says so."""
