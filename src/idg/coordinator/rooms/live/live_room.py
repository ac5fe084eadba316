"""A room in memory: its state, its latest events, and who waits for the next one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.players.scores import HINT_COINS
from idg.coordinator.rooms.live.presence import Presence
from idg.coordinator.rooms.live.signals import Signals
from idg.coordinator.rooms.room_state import RoomState, read_state
from idg.coordinator.store import Event, Member, RoomRow
from idg.coordinator.waiting import Gone, unless_gone
from idg.engine.version import engine_version
from idg.engine.wire.answers import FeedbackAnswer
from idg.engine.wire.rooms import PartnerAnswer, RoomAnswer
from idg.sip.record import replace

T = TypeVar("T")

RECENT_EVENTS_MAX = 40
"""How many events a room keeps in memory; older ones are read from the store."""
RECENT_CHARS_MAX = 64_000
"""How many characters these events may have together. A batch may have a megabyte, and there are many rooms."""
ROOM_BYTES = 20_000
"""About how much memory a room takes besides its state, its members and its latest events."""
MEMBER_BYTES = 500
"""About how much memory a member of a room takes."""

JUDGED_AGAIN_NOW = "The engine has another version now, so everything in this room is being judged again."
"""The message of a room that was solved, while it is being judged again."""


def event_json(event: Event) -> str:
    """The JSON of a `RoomEvent`, as everyone in the room sees it."""
    # Written by hand, because it is the most frequent text of all, and the body is JSON already. The kinds, players and requests
    # that the coordinator accepts have no character that JSON escapes.
    player = "null" if event.player is None else f'"{event.player}"'
    request = "" if event.request is None else f', "request": "{event.request}"'
    answers = "" if event.answers is None else f', "answers": {event.answers}'
    head = f'"number": {event.number}, "kind": "{event.kind}", "player": {player}, "time": {event.time!r}{request}{answers}'
    return f'{{{head}, "body": {event.body}}}'


class LiveRoom:
    """A room that is in memory. `turn` is held by whoever changes its state: moves are made one after the other."""

    def __init__(self, row: RoomRow, entry: CatalogEntry, members: Iterable[Member]) -> None:
        self.id = row.id
        self.entry = entry
        self.variant = row.variant
        self.level = row.level
        self.owner = row.owner
        self.code = row.code
        self.engine = row.engine
        self.time = row.time
        self.version = row.version
        self.state = read_state(row.state)
        self.listeners: set[Callable[[], None]] = set()
        """Are called when there is an event, or somebody comes or goes: one for each socket that is open."""
        # They do not refer to the room. Without that cycle its memory is free at once, not after a collection.
        self.presence = Presence(members, partial(_call_all, self.listeners))
        self.signals = Signals(partial(_call_all, self.listeners))
        self.turn = asyncio.Lock()
        self.callers = 0
        """How many callers wait for a verdict or for their turn. What is computed for the room goes last when there are none."""
        self.head = row.last_event
        """The number of the last event that everyone here may be shown."""
        self.announced = row.last_event
        """The number of the last event of which we have heard, by whoever it was stored."""
        self.recent: list[tuple[int, str]] = []
        self._recent_chars = 0
        self._early: dict[int, Event] = {}
        """Events that cannot be shown yet, because earlier ones are missing."""

        self.partner: PartnerAnswer | None = None
        """What the computer does as a partner in this room, here or at another coordinator."""
        self.partner_changes = 0
        """How often that has changed."""

    def show_partner(self, answer: PartnerAnswer | None) -> None:
        self.partner = answer
        self.partner_changes += 1
        self.wake()

    def refresh(self, row: RoomRow) -> None:
        """Take over what the store has. It may be older than what we have, because we may have written since the row was read."""
        # A room gets its code without a new version, and keeps it.
        self.code = self.code or row.code
        if row.version > self.version:
            self.version, self.state, self.engine = row.version, read_state(row.state), row.engine

    @property
    def is_judged_by_another(self) -> bool:
        """Whether an engine of another version made the books. They are shown, but nothing is judged on them."""
        return self.engine != engine_version()

    @property
    def current(self) -> tuple[int, RoomState]:
        """The version and the state that belong together. Whoever judges takes both before asking the engine and stores the
        answer on that very version, because the room may be read again while they wait."""
        return self.version, self.state

    def move_on(self, version: int, state: RoomState, engine: str | None = None) -> None:
        """Our own write to the room, on this version; `engine` is told where it has changed."""
        if self.version <= version:
            self.version, self.state = version + 1, state
            self.engine = engine or self.engine

    def take(self, events: Sequence[Event]) -> bool:
        """Show these events, in the order of their numbers; false where earlier ones are still missing."""
        for event in events:
            assert event.number is not None
            if event.number > self.head:
                self._early[event.number] = event
        moved = False
        while self.head + 1 in self._early:
            self.head += 1
            self._remember(self.head, event_json(self._early.pop(self.head)))
            moved = True
        if moved:
            self.wake()
        return not self._early

    def _remember(self, number: int, text: str) -> None:
        self.recent.append((number, text))
        self._recent_chars += len(text)
        while len(self.recent) > RECENT_EVENTS_MAX or self._recent_chars > RECENT_CHARS_MAX:
            self._recent_chars -= len(self.recent.pop(0)[1])

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        members = MEMBER_BYTES * len(self.presence.members) + self.signals.bytes
        return ROOM_BYTES + self.state.bytes + 4 * self._recent_chars + members

    def since(self, number: int) -> list[tuple[int, str]] | None:
        """Events after this one, or None where memory does not reach back so far."""
        if number >= self.head:
            return []
        if not self.recent or self.recent[0][0] > number + 1:
            return None
        return [(told, text) for told, text in self.recent if told > number]

    @asynccontextmanager
    async def turn_of(self, gone: Gone | None) -> AsyncIterator[None]:
        """Holds the room's turn for a caller; CallerGone where the caller leaves before it comes."""
        acquiring = asyncio.ensure_future(self.turn.acquire())
        try:
            await self.awaited(acquiring, gone)
        except BaseException:
            if not acquiring.cancel() and not acquiring.cancelled():
                self.turn.release()
            raise
        try:
            yield
        finally:
            self.turn.release()

    async def awaited(self, work: asyncio.Future[T], gone: Gone | None) -> T:
        """The result of work in this room for which a caller waits."""
        self.callers += 1
        try:
            return await unless_gone(work, gone)
        finally:
            self.callers -= 1

    def wake(self) -> None:
        _call_all(self.listeners)

    @property
    def idle(self) -> bool:
        return not self.presence.here and not self.turn.locked()

    def is_member(self, player: str) -> bool:
        member = self.presence.members.get(player)
        return member is not None and member.left is None

    def _feedback(self) -> FeedbackAnswer:
        """Where the proof stands; that it is complete is not said in the name of another engine."""
        feedback = self.state.feedback_answer()
        if feedback.solved and self.is_judged_by_another:
            return replace(feedback, solved=False, message=JUDGED_AGAIN_NOW)
        return feedback

    def answer(self) -> RoomAnswer:
        state = self.state
        return RoomAnswer(
            room=self.id,
            code=self.code,
            program=self.entry.hash,
            level=self.level,
            variant=self.variant,
            owner=self.owner,
            engine=self.engine,
            version=self.version,
            last_event=self.head,
            inductive=state.inductive(),
            potential=state.potential(),
            solved=state.solved and not self.is_judged_by_another,
            feedback=self._feedback(),
            hints=state.hints.given,
            hint_coins=HINT_COINS,
            members=self.presence.answers(),
            judging_again=self.is_judged_by_another,
            unknown=state.unknown(),
            measures=state.measures(),
            ends="" if self.is_judged_by_another else state.tally.ends,
            ending=None if self.is_judged_by_another else state.ending_report(),
        )


def _call_all(listeners: Iterable[Callable[[], None]]) -> None:
    for listener in listeners:
        listener()
