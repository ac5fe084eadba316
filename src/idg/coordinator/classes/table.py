"""The teacher's table, live: students × levels, who is stuck and on what, and what the class has found together."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from idg.coordinator.catalog import Catalog
from idg.coordinator.classes.assignments import Assigned, assigned_item
from idg.coordinator.classes.told import CountedFact, GhostOnBoard, ItemState, PooledFacts, WorkCell, WorkColumn, WorkRow, WorkTable
from idg.coordinator.classes.work import ClassesWork, ClassWork, LevelWork, PooledWork, RoomResult, key_of
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.rooms.judging.question_kinds import crowd_question
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassRow, HandInRow, ItemRow, StudentRow
from idg.engine.wire.answers import CrowdAnswer
from idg.engine.wire.codec import decode

CELLS_MAX = 30_000
"""How many cells of a table are told at once: students times levels."""
STUCK_SECONDS = 300.0
"""A student who is active without progress for this long seems to be stuck."""
NO_WORK = LevelWork()
"""The work of somebody who has done nothing."""


def state_of(results: Sequence[RoomResult], player: str | None) -> ItemState:
    """Where a student stands with a level, from the rooms in which they played it."""
    if not results:
        return "new"
    if any(result.current and _has_gem(result, player) for result in results):
        return "proved"
    if any(not result.current and _has_gem(result, player) for result in results):
        return "again"
    return "working"


def has_ended(results: Sequence[RoomResult], player: str | None) -> bool:
    """Whether the student has a part in the second mark, by what the engine of now has judged."""
    parts = (result.tally.parts.get(player or "") for result in results if result.current)
    return any(part is not None and part.ends for part in parts)


def _has_gem(result: RoomResult, player: str | None) -> bool:
    part = result.tally.parts.get(player or "")
    return part is not None and part.gem


class Teaching:
    """What a teacher sees of the work of a class."""

    def __init__(self, store: Store, work: ClassesWork, questions: Questions, catalog: Catalog, clock: Callable[[], float]) -> None:
        self.store = store
        self.work = work
        self.questions = questions
        self.catalog = catalog
        self.clock = clock

    async def table(self, school_class: ClassRow, assigned: Sequence[Assigned], with_names: bool) -> WorkTable:
        now = self.clock()
        students = await self.store.students_of(school_class.id)
        places = [(assignment, item) for assignment in assigned for item in assignment.items]
        if len(students) * len(places) > CELLS_MAX:
            text = f"{len(students):,} students and {len(places):,} levels are too many for one table"
            raise ApiError("bad-request", text, hint="look at one assignment at a time", field="assignment")
        work = await self.work.of_class(school_class.id, students)
        handed_in = {(row.student, row.assignment, row.item): row for row in await self.store.hand_ins_of(school_class.id)}
        active_now = {number for (number, _), done in work.work.items() if done.is_active(now)}
        rows = []
        async for student in with_pauses(students):
            cells = tuple(
                _cell(work, student, item, handed_in.get((student.number, assignment.row.number, item.number)), now)
                for assignment, item in places
            )
            name = student.name if with_names else ""
            rows.append(WorkRow(student.number, name, student.number in active_now, cells))
        columns = [
            WorkColumn(
                assignment.row.number,
                assigned_item(item),
                sum(row.cells[index].state == "proved" for row in rows),
                sum(row.cells[index].stuck for row in rows),
                counted(work.pooled.get(key_of(item))),
            )
            async for index, (assignment, item) in with_pauses(enumerate(places))
        ]
        return WorkTable(now, tuple(columns), tuple(rows))

    async def pooled(self, school_class: ClassRow, item: ItemRow, asker: Asker) -> PooledFacts:
        """The facts of all students together, and what they prove."""
        entry = await self.catalog.program(item.program)
        if entry is None:
            raise not_found("program")
        work = await self.work.of_class(school_class.id, await self.store.students_of(school_class.id))
        pooled = work.pooled.get(key_of(item), PooledWork())
        question = crowd_question(entry, pooled.proposals.most_proposed())
        answer = decode(CrowdAnswer, json.loads((await self.questions.ask(question, asker, patient=True)).answer))
        return PooledFacts(
            answer.solved,
            answer.inductive,
            answer.candidates,
            len(pooled.proposals.players),
            pooled.proposals.judged,
            counted(pooled),
            dict(pooled.kinds),
        )


def counted(pooled: PooledWork | None) -> tuple[CountedFact, ...]:
    if pooled is None:
        return ()
    return tuple(CountedFact(fact.loop, fact.text, students) for fact, students in pooled.commonest_false())


def _cell(work: ClassWork, student: StudentRow, item: ItemRow, handed_in: HandInRow | None, now: float) -> WorkCell:
    done = work.work.get((student.number, key_of(item)), NO_WORK)
    state = state_of(work.results.get((student.number, key_of(item)), ()), student.player)
    without_progress = done.progressed is not None and now - done.progressed >= STUCK_SECONDS
    is_open = state in ("new", "working")
    ghost = done.ghost if is_open else None
    return WorkCell(
        state=state,
        stuck=is_open and done.is_active(now) and without_progress,
        proposals=done.proposals,
        kinds=dict(done.kinds),
        seconds=round(done.seconds),
        hints=done.hints,
        last=done.last,
        room=done.room,
        ghost=None if ghost is None else GhostOnBoard(ghost.loop, ghost.values),
        false_facts=tuple(done.false_facts),
        handed_in=handed_in is not None,
        points=None if handed_in is None else handed_in.points,
        ends=has_ended(work.results.get((student.number, key_of(item)), ()), student.player),
    )
