"""A class as one of its students sees it: what is open, what is due, what was handed in, and what the teacher has sent."""

from __future__ import annotations

from collections.abc import Callable

from idg.coordinator.classes.assignments import Assigned, Assignments, assigned_item
from idg.coordinator.classes.classes import MESSAGES_TOLD, Attending, class_message
from idg.coordinator.classes.handing_in import of_item
from idg.coordinator.classes.table import state_of
from idg.coordinator.classes.told import AttendedView, OwnAssignment, OwnItem
from idg.coordinator.classes.work import RoomResult, is_counted, key_of
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassRoom, HandInRow

ROOMS_MAX = 500
"""How many of a student's rooms are looked at, the newest ones."""


class StudentViews:
    def __init__(self, store: Store, open_rooms: OpenRooms, assignments: Assignments, clock: Callable[[], float]) -> None:
        self.store = store
        self.open_rooms = open_rooms
        self.assignments = assignments
        self.clock = clock

    async def view(self, attending: Attending) -> AttendedView:
        school_class, student = attending.school_class, attending.student
        now = self.clock()
        assigned = await self.assignments.of_class(school_class.id)
        opened = [assignment for assignment in assigned if assignment.is_open(now)]
        rooms = await self._rooms(student.player or "")
        handed_in = await self.store.hand_ins_of(school_class.id, student.number)
        messages = await self.store.messages_of(school_class.id, student.number, MESSAGES_TOLD)
        coming = sorted({assignment.row.opens for assignment in assigned if assignment.row.opens and not assignment.is_open(now)})
        return AttendedView(
            school_class.id,
            school_class.title,
            school_class.archived is not None,
            student.number,
            student.name,
            now,
            tuple(_own(assignment, rooms, handed_in, student.player, now) for assignment in opened),
            tuple(coming),
            tuple(map(class_message, messages)),
        )

    async def _rooms(self, player: str) -> dict[str, list[RoomResult]]:
        """Level → the student's rooms of it."""
        results: dict[str, list[RoomResult]] = {}
        async for outline in with_pauses(await self.store.rooms_of(player, ROOMS_MAX, left=True)):
            if is_counted(outline):
                result = RoomResult(ClassRoom(0, 0, 0, outline), read_tally(outline.tally), self.open_rooms.is_current(outline))
                results.setdefault(key_of(outline), []).append(result)
        return results


def _own(
    assigned: Assigned, rooms: dict[str, list[RoomResult]], handed_in: list[HandInRow], player: str | None, now: float
) -> OwnAssignment:
    row = assigned.row
    items = []
    for item in assigned.items:
        sent = of_item(handed_in, row.number, item.number)
        state = state_of(rooms.get(key_of(item), ()), player)
        items.append(
            OwnItem(
                assigned_item(item),
                state,
                None if sent is None else sent.time,
                sent is not None and sent.late,
                None if sent is None else sent.points,
            )
        )
    late = assigned.is_late(now)
    return OwnAssignment(row.number, row.title, row.text, row.pairs, row.hints, row.due, assigned.points, late, tuple(items))
