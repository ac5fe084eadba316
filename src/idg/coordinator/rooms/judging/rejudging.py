"""Books of another engine are not believed: at its first use here, such a room is judged again from its log, in the background."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.earnings import Earnings
from idg.coordinator.pool.jobs import Asker, Busy, Closed
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.questions import Answered, Question, Questions
from idg.coordinator.rooms.judging.retelling import Retelling
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.store import NewEvent, Store, StoreUnavailable
from idg.engine.version import engine_version

ROOMS_AT_ONCE = 2
"""How many rooms are judged again in the background at the same time, so that a player with many rooms leaves workers to others."""
EVENTS_PAGE = 50
"""How many events are read from the store at once. An event may have a megabyte."""

log = logging.getLogger("idg.rejudging")


class Rejudging:
    """Judges rooms again whose books were made by an engine of another version.

    Whoever holds a room's turn and is about to use its books calls `ensure` first. The judgement is stored by compare-and-swap on
    the room's version, together with the engine's version. So of two coordinators only one stores it, and the other finds it done.
    """

    def __init__(
        self, open_rooms: OpenRooms, store: Store, questions: Questions, earnings: Earnings, clock: Callable[[], float]
    ) -> None:
        self.open_rooms = open_rooms
        self.store = store
        self.questions = questions
        self.earnings = earnings
        self.clock = clock
        self.judged = 0
        """How many rooms were judged again."""
        self._seen: set[str] = set()
        """Rooms that were judged again in the background, or wait for it. Each is taken once: where coordinators with different
        engines share a database, only moves in a room make them judge it in turns, and not every look at it."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(ROOMS_AT_ONCE)

    def soon(self, room: str) -> None:
        """Judge the room again in the background."""
        if room not in self._seen:
            self._seen.add(room)
            task = asyncio.create_task(self._in_background(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _in_background(self, room: str) -> None:
        try:
            async with self._slots:
                live = await self.open_rooms.live(room)
                if live is not None:
                    async with live.turn:
                        await self.ensure(live)
        except Exception as error:
            self._seen.discard(room)
            if not isinstance(error, Closed | StoreUnavailable):
                log.exception("a room could not be judged again", extra={"room": room})

    async def settle(self, live: LiveRoom) -> None:
        """`ensure`, for those who do not hold the room's turn."""
        if live.is_judged_by_another:
            async with live.turn:
                await self.ensure(live)

    async def ensure(self, live: LiveRoom) -> None:
        """Returns when the room's books are those of this engine. The caller holds the room's turn."""
        while live.is_judged_by_another:
            await self._judge_again(live)

    async def _judge_again(self, live: LiveRoom) -> None:
        version, before = live.current
        engine_before = live.engine

        async def ask(question: Question) -> Answered:
            while True:
                try:
                    return await self.questions.ask(question, Asker(live.id, agent=True), patient=True)
                except Busy as error:
                    await asyncio.sleep(error.retry_after_seconds)

        retelling = Retelling(ask, live.entry, live.variant)
        await retelling.start()
        last = 0
        while True:
            page = await self.store.events(live.id, last, EVENTS_PAGE)
            async for event in with_pauses(page):
                await retelling.take(event)
                last = event.number or 0
            if len(page) < EVENTS_PAGE:
                break
        told = await retelling.differences(before, engine_before, engine_version())
        retelling.end_hints(told)
        after = retelling.state
        rejudged = NewEvent("rejudged", self.clock(), None, "", live.variant, body=record_text(told))
        stored = await self.store.judge_again(live.id, version, after.text(), engine_version(), [rejudged])
        if stored is None:
            await self.open_rooms.reload(live)
            return
        live.move_on(version, after, engine_version())
        self.earnings.moved(live)
        self.open_rooms.publish(live, stored)
        self.judged += 1
        details = {"room": live.id, "engine_before": engine_before, "fallen": len(told.fallen), "kept": told.kept}
        log.info("a room was judged again", extra=details)

    async def close(self) -> None:
        """Stop; rooms that are not judged again yet are at their next use."""
        for task in tuple(self._tasks):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks, return_exceptions=True)
