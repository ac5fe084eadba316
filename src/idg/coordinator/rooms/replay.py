"""Replay: a room's history judged again from its first event must lead to the same verdicts and the same books."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from idg.coordinator.catalog import Catalog, CatalogEntry
from idg.coordinator.pool.jobs import Job, Pool
from idg.coordinator.rooms.live_room import Situation
from idg.coordinator.rooms.questions import Answered, answered_of, dumps
from idg.coordinator.store import Event, RoomRow, Store
from idg.engine.version import ENGINE_VERSION
from idg.sip.record import Record

PAGE = 500


class Difference(Record):
    """Where a replay and the log disagree."""

    number: int
    what: str
    recorded: str
    replayed: str


class Replayed(Record):
    room: str
    events: int
    judged: int
    limited: int
    """Verdicts that a limit of time or memory ended: those cannot be repeated, only that they changed nothing."""
    differences: tuple[Difference, ...]
    engine: str
    """That judged it then; another one may say other things."""

    @property
    def same(self) -> bool:
        return not self.differences


async def replay(store: Store, pool: Pool, room: str, progress: Callable[[int, int], None] = lambda at, of: None) -> Replayed:
    """LookupError where there is no such room."""
    row = await store.room(room)
    if row is None:
        raise LookupError(f"there is no room {room}")
    entry = await Catalog(store).program(row.program)
    assert entry is not None, "rooms play stored programs"
    replayer = Replayer(pool, row, entry)
    await replayer.start()
    after = 0
    while True:
        page = await store.events(room, after, PAGE)
        for event in page:
            await replayer.take(event)
            after = event.number or 0
            progress(after, row.last_event)
        if len(page) < PAGE:
            break
    replayer.compare(row.last_event, "the books at the end", row.state, replayer.situation.text())
    return Replayed(room, after, replayer.judged, replayer.limited, tuple(replayer.differences), row.engine)


class Replayer:
    def __init__(self, pool: Pool, row: RoomRow, entry: CatalogEntry) -> None:
        self.pool = pool
        self.row = row
        self.entry = entry
        self.proposals: dict[int, dict[str, Any]] = {}
        self.differences: list[Difference] = []
        self.judged = self.limited = 0
        self.situation: Situation
        self._first: Answered
        self._solved: str | None = None

    async def start(self) -> None:
        self._first = await self._ask("start", {})
        self.situation = Situation.first(self._first)

    async def take(self, event: Event) -> None:
        number = event.number or 0
        match event.kind:
            case "proposed":
                self.proposals[number] = json.loads(event.body)
            case "judged":
                await self._judge(event)
            case "solved":
                self.compare(number, "solved", event.body, self._solved or "not solved")
            case "feedback":
                found = await self._ask("feedback", self._books())
                self.compare(number, "the state to rule out", event.body, found.feedback)
                self.situation = self.situation.shown(found)
            case "hint":
                await self._hint(event)
            case "reset":
                self.situation = self.situation.reset(self._first)

    async def _judge(self, event: Event) -> None:
        self.judged += 1
        proposal = self.proposals[event.answers or 0]
        recorded = json.loads(event.body)
        if "limited" in recorded:
            self.limited += 1
            found = Answered(event.body, facts={**recorded, "changed": False})
        else:
            call = "propose_many" if "proposals" in proposal else "propose"
            wanted = ("proposals",) if "proposals" in proposal else ("expression", "loop")
            found = await self._ask(call, self._books() | {name: proposal[name] for name in wanted})
            self.compare(event.number or 0, "the verdict", event.body, found.answer)
        self.situation, self._solved = self.situation.after(
            event.player or "", found, self.row.variant, self.entry.par, bool(proposal.get("imported"))
        )

    async def _hint(self, event: Event) -> None:
        found = await self._ask("hint", self._books() | {"plan": self.situation.hints["plan"]})
        answer, recorded = json.loads(found.answer), json.loads(event.body)
        step = None if answer["hint"] is None else self.situation.next_hint(answer)
        # What it cost depends on the player's other rooms; that is taken from the log.
        replayed = None if step is None else step | {"coins": recorded["coins"]}
        self.compare(event.number or 0, "the hint", event.body, dumps(replayed))
        if replayed is not None:
            self.situation = self.situation.hinted(event.player or "", answer, replayed)

    def compare(self, number: int, what: str, recorded: str, replayed: str) -> None:
        if recorded != replayed:
            self.differences.append(Difference(number, what, recorded, replayed))

    def _books(self) -> dict[str, Any]:
        return {"books": json.loads(self.situation.books)}

    async def _ask(self, call: str, arguments: dict[str, Any]) -> Answered:
        return answered_of(await self.pool.ask(Job(call, {"source": self.entry.source, **arguments}, self.row.id)))


def engine_note(found: Replayed) -> str:
    if found.engine == ENGINE_VERSION:
        return ""
    return f"recorded with engine version {found.engine}, replayed with {ENGINE_VERSION}: verdicts may differ"
