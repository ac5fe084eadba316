"""Deletes what nobody came back to: rooms in which nothing happened for long, then programs and players without a room.

Rooms that were solved, or that several players were in, may be kept longer. Coins that were earned in a deleted room are gone with
it. Stored answers beyond their share of the database, and codes that have expired, are deleted, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from idg.coordinator.bounds.totals import Totals
from idg.coordinator.rooms.room_state import read_state
from idg.coordinator.store import IdleRoom, Store
from idg.sip.record import Record, replace

ROOMS_PAGE = 100
"""How many rooms are looked at before others may read."""
ROWS_A_STEP = 500
"""How many programs or players are deleted at once; others are written in between."""
DAY_SECONDS = 24 * 3600
"""How many seconds a day has."""


class Retention(Record):
    """How long rooms in which nothing happens are kept; 0 is for ever."""

    days: float
    solved_days: float
    """For rooms that were solved, or that several players were in."""

    def keeps(self, room: IdleRoom, now: float) -> bool:
        is_valued = room.members > 1 or read_state(room.state).solved
        days = self.solved_days if is_valued else self.days
        return not days or room.last >= now - days * DAY_SECONDS


class Pruned(Record):
    """What was deleted, or what would be."""

    rooms: int = 0
    events: int = 0
    programs: int = 0
    players: int = 0
    codes: int = 0
    verdicts: int = 0


async def prune(
    store: Store,
    totals: Totals,
    retention: Retention,
    now: float,
    *,
    dry_run: bool = False,
    is_open: Callable[[str], bool] = lambda room: False,
    tell: Callable[[IdleRoom], None] = lambda room: None,
) -> Pruned:
    """Rooms for which `is_open` is true are left alone; `tell` is called with each one that is deleted, or would be."""
    pruned = Pruned()
    days = min((days for days in (retention.days, retention.solved_days) if days), default=0.0)
    before = now - days * DAY_SECONDS
    if days:
        pruned = await _prune_rooms(store, retention, before, now, dry_run, is_open, tell)
    totals.sizes |= await store.sizes()
    if dry_run:
        programs, players, codes = await store.count_unused(before if days else 0.0, now)
        return replace(pruned, programs=programs, players=players, codes=codes)
    programs = await _all_steps(lambda: store.delete_unused_programs(before, ROWS_A_STEP)) if days else 0
    players = await _all_steps(lambda: store.delete_idle_players(before, ROWS_A_STEP)) if days else 0
    codes = await store.drop_expired(now)
    verdicts = (await totals.trim_verdicts()).rows
    return replace(pruned, programs=programs, players=players, codes=codes, verdicts=verdicts)


async def _prune_rooms(
    store: Store,
    retention: Retention,
    before: float,
    now: float,
    dry_run: bool,
    is_open: Callable[[str], bool],
    tell: Callable[[IdleRoom], None],
) -> Pruned:
    rooms = events = 0
    last = ""
    while True:
        page = await store.idle_rooms(before, last, ROOMS_PAGE)
        for room in page:
            last = room.id
            if retention.keeps(room, now) or is_open(room.id):
                continue
            if dry_run or await store.delete_room(room, now):
                rooms += 1
                events += room.last_event
                tell(room)
        if len(page) < ROOMS_PAGE:
            return Pruned(rooms, events)


async def _all_steps(step: Callable[[], Awaitable[int]]) -> int:
    """Repeats a step until it deletes nothing more; returns how many rows were deleted."""
    total = 0
    while deleted := await step():
        total += deleted
    return total
