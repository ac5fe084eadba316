"""The gradebook of a class, and everything of a class as lines of JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable

from idg.coordinator.classes.assignments import Assignments
from idg.coordinator.classes.classes import class_message, class_student
from idg.coordinator.classes.handing_in import logged
from idg.coordinator.classes.table import state_of
from idg.coordinator.classes.told import Gradebook, GradedAssignment, GradedColumn, GradedItem, GradedStudent
from idg.coordinator.classes.work import ClassesWork, key_of
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.pool.json_text import dumps
from idg.coordinator.rooms.export import guarded
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassRow
from idg.engine.wire.codec import encode


class Gradebooks:
    def __init__(self, store: Store, assignments: Assignments, work: ClassesWork, clock: Callable[[], float]) -> None:
        self.store = store
        self.assignments = assignments
        self.work = work
        self.clock = clock

    async def of_class(self, school_class: ClassRow) -> Gradebook:
        assigned = await self.assignments.of_class(school_class.id)
        students = await self.store.students_of(school_class.id)
        work = await self.work.of_class(school_class.id, students)
        handed_in = {(row.student, row.assignment, row.item): row for row in await self.store.hand_ins_of(school_class.id)}
        columns = tuple(
            GradedColumn(assignment.row.number, item.number, item.title, assignment.row.gem + assignment.row.effort)
            for assignment in assigned
            for item in assignment.items
        )
        rows = []
        async for student in with_pauses(students):
            graded = []
            for assignment in assigned:
                items = []
                for item in assignment.items:
                    sent = handed_in.get((student.number, assignment.row.number, item.number))
                    state = state_of(work.results.get((student.number, key_of(item)), ()), student.player)
                    time, late, points = (None, False, 0) if sent is None else (sent.time, sent.late, sent.points)
                    items.append(GradedItem(item.number, state, time, late, points))
                graded.append(GradedAssignment(assignment.row.number, sum(item.points for item in items), tuple(items)))
            total = sum(assignment.points for assignment in graded)
            rows.append(GradedStudent(student.number, student.name, total, tuple(graded)))
        return Gradebook(school_class.id, school_class.title, self.clock(), columns, tuple(rows))

    async def lines(self, school_class: ClassRow) -> AsyncIterator[bytes]:
        """Everything that is stored of a class: what it is, who is in it, what was assigned, handed in and sent, and all events of
        the students' own rooms."""
        students = await self.store.students_of(school_class.id)
        about = {"class_id": school_class.id, "title": school_class.title, "joining": school_class.joining}
        yield _line("class", about | {"created": school_class.time, "archived": school_class.archived})
        for student in students:
            yield _line("student", encode(class_student(student)) | {"player": student.player})
        for assignment in await self.assignments.answers(school_class.id):
            yield _line("assignment", encode(assignment))
        for row in await self.store.hand_ins_of(school_class.id):
            yield _line("hand-in", {"student": row.student, "certificate": json.loads(row.certificate)})
        for message in await self.store.messages_of(school_class.id, None, MESSAGES_ALL):
            yield _line("message", encode(class_message(message)))
        players = {student.player for student in students}
        told: set[str] = set()
        for room in await self.store.class_rooms(school_class.id):
            outline = room.outline
            # A room in which two students are is listed for each of them.
            if outline.owner not in players or outline.id in told:
                continue
            told.add(outline.id)
            yield _line("room", {"room": outline.id, "student": room.student, "program": outline.program, "level": outline.level})
            async for event in logged(self.store, outline.id, room.last_event):
                line = {"room": outline.id, "number": event.number, "kind": event.kind, "player": event.player, "time": event.time}
                yield _line("event", line | {"body": json.loads(event.body)})


MESSAGES_ALL = 100_000
"""More messages than a class can have."""


def _line(kind: str, body: object) -> bytes:
    return dumps({"kind": kind, "body": body}).encode() + b"\n"


async def gradebook_csv(book: Gradebook) -> str:
    """The grades as CSV, a line for each student. A text that a spreadsheet would take for a formula gets a quote in front."""
    text = io.StringIO()
    writer = csv.writer(text)
    titles = [f"{column.assignment}.{column.item} {column.title} ({column.points_max})" for column in book.columns]
    writer.writerow([guarded(cell) for cell in ("number", "name", *titles, "points")])
    async for student in with_pauses(book.students):
        cells: list[object] = []
        for assignment in student.assignments:
            cells += [item.points if item.handed_in is not None else "" for item in assignment.items]
        writer.writerow([guarded(cell) for cell in (student.number, student.name, *cells, student.points)])
    return text.getvalue()
