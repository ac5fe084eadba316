"""The rooms that are in memory. A room is loaded when somebody comes, and its events are shown to everyone there."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial

from idg.coordinator.catalog import Catalog
from idg.coordinator.errors import not_found
from idg.coordinator.event_loop import also_takes
from idg.coordinator.rooms.live.live_room import LiveRoom, event_json
from idg.coordinator.store import Event, RoomOutline, RoomRow, Store, StoreUnavailable
from idg.engine.version import engine_version
from idg.engine.wire.rooms import MemberSignal
from idg.sip.record import replace

EVENTS_PAGE = 20
"""How many events are read from the store at once. An event may have a megabyte."""
HISTORY_CHARS_MAX = 1_000_000
"""About how many characters of events are told at once, unless a single event has more."""
MEMBERSHIP = {"joined", "left"}
"""The kinds of events with which the members of a room change."""
MOVES = {"judged", "feedback", "hint", "reset", "rejudged"}
"""The kinds of events with which a room gets a new version."""
TELLING_SECONDS = 13e-6
"""About how much processor time it takes to tell one socket of one event, measured with 500 sockets."""
GAP_SECONDS = 0.05
"""How long an event may wait for the ones before it until they are read from the store."""


class OpenRooms:
    def __init__(self, store: Store, catalog: Catalog, bytes_max: int) -> None:
        self.store = store
        self.catalog = catalog
        self.bytes_max = bytes_max
        """Memory for rooms; beyond that, rooms in which nobody is make place for new ones."""
        self.judge_again: Callable[[str], None] = lambda room: None
        """Has a room judged again in the background. The coordinator sets it."""
        self.stored: Callable[[Sequence[Event]], None] = lambda events: None
        """Is told of each event that was stored here. The coordinator sets it."""
        self.moved: Callable[[LiveRoom, Sequence[Event]], None] = lambda live, events: None
        """Is told the same, with the room, so that others can be told. There is no event where something else of the room has
        changed. The coordinator sets it."""
        self.came_or_went: Callable[[str, str, bool], None] = lambda room, player, came: None
        """Is told of players who came into a room here, or went. The coordinator sets it."""
        self.signalled: Callable[[str, MemberSignal], None] = lambda room, signal: None
        """Is told what members of a room who are here show the others. The coordinator sets it."""
        self.elsewhere: Callable[[str], frozenset[str]] = lambda room: frozenset()
        """Says which players are in a room at other coordinators. The coordinator sets it."""
        self._live: OrderedDict[str, LiveRoom] = OrderedDict()
        self._bytes: dict[str, int] = {}
        """Room → how much memory it takes, when it was looked at last."""
        self._bytes_total = 0
        self._loading: dict[str, asyncio.Task[LiveRoom | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._catching_up: dict[str, asyncio.Task[None]] = {}
        """Room → the task that shows what others stored there."""
        self._heard: dict[str, int] = {}
        """Room that is being loaded → the number of the last event that was announced meanwhile."""

    async def live(self, room: str) -> LiveRoom | None:
        """The room of this id, loaded where it is not in memory yet; None where there is none."""
        live = self._live.get(room)
        if live is not None:
            self._live.move_to_end(room)
            self._weigh(live)
            return live
        task = self._loading.get(room)
        if task is None:
            task = asyncio.create_task(self._load(room))
            self._loading[room] = task
            task.add_done_callback(lambda _: self._loaded(room))
        return await asyncio.shield(task)

    def _loaded(self, room: str) -> None:
        self._loading.pop(room, None)
        self.announced(room, self._heard.pop(room, 0))

    async def _load(self, room: str) -> LiveRoom | None:
        row = await self.store.room(room)
        if row is None:
            return None
        entry = await self.catalog.program(row.program)
        assert entry is not None, f"room {room} plays a program that is not stored"
        self.is_current(row)
        return self.keep(LiveRoom(row, entry, await self.store.members(room)))

    def is_current(self, row: RoomRow | RoomOutline) -> bool:
        """Whether this engine has judged the room's books. Where another one has, they are judged again in the background."""
        current = row.engine == engine_version()
        if not current:
            self.judge_again(row.id)
        return current

    def keep(self, live: LiveRoom) -> LiveRoom:
        self._live[live.id] = live
        live.presence.came_or_went = partial(self.came_or_went, live.id)
        live.presence.take_elsewhere(self.elsewhere(live.id))
        live.signals.told = partial(self.signalled, live.id)
        self._weigh(live)
        while self._bytes_total > self.bytes_max:
            idle = next((other.id for other in self._live.values() if other.idle and other is not live), None)
            if idle is None:
                break
            self.forget(idle)
        return live

    def _weigh(self, live: LiveRoom) -> None:
        weight = live.bytes
        self._bytes_total += weight - self._bytes.get(live.id, 0)
        self._bytes[live.id] = weight

    def is_used(self, room: str) -> bool:
        """Whether somebody uses the room at present, here or elsewhere. One that is only in memory is forgotten, so that it can be
        deleted."""
        if self.elsewhere(room):
            return True
        live = self._live.get(room)
        if live is not None and live.idle and not live.callers:
            self.forget(room)
        return room in self._live or room in self._loading

    def forget(self, room: str) -> None:
        """Take a room out of memory."""
        if self._live.pop(room, None) is not None:
            self._bytes_total -= self._bytes.pop(room)

    def get(self, room: str) -> LiveRoom | None:
        """Where it is in memory."""
        return self._live.get(room)

    def known(self) -> Sequence[LiveRoom]:
        return tuple(self._live.values())

    def __len__(self) -> int:
        return len(self._live)

    async def of_member(self, room: str, player: str) -> LiveRoom:
        """The room, for those who are in it; for others it does not exist."""
        live = await self.live(room)
        if live is not None and live.announced > live.head:
            await self.catch_up(live)
        if live is not None and not live.is_member(player):
            # They may have joined through another coordinator.
            await self._read_members(live)
        if live is None or not live.is_member(player):
            raise not_found("room")
        return live

    async def fresh(self, room: str, player: str) -> LiveRoom:
        """The same, as it stands in the store: another coordinator may have changed it."""
        live = await self.of_member(room, player)
        row = await self._read_row(live)
        if row.last_event > live.head:
            await self.catch_up(live)
            if not live.is_member(player):
                raise not_found("room")  # They left through another coordinator.
        return live

    async def _read_members(self, live: LiveRoom) -> None:
        live.presence.take(await self.store.members(live.id))

    def renamed(self, player: str, name: str) -> None:
        """Show the new name to everyone who looks at a room of the player's."""
        for live in self._live.values():
            member = live.presence.members.get(player)
            if member is not None:
                live.presence.take([replace(member, name=name)])

    def announced(self, room: str, head: int) -> None:
        """Another coordinator has stored events up to this number. Those who look at the room are shown them now, and for others
        they are read when somebody comes."""
        live = self._live.get(room)
        if live is None and room in self._loading:
            self._heard[room] = max(head, self._heard.get(room, 0))
        if live is None or head <= live.announced:
            return
        live.announced = head
        if (live.presence.here or live.callers) and room not in self._catching_up:
            task = asyncio.create_task(self._catch_up_with_others(live))
            self._catching_up[room] = task
            task.add_done_callback(lambda _: self._catching_up.pop(room, None))

    async def _catch_up_with_others(self, live: LiveRoom) -> None:
        """News that comes meanwhile is taken along."""
        while live.announced > live.head:
            before = live.head
            await self._catch_up_if_possible(live)
            if live.head == before:
                return  # The store could not be used, or what was announced is not there: `watch` looks again.

    async def changed(self, room: str) -> None:
        """Something of the room has changed without an event."""
        live = self._live.get(room)
        if live is not None:
            await self._read_row(live)

    def publish(self, live: LiveRoom, events: Sequence[Event]) -> None:
        """Show these events, which were stored just now, to everyone in the room."""
        also_takes(TELLING_SECONDS * len(events) * len(live.listeners))
        self.stored(events)
        self.moved(live, events)
        if not live.take(events):
            # Numbers are given in the order of commits, which need not be the order in which we hear of them.
            asyncio.get_running_loop().call_later(GAP_SECONDS, self._fill, live)

    def _fill(self, live: LiveRoom) -> None:
        task = asyncio.create_task(self._catch_up_if_possible(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up_if_possible(self, live: LiveRoom) -> None:
        """Where the store cannot be used now, `watch` catches up later."""
        with contextlib.suppress(StoreUnavailable):
            await self.catch_up(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Show what was stored meanwhile, by others or by us."""
        while True:
            events = await self.store.events(live.id, live.head, EVENTS_PAGE)
            kinds = {event.kind for event in events}
            if kinds & MEMBERSHIP:
                await self._read_members(live)
            if kinds & MOVES:
                await self._read_row(live)  # Else the books shown would be older than the events.
            live.take(events)
            if len(events) < EVENTS_PAGE:
                return

    async def history(self, live: LiveRoom, after: int, limit: int) -> list[tuple[int, str]]:
        """Events after a number, in order: at most so many, and not more text than can be told at once. There is at least one,
        unless it is the last one that the caller knows."""
        events = live.since(after)
        if events is not None:
            return events[:limit]
        events, chars = [], 0
        while len(events) < limit and chars < HISTORY_CHARS_MAX:
            page = await self.store.events(live.id, events[-1][0] if events else after, min(EVENTS_PAGE, limit - len(events)))
            told = [(event.number or 0, event_json(event)) for event in page if (event.number or 0) <= live.head]
            events += told
            chars += sum(len(text) for _, text in told)
            if len(told) < EVENTS_PAGE:
                break
        return events

    async def reload(self, live: LiveRoom) -> None:
        """Somebody else wrote to the room: read it again."""
        await self._read_row(live)
        await self.catch_up(live)

    async def _read_row(self, live: LiveRoom) -> RoomRow:
        row = await self.store.room(live.id)
        if row is None:
            self.forget(live.id)
            raise not_found("room")
        live.refresh(row)
        return row

    async def watch(self) -> None:
        """Show what another coordinator on the same database wrote to rooms that people here look at."""
        watched = {live.id: live for live in self._live.values() if live.presence.here}
        if watched:
            for room, head in (await self.store.heads(list(watched))).items():
                if head > watched[room].head:
                    await self.catch_up(watched[room])

    async def close(self) -> None:
        tasks = (*self._tasks, *self._catching_up.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
