"""What the store keeps of classes. The fields of a record are in the order of its table's columns."""

from __future__ import annotations

from typing import Literal

from idg.coordinator.store.records import RoomOutline, StoreError
from idg.sip.record import Record

Joining = Literal["nickname", "roster"]
"""How students join a class: with a nickname, or with a name of the teacher's list."""
MessageKind = Literal["hint", "invitation"]


class ClassRow(Record):
    id: str
    title: str
    code: str
    """The code with which students join."""
    secret: str
    """The hash of what stands in the link for teachers."""
    joining: Joining
    time: float
    archived: float | None = None


class StudentRow(Record):
    """Somebody in a class, or a name of a roster that nobody has taken yet."""

    class_id: str
    number: int
    """From 1, in the order in which they came or stood in the list."""
    name: str
    name_key: str
    """The name without what people write differently, such as capitals. It is unique in a class."""
    player: str | None
    """The player who was made for this student; None for a name that nobody has taken yet."""
    code: str | None
    """The hash of the personal code."""
    time: float | None
    """When they joined."""


class AssignmentRow(Record):
    class_id: str
    number: int
    title: str
    text: str
    pairs: bool
    hints: bool
    opens: float | None
    due: float | None
    gem: int
    """Points for a proof."""
    medal: int
    """Points for each medal."""
    effort: int
    """Points for trying."""
    time: float


class ItemRow(Record):
    """A level or a program of an assignment."""

    class_id: str
    assignment: int
    number: int
    program: str
    level: str | None
    title: str
    text: str


class HandInRow(Record):
    class_id: str
    assignment: int
    item: int
    student: int
    time: float
    late: bool
    room: str
    points: int
    certificate: str
    """A `Certificate` as JSON."""


class MessageRow(Record):
    id: int
    class_id: str
    student: int | None
    """None for a message to all."""
    kind: MessageKind
    text: str
    code: str | None
    """Of an invitation: the code of the room."""
    time: float


class ClassRoom(Record):
    """A room in which a student of a class is or was."""

    student: int
    last_event: int
    members: int
    """How many players are or were in it."""
    outline: RoomOutline


class NameTaken(StoreError):
    """Somebody in the class has this name already."""


class NotOnRoster(StoreError):
    """The class's list has no such name."""


class ClassFull(StoreError):
    """The class has as many students, assignments or messages as it may have."""


class ClassEnded(StoreError):
    """The class is archived or deleted."""
