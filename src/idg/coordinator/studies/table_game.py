"""The arm without code. Its answers are made here, field by field, so that nothing of the program can slip into them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from idg.coordinator.bounds.client_logs import store_logs
from idg.coordinator.cache import BytesCache, text_bytes
from idg.coordinator.catalog import Catalog, CatalogEntry
from idg.coordinator.errors import ApiError, not_found
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.players.scores import ACCEPTED_KINDS, TRACE_GEM_EXPRESSIONS
from idg.coordinator.pool.computing.traces import first_inputs, trace
from idg.coordinator.pool.json_text import dumps
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.room_state import read_tally
from idg.coordinator.rooms.rooms import ROOMS_SEARCHED_MAX, Rooms
from idg.coordinator.store import Event, NewLog, Store
from idg.coordinator.studies.studies import Participation
from idg.engine.wire.events import Traced
from idg.engine.wire.programs import TypedName
from idg.engine.wire.rooms import TextProblem
from idg.engine.wire.studies import LevelProgress, TableExpression, TableGame, TableLoop, TableRun, TableVerdict
from idg.sip.record import replace
from idg.sip.syntax import type_named
from idg.sip.values import ValueJson

POINTS = 10
"""What an accepted expression is worth."""
EVENTS_PAGE = 50
"""How many events of a room are read at once. An event may have a megabyte."""
ACCEPTED_BYTES_MAX = 8 * 2**20
"""Memory for what was accepted in rooms, so that only new events are read."""
ACCEPTED = tuple(kind.value for kind in ACCEPTED_KINDS)
EXPRESSION_BYTES = 300
"""What an accepted expression takes in memory besides its text."""
TUTORIAL = "tutorial"
"""The purpose of a room in which the tutorial is played."""


class AcceptedSoFar:
    """What was accepted in a room, each expression once, up to the last event that was read."""

    def __init__(self) -> None:
        self.last = 0
        self.expressions: dict[TableExpression, None] = {}

    def take(self, event: Event) -> None:
        self.last = max(self.last, event.number or 0)
        if event.kind == "judged":
            body = json.loads(event.body)
            if body.get("kind") in ACCEPTED:
                self.expressions[TableExpression(body["loop"], body["expression"])] = None

    @property
    def bytes(self) -> int:
        return EXPRESSION_BYTES * len(self.expressions) + text_bytes(*(known.expression for known in self.expressions))


class TableGames:
    def __init__(self, store: Store, catalog: Catalog, rooms: Rooms, questions: Questions) -> None:
        self.store = store
        self.catalog = catalog
        self.rooms = rooms
        self.questions = questions
        self._known: BytesCache[str, AcceptedSoFar] = BytesCache(ACCEPTED_BYTES_MAX)
        """Room → what was accepted there, as far as its events were read."""

    async def progress(self, taking_part: Participation) -> tuple[LevelProgress, ...]:
        """How far a participant of either arm is with each level."""
        player, variant = taking_part.participant.player, taking_part.arm.variant
        opened: set[str | None] = set()
        done: set[str | None] = set()
        for row in await self.store.rooms_of(player, ROOMS_SEARCHED_MAX):
            if (row.owner, row.variant, row.purpose) != (player, variant, None):
                continue
            opened.add(row.level)
            if variant == "code":
                is_done = self.rooms.open_rooms.is_current(row) and read_tally(row.tally).solved
            else:
                is_done = len(await self._accepted(row.id)) >= TRACE_GEM_EXPRESSIONS
            if is_done:
                done.add(row.level)
        return tuple(LevelProgress(level in opened, level in done) for level in taking_part.definition.levels)

    def _entry(self, taking_part: Participation, number: int) -> CatalogEntry:
        levels = taking_part.definition.levels
        entry = self.catalog.level(levels[number - 1]) if 1 <= number <= len(levels) else None
        if entry is None:
            raise not_found("level")
        return entry

    async def _room(self, entry: CatalogEntry, actor: ActingPlayer, tutorial: bool) -> LiveRoom:
        purpose = TUTORIAL if tutorial else None
        live = await self.rooms.own(entry, actor.player, "trace", purpose)
        return live or await self.rooms.create(entry, actor, "trace", False, purpose)

    async def open(self, taking_part: Participation, actor: ActingPlayer, number: int, tutorial: bool) -> TableGame:
        entry = self._entry(taking_part, number)
        live = await self._room(entry, actor, tutorial)
        if not tutorial:
            body = {"level": live.level, "room": live.id}
            opened = NewLog(self.rooms.clock(), "opened", dumps(body))
            await store_logs(self.store, self.rooms.quotas, actor.player, actor.session, [opened])
        inputs = await first_inputs(self.questions, entry, actor.asking(live.id))
        run = await self._run(entry, actor, live, inputs)
        accepted = await self._accepted(live.id)
        return TableGame(number, run, accepted, POINTS * len(accepted), TRACE_GEM_EXPRESSIONS)

    async def propose(
        self,
        taking_part: Participation,
        actor: ActingPlayer,
        number: int,
        loop: int,
        text: str,
        request: str | None,
        tutorial: bool,
    ) -> TableVerdict:
        live = await self._room(self._entry(taking_part, number), actor, tutorial)
        try:
            verdict = await self.rooms.propose(live, actor, loop, text, request)
        except ApiError as error:
            raise _own_text_only(error) from None
        body = json.loads(verdict.event.body)
        accepted = await self._accepted(live.id)
        return TableVerdict(body["kind"] in ACCEPTED, body["expression"], POINTS * len(accepted), len(accepted))

    async def trace(
        self,
        taking_part: Participation,
        actor: ActingPlayer,
        number: int,
        inputs: Mapping[str, ValueJson],
        origin: str,
        tutorial: bool,
    ) -> TableRun:
        entry = self._entry(taking_part, number)
        live = await self._room(entry, actor, tutorial)
        try:
            run = await self._run(entry, actor, live, inputs)
        except ApiError as error:
            if error.code != "bad-inputs":
                raise
            raise ApiError("bad-inputs", "there is no table for these inputs", field="inputs") from None
        await self.rooms.traced(live, actor, Traced(inputs, None, 0, (), origin))
        return run

    async def _run(self, entry: CatalogEntry, actor: ActingPlayer, live: LiveRoom, inputs: Mapping[str, ValueJson]) -> TableRun:
        asker = actor.asking(live.id)
        answer = json.loads(await trace(self.questions, entry, inputs, asker))
        # Of the program itself only the types of its variables and inputs are told.
        program = json.loads(await self.catalog.view(entry, inputs, asker))
        places = program["loops"]
        params = tuple(TypedName(param["name"], type_named(param["type"])) for param in program["params"])
        loops = []
        for shown in answer["loops"]:
            kinds = {column["name"]: type_named(column["type"]) for column in places[shown["loop"] - 1]["columns"]}
            columns = tuple(TypedName(name, kinds[name]) for name in shown["columns"])
            rows = tuple(map(tuple, shown["rows"]))
            loops.append(TableLoop(shown["loop"], columns, rows, shown["rows_total"]))
        return TableRun(params, dict(answer["inputs"]), tuple(loops))

    async def _accepted(self, room: str) -> tuple[TableExpression, ...]:
        """What was accepted in this room, in the order in which it was proposed."""
        accepted = self._known.get(room) or AcceptedSoFar()
        while True:
            page = await self.store.events(room, accepted.last, EVENTS_PAGE)
            async for event in with_pauses(page):
                accepted.take(event)
            if len(page) < EVENTS_PAGE:
                break
        self._known.put(room, accepted, accepted.bytes)
        return tuple(accepted.expressions)


def _own_text_only(error: ApiError) -> ApiError:
    """The error without hints, which might name what only the program shows."""
    if error.code != "bad-text":
        return error
    problems: list[TextProblem] = [replace(problem, hint="") for problem in error.problems or ()]
    return ApiError(error.code, error.message, field=error.field, place=error.place, problems=problems)
