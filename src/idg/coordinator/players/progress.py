"""A player's progress as a file. On import the engine judges every fact again, because a file proves nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.judging import ActingPlayer
from idg.coordinator.rooms.room_state import read_state
from idg.coordinator.store import PlayerRow
from idg.engine.version import ENGINE_VERSION

if TYPE_CHECKING:
    from idg.coordinator.coordinator import Coordinator
    from idg.coordinator.web.models import Progress, SavedRoom

FORMAT = "idg-progress"
VERSION = 1
"""The version of the format."""
ROOMS_MAX = 200
"""How many of the newest rooms are exported."""
FACTS_MAX = 100
"""How many facts of a room are exported."""


async def export_progress(coordinator: Coordinator, player: PlayerRow) -> dict[str, Any]:
    """The file with the player's newest room of each program and variant."""
    rooms: dict[tuple[str, str], dict[str, Any]] = {}
    for row in await coordinator.store.rooms_of(player.id, ROOMS_MAX):
        if (row.program, row.variant) in rooms:
            continue
        state = read_state(row.state)
        facts = [
            {"loop": number, "expression": text, "kind": kind}
            for number, loop in enumerate(state.loops, 1)
            for kind, texts in (("inductive", loop.inductive), ("potential", loop.potential))
            for text in texts
        ]
        saved: dict[str, Any] = {"variant": row.variant, "solved": state.solved, "facts": facts[:FACTS_MAX]}
        if row.level is not None:
            saved["level"] = row.level
        else:
            entry = await coordinator.catalog.program(row.program)
            assert entry is not None, "rooms play stored programs"
            saved |= {"source": entry.source, "title": entry.title}
        rooms[row.program, row.variant] = saved
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": player.name,
        "exported": coordinator.clock(),
        "engine": ENGINE_VERSION,
        "rooms": list(rooms.values()),
    }


async def import_progress(coordinator: Coordinator, actor: ActingPlayer, file: Progress) -> list[dict[str, Any]]:
    """Check the whole file first, then propose its facts room by room."""
    checked = [(saved, await _entry(coordinator, saved, index)) for index, saved in enumerate(file.rooms)]
    for room_index, (saved, entry) in enumerate(checked):
        for fact_index, fact in enumerate(saved.facts):
            try:
                entry.canonical(fact.expression, fact.loop)
            except ApiError as error:
                field = f"rooms.{room_index}.facts.{fact_index}"
                raise ApiError("bad-file", f"{error.message} ('{fact.expression[:80]}')", where={"field": field}) from None
    return [await _import_room(coordinator, actor, saved, entry) for saved, entry in checked]


async def _entry(coordinator: Coordinator, saved: SavedRoom, index: int) -> CatalogEntry:
    where = {"field": f"rooms.{index}"}
    if (saved.level is None) == (saved.source is None):
        raise ApiError("bad-file", "a saved room names either a level or a source", where=where)
    if saved.source is not None:
        try:
            return await coordinator.catalog.checked(saved.source, saved.title)
        except ApiError as error:
            raise ApiError("bad-file", error.message, hint=error.hint, where=where, problems=error.problems) from None
    entry = coordinator.catalog.level(saved.level or "")
    if entry is None:
        raise ApiError("bad-file", f"there is no level '{saved.level}'", where=where)
    return entry


async def _import_room(coordinator: Coordinator, actor: ActingPlayer, saved: SavedRoom, entry: CatalogEntry) -> dict[str, Any]:
    entry = await coordinator.catalog.put(entry, actor.player, coordinator.clock())
    live = await coordinator.rooms.own(entry, actor.player, saved.variant)
    if live is None:
        live = await coordinator.rooms.create(entry, actor, saved.variant, shared=False)
    coordinator.earnings.forget(actor.player, live)
    told: dict[str, Any] = {"room": live.id, "level": saved.level, "program": entry.hash, "kinds": []}
    if saved.facts:
        proposals = [(fact.loop, fact.expression) for fact in saved.facts]
        judged = await coordinator.rooms.propose_many(live, actor, proposals, None, imported=True)
        told["kinds"] = json.loads(judged.event.body)["kinds"]
    return told | {"solved": live.state.solved}
