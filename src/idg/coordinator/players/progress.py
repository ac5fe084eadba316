"""A player's progress as a file. On import the engine judges every fact again, because a file proves nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.event_loop import with_pauses
from idg.coordinator.pool.calls import ProposedText
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging import ActingPlayer
from idg.coordinator.rooms.room_state import read_state
from idg.coordinator.store import PlayerRow, RoomOutline
from idg.engine.version import engine_version
from idg.engine.wire.answers import BatchAnswer, JudgedFact
from idg.engine.wire.codec import decode
from idg.engine.wire.programs import Variant
from idg.sip.record import Record, replace

if TYPE_CHECKING:
    from idg.coordinator.coordinator import Coordinator
    from idg.coordinator.web.models import Progress, SavedRoom

FORMAT: Literal["idg-progress"] = "idg-progress"
VERSION: Literal[1] = 1
"""The version of the format."""
ROOMS_MAX = 200
"""How many of the newest rooms are exported."""
FACTS_MAX = 100
"""How many facts of a room are exported."""
FILE_BYTES_MAX = 400_000
"""How long a file may be that is imported."""
FILE_CHARS_MAX = 390_000
"""About how many characters of rooms are exported, so that the file can be imported again. Those beyond ASCII may take more bytes,
but programs and facts have hardly any."""


class ExportedFact(Record):
    """A fact on the books of a room."""

    loop: int
    expression: str
    kind: Literal["inductive", "potential", "unknown"]


class ExportedRoom(Record):
    """A room in a progress file. A room of a level names it; one of a player's own program has the program's source."""

    variant: Variant
    solved: bool
    facts: tuple[ExportedFact, ...]
    level: str | None = None
    source: str | None = None
    title: str | None = None
    engine: str = ""
    """The version of the engine that judged these facts."""


class ProgressFile(Record):
    """A player's progress, as a file that can be imported again."""

    format: Literal["idg-progress"]
    version: Literal[1]
    name: str
    exported: float
    """When, in seconds since 1970."""
    engine: str
    rooms: tuple[ExportedRoom, ...]


class ImportedRoom(Record):
    """A room into which facts of a progress file were put, and what the engine says of them."""

    room: str
    level: str | None
    program: str
    kinds: tuple[JudgedFact, ...]
    solved: bool


async def export_progress(coordinator: Coordinator, player: PlayerRow) -> ProgressFile:
    """The file with the player's newest room of each program and variant, as many of them as can be imported at once."""
    rooms: dict[tuple[str, str], ExportedRoom] = {}
    chars = 0
    async for outline in with_pauses(await coordinator.store.rooms_of(player.id, ROOMS_MAX)):
        if (outline.program, outline.variant) not in rooms:
            room = await _exported(coordinator, outline)
            chars += len(record_text(room))
            if chars > FILE_CHARS_MAX:
                break
            rooms[outline.program, outline.variant] = room
    return ProgressFile(FORMAT, VERSION, player.name, coordinator.clock(), engine_version(), tuple(rooms.values()))


async def _exported(coordinator: Coordinator, outline: RoomOutline) -> ExportedRoom:
    row = await coordinator.store.room(outline.id)
    assert row is not None, "rooms are never deleted"
    state = read_state(row.state)
    facts: list[ExportedFact] = []
    for number, loop in enumerate(state.loops, 1):
        facts += (ExportedFact(number, text, "inductive") for text in loop.inductive)
        facts += (ExportedFact(number, text, "potential") for text in loop.potential)
        facts += (ExportedFact(number, text, "unknown") for text in loop.unknown)
    solved = coordinator.open_rooms.is_current(row) and state.solved
    room = ExportedRoom(row.variant, solved, tuple(facts[:FACTS_MAX]), row.level, engine=row.engine)
    if row.level is None:
        entry = await coordinator.catalog.program(row.program)
        assert entry is not None, "rooms play stored programs"
        room = replace(room, source=entry.source, title=entry.title)
    return room


async def import_progress(coordinator: Coordinator, actor: ActingPlayer, file: Progress) -> tuple[ImportedRoom, ...]:
    """Check the whole file first, then propose its facts room by room."""
    by = actor.asking("progress")
    checked = [(saved, await _entry(coordinator, saved, index, by)) for index, saved in enumerate(file.rooms)]
    for room_index, (saved, entry) in enumerate(checked):
        texts = [
            ProposedText(fact.loop, fact.expression, f"rooms.{room_index}.facts.{fact_index}")
            for fact_index, fact in enumerate(saved.facts)
        ]
        try:
            await coordinator.texts.canonical(entry, texts, by)
        except ApiError as error:
            wrong = next((proposed.text[:80] for proposed in texts if proposed.field == error.field), "")
            raise ApiError("bad-file", f"{error.message} ('{wrong}')", field=error.field) from None
    return tuple([await _import_room(coordinator, actor, saved, entry) for saved, entry in checked])


async def _entry(coordinator: Coordinator, saved: SavedRoom, index: int, by: Asker) -> CatalogEntry:
    field = f"rooms.{index}"
    if (saved.level is None) == (saved.source is None):
        raise ApiError("bad-file", "a saved room names either a level or a source", field=field)
    if saved.source is not None:
        try:
            return await coordinator.catalog.checked(saved.source, saved.title, by)
        except ApiError as error:
            raise ApiError("bad-file", error.message, hint=error.hint, field=field, problems=error.problems) from None
    entry = coordinator.catalog.level(saved.level or "")
    if entry is None:
        raise ApiError("bad-file", f"there is no level '{saved.level}'", field=field)
    return entry


async def _import_room(coordinator: Coordinator, actor: ActingPlayer, saved: SavedRoom, entry: CatalogEntry) -> ImportedRoom:
    await coordinator.put_program(entry, actor)
    live = await coordinator.rooms.own(entry, actor.player, saved.variant)
    if live is None:
        live = await coordinator.rooms.create(entry, actor, saved.variant, shared=False)
    coordinator.earnings.forget(actor.player, live.entry.hash)
    kinds: tuple[JudgedFact, ...] = ()
    if saved.facts:
        proposals = [(fact.loop, fact.expression) for fact in saved.facts]
        judged = await coordinator.rooms.propose_many(live, actor, proposals, None, imported=True)
        kinds = decode(BatchAnswer, json.loads(judged.event.body)).kinds
    return ImportedRoom(live.id, saved.level, entry.hash, kinds, live.answer().solved)
