"""Examples of what is told about classes, for the description of the API."""

from __future__ import annotations

from idg.coordinator.catalog import level_entries
from idg.coordinator.classes.told import (
    CERTIFICATE_FORMAT,
    CERTIFICATE_VERSION,
    AssignedItem,
    Assignment,
    AttendedClass,
    AttendedView,
    Certificate,
    CertifiedProof,
    ClassEntrance,
    ClassList,
    ClassMessage,
    ClassStudent,
    ClassTicket,
    CountedFact,
    EnteredClass,
    GhostOnBoard,
    Gradebook,
    GradedAssignment,
    GradedColumn,
    GradedItem,
    GradedStudent,
    HandInResult,
    HandInResults,
    JoinedClass,
    ListedMembers,
    OwnAssignment,
    OwnItem,
    PersonalCode,
    PlatformState,
    PointsRule,
    PooledFacts,
    RosterAdded,
    SentScores,
    StudentRoom,
    StudentRooms,
    TaughtClass,
    UnsentScore,
    WorkCell,
    WorkColumn,
    WorkRow,
    WorkTable,
)
from idg.engine.results import Fact
from idg.sip.record import Record

CLASS_ID = "q3Jx0v1cK9yD"
TITLE = "Loops 1b"
CODE = "K7PQ4MXW"
TIME = 1794790000.5
"""The time of the examples, in seconds since 1970."""
ROOM = "Yb0cJzG5r1o0mV3hQ2s7uA"
FACTS = (Fact(1, "res = n * cnt"), Fact(1, "cnt <= m"))
"""The facts of a proof, about loop 1."""


def class_examples() -> tuple[Record, ...]:
    program = level_entries()["multiply"].hash
    item = AssignedItem(1, "multiply", program, "Multiply", "")
    rule = PointsRule(10, 1, 5)
    student = ClassStudent(1, "Emmy", TIME)
    message = ClassMessage(1, "hint", "Look at the last row.", None, TIME, None)
    assignment = Assignment(1, "First lamps", "", False, True, None, None, rule, (item,))
    own = OwnAssignment(1, "First lamps", "", False, True, None, rule, False, (OwnItem(item, "proved", TIME, False, 16),))
    wrong = CountedFact(1, "cnt < m", 7)
    kinds = {"inductive": 2, "non-invariant": 1}
    ghost = GhostOnBoard(1, {"n": 0, "m": 0, "res": -1, "cnt": 0})
    cell = WorkCell("working", True, 3, kinds, 412, 0, TIME, ROOM, ghost, (Fact(1, "cnt < m"),), False, None)
    graded = GradedStudent(1, "Emmy", 16, (GradedAssignment(1, 16, (GradedItem(1, "proved", TIME, False, 16),)),))
    return (
        ClassEntrance("class", TITLE, "nickname"),
        JoinedClass(CLASS_ID, TITLE, 1, "Emmy", "class-4kZ0bQmT", "q3J…", CODE),
        ClassList((AttendedClass(CLASS_ID, TITLE, False, "student", "Emmy"),)),
        assignment,
        AttendedView(CLASS_ID, TITLE, False, 1, "Emmy", TIME, (own,), (), (message,)),
        HandInResults((HandInResult(1, True, 16, False, None),)),
        student,
        TaughtClass(CLASS_ID, TITLE, CODE, "nickname", TIME, False, None, (student,), (assignment,), (message,), None),
        RosterAdded(24, 1),
        ClassTicket(CLASS_ID, TITLE, "student", "Emmy"),
        EnteredClass(CLASS_ID, "student", "class-4kZ0bQmT", "Emmy", "q3J…"),
        ListedMembers(24, 1, 2),
        PlatformState("moodle", True, (UnsentScore(1, 1, "the platform cannot be reached: TimeoutError", True),)),
        SentScores(24),
        PersonalCode("Emmy", CODE),
        message,
        WorkTable(TIME, (WorkColumn(1, item, 0, 1, (wrong,)),), (WorkRow(1, "Emmy", True, (cell,)),)),
        PooledFacts(True, FACTS, 12, 24, 80, (wrong,), kinds),
        StudentRooms(student, (StudentRoom(ROOM, program, "multiply", "Multiply", TIME, 9, True, 1),)),
        Gradebook(CLASS_ID, TITLE, TIME, (GradedColumn(1, 1, "Multiply", 15),), (graded,)),
        Certificate(
            *(CERTIFICATE_FORMAT, CERTIFICATE_VERSION, CLASS_ID, TITLE, 1, "First lamps", 1, "Multiply", 1, "Emmy", TIME, False),
            *(ROOM, program, "multiply", "5d1f0c9ba2e47736", 6, "9c1e" * 16, CertifiedProof(6, TIME, FACTS, True), kinds, 0, 1),
            *(("no-hint",), 16),
        ),
    )
