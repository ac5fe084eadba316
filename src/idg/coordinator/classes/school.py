"""Everything about classes in one place, as the routes use it."""

from __future__ import annotations

from collections.abc import Callable

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.catalog import Catalog
from idg.coordinator.classes.assignments import Assignments
from idg.coordinator.classes.classes import Classes
from idg.coordinator.classes.gradebook import Gradebooks
from idg.coordinator.classes.handing_in import HandingIn
from idg.coordinator.classes.student_view import StudentViews
from idg.coordinator.classes.table import Teaching
from idg.coordinator.classes.told import ClassStudent, StudentRoom, StudentRooms, TaughtClass
from idg.coordinator.classes.work import ClassesWork, is_counted
from idg.coordinator.errors import not_found
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.players import Players
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.settings import Settings
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassRoom, ClassRow, StudentRow


class School:
    def __init__(
        self,
        store: Store,
        players: Players,
        quotas: Quotas,
        catalog: Catalog,
        open_rooms: OpenRooms,
        questions: Questions,
        settings: Settings,
        clock: Callable[[], float],
    ) -> None:
        self.store = store
        self.catalog = catalog
        self.open_rooms = open_rooms
        self.classes = Classes(store, players, quotas, settings.classes == "teachers", clock)
        self.assignments = Assignments(store, catalog, quotas.totals, clock)
        self.work = ClassesWork(store, open_rooms)
        self.teaching = Teaching(store, self.work, questions, catalog, clock)
        self.handing_in = HandingIn(store, self.work, quotas.totals, clock)
        self.views = StudentViews(store, open_rooms, self.assignments, clock)
        self.gradebooks = Gradebooks(store, self.assignments, self.work, clock)

    async def taught(self, row: ClassRow, secret: str | None = None) -> TaughtClass:
        return await self.classes.view(row, await self.assignments.answers(row.id), secret)

    async def rooms_of(self, student: StudentRow) -> StudentRooms:
        """The rooms of a student in the class, newest first."""
        listed = []
        async for room in with_pauses(await self._rooms(student)):
            outline = room.outline
            entry = await self.catalog.program(outline.program)
            solved = self.open_rooms.is_current(outline) and read_tally(outline.tally).solved
            title = "" if entry is None else entry.title
            listed.append(
                StudentRoom(outline.id, outline.program, outline.level, title, outline.time, room.last_event, solved, room.members)
            )
        return StudentRooms(ClassStudent(student.number, student.name, student.time), tuple(listed))

    async def _rooms(self, student: StudentRow) -> list[ClassRoom]:
        rooms = await self.store.class_rooms(student.class_id)
        return [room for room in rooms if room.student == student.number and is_counted(room.outline)]

    async def require_room(self, student: StudentRow, room: str) -> None:
        """ApiError where the room is none of the student's in the class."""
        if all(known.outline.id != room for known in await self._rooms(student)):
            raise not_found("room")
