"""The routes of levels, programs and traces, and of the reference of the language."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from idg.coordinator.catalog import CatalogEntry, level_entries, reference
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import not_found
from idg.coordinator.pool.traces import first_inputs, trace
from idg.coordinator.rooms.question_kinds import assessment_question
from idg.coordinator.rooms.questions import dumps
from idg.coordinator.web.caller import Calling, Coming, Coordinating
from idg.coordinator.web.models import NewProgram, TraceRequest
from idg.coordinator.web.routes.play import json_response, while_awaited
from idg.engine.wire.codec import Json, encode
from idg.engine.wire.events import Traced
from idg.engine.wire.programs import LevelList, ListedLevel, ListedWorld
from idg.levels import all_levels
from idg.sip.record import replace

router = APIRouter(prefix="/api", tags=["levels and programs"])
LevelId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,60}$", examples=["multiply"])]
ProgramHash = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", examples=["0" * 32])]


@router.get("/levels", response_model=dict[str, Any], summary="All levels, in the order of play")
async def levels() -> Json:
    entries = level_entries()
    worlds = dict.fromkeys(ListedWorld(level.world.id, level.world.title, level.world.text) for level in all_levels())
    listed = (
        ListedLevel(
            level.id,
            level.title,
            level.world.id,
            level.difficulty,
            level.text,
            len(entries[level.id].program.loops),
            entries[level.id].hash,
        )
        for level in all_levels()
    )
    return encode(LevelList(tuple(worlds), tuple(listed)))


@router.get("/levels/{level}", response_model=dict[str, Any], summary="A level with its program and first trace")
async def level(request: Request, level: LevelId, coordinator: Coordinating) -> Json:
    entry = coordinator.catalog.level(level)
    if entry is None:
        raise not_found("level")
    return await _shown(request, coordinator, entry)


@router.get("/levels/{level}/crowd", response_model=dict[str, Any], summary="What all players' proposals prove together")
async def crowd(level: LevelId, who: Calling, coordinator: Coordinating) -> Json:
    """Counts, and whether the guarantee is proved; the invariants themselves only for players who proved it themselves."""
    entry = coordinator.catalog.level(level)
    if entry is None:
        raise not_found("level")
    view = await coordinator.crowd.view(entry)
    scores = await coordinator.earnings.all_scores(who.player.id)
    if level not in scores.levels or not scores.levels[level].gem:
        view = replace(view, inductive=None)
    return encode(view)


@router.post("/programs", response_model=dict[str, Any], summary="Submit a program of your own")
async def submit(request: Request, body: NewProgram, visitor: Coming, coordinator: Coordinating) -> Response:
    """Checked, and kept once by the hash of its text. The answer is what `GET /api/programs/{program}` gives."""
    entry = await coordinator.catalog.checked(body.source, body.title)
    who = await visitor.arrive()
    await coordinator.catalog.put(entry, who.player.id, coordinator.clock())
    return visitor.with_cookie(json_response(dumps(await _shown(request, coordinator, entry))))


@router.get("/programs/{program}", response_model=dict[str, Any], summary="A program")
async def program(request: Request, program: ProgramHash, coordinator: Coordinating) -> Json:
    """Whoever has the hash can see it: that is how programs are shared."""
    return await _shown(request, coordinator, await _program(coordinator, program))


@router.get("/programs/{program}/assessment", response_model=dict[str, Any], summary="How hard a program is")
async def assessment(request: Request, program: ProgramHash, who: Calling, coordinator: Coordinating) -> Response:
    """By what the agent needed to prove it: `outcome` is solved (with `difficulty` 1 to 5), refuted (with the `run` that breaks its
    promise), or open (with the state that is left)."""
    entry = await _program(coordinator, program)
    work = coordinator.questions.ask(assessment_question(entry), f"program {entry.hash}", agent=True)
    return json_response((await while_awaited(request, work)).answer)


@router.post("/programs/{program}/traces", response_model=dict[str, Any], summary="Run a program")
async def traces(request: Request, program: ProgramHash, body: TraceRequest, who: Calling, coordinator: Coordinating) -> Response:
    """The states at the loop heads for these inputs. Values are texts."""
    entry = await _program(coordinator, program)
    live = None if body.room is None else await coordinator.open_rooms.of_member(body.room, who.player.id)
    work = trace(
        coordinator.questions,
        entry,
        dict(body.inputs),
        body.room or f"player {who.player.id}",
        loop=body.loop,
        seed=body.seed,
        rows_max=body.rows_max,
    )
    found = await while_awaited(request, work)
    if live is not None:
        await coordinator.rooms.traced(live, who.acting, Traced(body.inputs, body.loop, body.seed))
    return json_response(found)


@router.get("/reference", response_model=dict[str, Any], summary="Operators, functions and words, explained")
async def explained() -> Json:
    return reference()


async def _program(coordinator: Coordinator, hash: str) -> CatalogEntry:
    entry = await coordinator.catalog.program(hash)
    if entry is None:
        raise not_found("program")
    return entry


async def _shown(request: Request, coordinator: Coordinator, entry: CatalogEntry) -> Json:
    inputs = await while_awaited(request, first_inputs(coordinator.questions, entry, f"program {entry.hash}"))
    run = await while_awaited(request, trace(coordinator.questions, entry, inputs, f"program {entry.hash}"))
    return encode(replace(entry.answer, inputs=inputs)) | {"trace": json.loads(run)}
