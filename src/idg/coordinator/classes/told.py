"""What teachers and students are told about classes, and the certificate of a hand-in. Times are seconds since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.coordinator.store.class_records import Joining, MessageKind
from idg.engine.results import Fact
from idg.engine.termination.results import Measure
from idg.engine.wire.events import EndMark, Medal
from idg.sip.record import Record
from idg.sip.values import Value

CERTIFICATE_FORMAT = "idg-certificate"
CERTIFICATE_VERSION = 1
"""The version of the form of certificates."""

ItemState = Literal["new", "working", "again", "proved"]
"""Where somebody stands with a level: nothing done, begun, being judged again by another engine, proved."""
NotHandedIn = Literal["nothing", "not-alone", "no-pair", "again", "kept"]
"""Why a level was not handed in: nothing was done; others helped, and it is to be done alone; it is to be done by two; it is being
judged again; an earlier hand-in, which was in time or has more points, is kept."""


class ClassEntrance(Record):
    """Where a code leads: into a class, back to one's own place in a class, or into a room. People have one place for all codes."""

    kind: Literal["class", "personal", "room"]
    title: str
    """The title of the class; empty for other codes."""
    joining: Joining | None
    """How one joins the class; null for other codes."""


class JoinedClass(Record):
    """A student who has just joined a class, or has come back."""

    class_id: str
    title: str
    number: int
    name: str
    player: str
    token: str | None
    """For programs; browsers get a cookie. Null where the caller is this student already."""
    code: str | None
    """The personal code with which the student comes back on any device. It is told once."""


class AttendedClass(Record):
    """A class in the list of somebody who is in it."""

    class_id: str
    title: str
    archived: bool
    role: Literal["teacher", "student"]
    name: str
    """The name of the student; empty for a teacher."""


class ClassList(Record):
    """The classes of a player."""

    classes: tuple[AttendedClass, ...]


class PointsRule(Record):
    """What a level of an assignment is worth."""

    gem: int
    """Points for a proof."""
    medal: int
    """Points for each medal."""
    effort: int
    """Points for trying. A proof or five different facts get all of them, fewer facts get fewer."""


class AssignedItem(Record):
    """A level or a program of an assignment."""

    number: int
    level: str | None
    program: str
    """The hash of the program."""
    title: str
    text: str
    """What the teacher says about it."""


class Assignment(Record):
    """What students of a class are to do."""

    number: int
    title: str
    text: str
    pairs: bool
    """Whether it is done by two in a shared room; otherwise everybody does it alone."""
    hints: bool
    opens: float | None
    due: float | None
    points: PointsRule
    items: tuple[AssignedItem, ...]


class OwnItem(Record):
    """A level of an assignment, as a student sees it."""

    item: AssignedItem
    state: ItemState
    handed_in: float | None
    late: bool
    points: int | None
    """The points of what was handed in."""


class OwnAssignment(Record):
    """An assignment, as a student sees it."""

    number: int
    title: str
    text: str
    pairs: bool
    hints: bool
    due: float | None
    points: PointsRule
    is_late: bool
    """Whether what is handed in now is late."""
    items: tuple[OwnItem, ...]


class ClassMessage(Record):
    """What a teacher has sent."""

    id: int
    kind: MessageKind
    text: str
    code: str | None
    """Of an invitation: the code of the room."""
    time: float
    student: int | None
    """The number of the student to whom it was sent; null for all."""


class AttendedView(Record):
    """A class, as one of its students sees it."""

    class_id: str
    title: str
    archived: bool
    number: int
    name: str
    now: float
    assignments: tuple[OwnAssignment, ...]
    coming: tuple[float, ...]
    """When assignments open that are not open yet."""
    messages: tuple[ClassMessage, ...]


class HandInResult(Record):
    """What became of one level that was to be handed in."""

    item: int
    handed_in: bool
    points: int
    late: bool
    reason: NotHandedIn | None


class HandInResults(Record):
    """What became of the levels of an assignment that were to be handed in."""

    items: tuple[HandInResult, ...]


class ClassStudent(Record):
    """Somebody in a class, as the teacher sees them."""

    number: int
    name: str
    joined: float | None
    """When they joined; null for a name of the list that nobody has taken yet."""


class TaughtClass(Record):
    """A class, as its teacher sees it."""

    class_id: str
    title: str
    code: str
    """The code with which students join."""
    joining: Joining
    created: float
    archived: bool
    secret: str | None
    """What stands in the link for teachers. It is told once, when the class or a new link is made."""
    students: tuple[ClassStudent, ...]
    assignments: tuple[Assignment, ...]
    messages: tuple[ClassMessage, ...]
    platform: str | None
    """The learning platform to whose course the class belongs; null where it belongs to none."""


class ClassTicket(Record):
    """Into which class somebody comes from a learning platform, and as whom."""

    class_id: str
    title: str
    role: Literal["teacher", "student"]
    name: str


class EnteredClass(Record):
    """Who a browser is after it came from a learning platform into a class."""

    class_id: str
    role: Literal["teacher", "student"]
    player: str
    name: str
    token: str
    """For programs; browsers get a cookie."""


class ListedMembers(Record):
    """What became of the list of a course's members that a learning platform told."""

    added: int
    """Students who are new."""
    known: int
    """Students who were there already."""
    others: int
    """Teachers and others, who are no students."""


