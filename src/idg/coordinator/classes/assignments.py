"""Assignments: what students of a class are to do, until when, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from idg.coordinator.bounds.totals import Totals
from idg.coordinator.catalog import BuiltInEntry, Catalog
from idg.coordinator.classes.classes import in_class
from idg.coordinator.classes.told import AssignedItem, Assignment, PointsRule
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.store import ProgramRow, Store
from idg.coordinator.store.class_records import AssignmentRow, ClassRow, ItemRow
from idg.coordinator.web.models import AssignmentBody
from idg.sip.record import Record

ASSIGNMENTS_MAX = 100
"""How many assignments a class may have."""
ITEMS_MAX = 300
"""How many levels the assignments of a class may have together."""


class Assigned(Record):
    """An assignment as it is stored, with its items."""

    row: AssignmentRow
    items: tuple[ItemRow, ...]

    def is_open(self, now: float) -> bool:
        return self.row.opens is None or self.row.opens <= now

    def is_late(self, now: float) -> bool:
        return self.row.due is not None and now > self.row.due

    @property
    def points(self) -> PointsRule:
        return PointsRule(self.row.gem, self.row.medal, self.row.effort)

    def answer(self) -> Assignment:
        row = self.row
        items = tuple(map(assigned_item, self.items))
        return Assignment(row.number, row.title, row.text, row.pairs, row.hints, row.opens, row.due, self.points, items)


def assigned_item(item: ItemRow) -> AssignedItem:
    return AssignedItem(item.number, item.level, item.program, item.title, item.text)


class Assignments:
    def __init__(self, store: Store, catalog: Catalog, totals: Totals, clock: Callable[[], float]) -> None:
        self.store = store
        self.catalog = catalog
        self.totals = totals
        self.clock = clock

    async def of_class(self, class_id: str) -> list[Assigned]:
        return [Assigned(row, tuple(items)) for row, items in await self.store.assignments_of(class_id)]

    async def answers(self, class_id: str) -> tuple[Assignment, ...]:
        return tuple(assigned.answer() for assigned in await self.of_class(class_id))

    async def one(self, class_id: str, number: int) -> Assigned:
        for assigned in await self.of_class(class_id):
            if assigned.row.number == number:
                return assigned
        raise not_found("assignment")

    async def put(self, school_class: ClassRow, body: AssignmentBody, number: int = 0) -> Assignment:
        """A new assignment; with a number, a changed one."""
        if body.opens is not None and body.due is not None and body.due <= body.opens:
            raise ApiError("bad-request", "it must be due after it opens", field="due")
        items, programs = await self._items(school_class.id, body)
        self.totals.require("assigned_items")
        points = body.points
        row = AssignmentRow(
            *(school_class.id, number, body.title, body.text, body.pairs, body.hints, body.opens, body.due),
            *(points.gem, points.medal, points.effort, self.clock()),
        )
        stored = await in_class(self.store.put_assignment(row, items, programs, ASSIGNMENTS_MAX, ITEMS_MAX))
        if not stored:
            raise not_found("assignment")
        if not number:  # A changed one takes about the place that it had.
            self.totals.grow("assigned_items", len(items), sum(len(item.text) for item in items))
        return (await self.one(school_class.id, stored)).answer()

    async def _items(self, class_id: str, body: AssignmentBody) -> tuple[Sequence[ItemRow], Sequence[ProgramRow]]:
        """The levels of an assignment, and those of their programs that are perhaps not stored; the assignment refers to them."""
        items: list[ItemRow] = []
        programs: list[ProgramRow] = []
        for number, wanted in enumerate(body.items, 1):
            field = f"items.{number - 1}"
            if (wanted.level is None) == (wanted.program is None):
                raise ApiError("bad-request", "say either a level or a program", field=field)
            entry = self.catalog.level(wanted.level) if wanted.level is not None else None
            chosen = entry if entry is not None else await self.catalog.program(wanted.program or "")
            if chosen is None:
                raise ApiError("bad-request", "there is no such level or program", field=field)
            if any(item.program == chosen.hash for item in items):
                raise ApiError("bad-request", "the same level stands in the assignment twice", field=field)
            if not isinstance(chosen, BuiltInEntry):  # These are stored at the start.
                programs.append(ProgramRow(chosen.hash, chosen.source, chosen.title, "", self.clock()))
            title = wanted.title or chosen.title
            level = None if chosen.level is None else chosen.level.id
            items.append(ItemRow(class_id, 0, number, chosen.hash, level, title, wanted.text))
        return items, programs

    async def delete(self, school_class: ClassRow, number: int) -> None:
        if not await in_class(self.store.delete_assignment(school_class.id, number)):
            raise not_found("assignment")
