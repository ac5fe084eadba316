"""What goes into the store and comes out of it, and how it refuses.

The fields of a record stand in the order of its table's columns: rows become records by position.
"""

from __future__ import annotations

from idg.sip.record import Record

OWN_PROPOSAL = -1
"""As `answers` of a new event: it answers the first event of the same unit, whose number is not known yet."""


class ProgramRow(Record):
    hash: str
    source: str
    title: str
    player: str | None
    time: float


class PlayerRow(Record):
    id: str
    name: str
    agent: bool
    time: float


class RoomRow(Record):
    id: str
    code: str | None
    program: str
    level: str | None
    variant: str
    owner: str
    engine: str
    version: int
    last_event: int
    state: str
    time: float


class Member(Record):
    room: str
    player: str
    time: float
    left: float | None
    name: str
    agent: bool


class NewEvent(Record):
    kind: str
    time: float
    player: str | None = None
    session: str = ""
    variant: str = ""
    request: str | None = None
    answers: int | None = None
    body: str = "{}"


class Event(Record):
    id: int
    room: str | None
    number: int | None
    player: str | None
    kind: str
    time: float
    session: str
    variant: str
    request: str | None
    answers: int | None
    body: str


class PlacedEvent(Record):
    """An event with what its room plays; both are None outside of rooms."""

    event: Event
    program: str | None
    level: str | None


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


class StoreBusy(StoreError):
    """Nothing was stored: too many units wait, or another process holds the database. Try again later."""


class NoSuchRoom(StoreError):
    def __init__(self, room: str) -> None:
        super().__init__(f"there is no room {room}")
        self.room = room


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
    """A rule of the database was broken, such as a reference to something that is not stored."""