class UnsentScore(Record):
    """A score that the learning platform has not been told."""

    assignment: int
    student: int
    problem: str
    """Why it could not be sent the last time; empty before the first time."""
    tried_again: bool
    """Whether it is tried again by itself."""


class PlatformState(Record):
    """The learning platform to whose course a class belongs, and what it has not been told yet."""

    platform: str
    members: bool
    """Whether it tells who is in the course."""
    unsent: tuple[UnsentScore, ...]


class SentScores(Record):
    """How many scores are sent to the learning platform again."""

    scores: int


class RosterAdded(Record):
    """How many names of a list were new."""

    added: int
    known: int


class PersonalCode(Record):
    """A new personal code of a student, or of a teacher."""

    name: str
    code: str


class GhostOnBoard(Record):
    """The state that a student has to rule out next."""

    loop: int
    values: Mapping[str, Value]


class WorkCell(Record):
    """What a student has done with one level."""

    state: ItemState
    stuck: bool
    """Active, but without progress for some minutes."""
    proposals: int
    kinds: Mapping[str, int]
    """Kind → how many of the student's proposals were of it."""
    seconds: int
    """How long the student was active in it."""
    hints: int
    last: float | None
    """When something happened last."""
    room: str | None
    """The room in which something happened last."""
    ghost: GhostOnBoard | None
    false_facts: tuple[Fact, ...]
    """The last of the student's proposals that a run refutes."""
    handed_in: bool
    points: int | None
    ends: bool = False
    """Whether the student has a part in the second mark: it is shown how the runs end."""


class WorkRow(Record):
    """A student's row of the teacher's table."""

    number: int
    name: str
    """Empty in the table for the beamer."""
    active: bool
    cells: tuple[WorkCell, ...]


class CountedFact(Record):
    """A fact, and how many students proposed it."""

    loop: int
    expression: str
    students: int


class WorkColumn(Record):
    """A level of the teacher's table, and what the class has in common about it."""

    assignment: int
    item: AssignedItem
    proved: int
    """How many students have proved it."""
    stuck: int
    false_facts: tuple[CountedFact, ...]
    """The commonest proposals that a run refutes, with how many students made them."""


class WorkTable(Record):
    """Students × levels, as they stand now."""

    now: float
    columns: tuple[WorkColumn, ...]
    rows: tuple[WorkRow, ...]


class PooledFacts(Record):
    """What the facts of all students of a class prove together about one level."""

    solved: bool
    inductive: tuple[Fact, ...]
    """The facts that prove each other; they are the goal's proof where it is solved."""
    candidates: int
    """How many different facts were combined."""
    students: int
    """How many students proposed something."""
    proposals: int
    false_facts: tuple[CountedFact, ...]
    kinds: Mapping[str, int]


class StudentRoom(Record):
    """A room of a student, for replays."""

    room: str
    program: str
    level: str | None
    title: str
    time: float
    last_event: int
    solved: bool
    members: int


class StudentRooms(Record):
    """The rooms of a student, newest first."""

    student: ClassStudent
    rooms: tuple[StudentRoom, ...]


class GradedItem(Record):
    """What a student has for one level of an assignment."""

    item: int
    state: ItemState
    handed_in: float | None
    late: bool
    points: int
    """The points of what was handed in; 0 where nothing was."""


class GradedAssignment(Record):
    """What a student has for an assignment."""

    assignment: int
    points: int
    items: tuple[GradedItem, ...]


class GradedStudent(Record):
    """A student's row of the gradebook."""

    number: int
    name: str
    points: int
    assignments: tuple[GradedAssignment, ...]


class GradedColumn(Record):
    """A level of the gradebook: its title and the most points without medals that it gives."""

    assignment: int
    item: int
    title: str
    points_max: int


class Gradebook(Record):
    """The points of a class."""

    class_id: str
    title: str
    time: float
    columns: tuple[GradedColumn, ...]
    students: tuple[GradedStudent, ...]


class CertifiedProof(Record):
    """The proof that a certificate is about."""

    event: int
    """The number of the event of the room's log with which the program was solved."""
    time: float
    facts: tuple[Fact, ...]
    credited: bool
    """Whether the student has a part in it."""


class CertifiedEnding(Record):
    """The second mark that a certificate is about: what shows how the program's runs end."""

    event: int
    """The number of the event of the room's log with which the mark was given."""
    time: float
    ends: EndMark
    measures: tuple[Measure, ...]
    inputs: Mapping[str, Value] | None
    """The inputs of the run that never ends."""
    credited: bool
    """Whether the student has a part in it."""


class Certificate(Record):
    """What somebody handed in: what was proved, when, by whom, and the hash of the log that shows it.

    `idg replay --certificate` judges the log again and compares."""

    format: str
    version: int
    class_id: str
    class_title: str
    assignment: int
    assignment_title: str
    item: int
    item_title: str
    student: int
    name: str
    time: float
    """When it was handed in."""
    late: bool
    room: str
    program: str
    """The hash of the program's text."""
    level: str | None
    engine: str
    """The version of the engine that judged."""
    events: int
    """How many events of the log the hash is about, from the first one on."""
    log_sha256: str
    proof: CertifiedProof | None
    """Null where nothing was proved."""
    kinds: Mapping[str, int]
    """Kind → how many of the student's proposals were of it."""
    hints: int
    """How many hints were given in the room."""
    players: int
    """How many players, programs among them, are or were in the room."""
    medals: tuple[Medal, ...]
    points: int
    ending: CertifiedEnding | None = None
    """Null where it was not shown how the runs end."""
