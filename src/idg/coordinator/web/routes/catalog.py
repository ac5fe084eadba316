"""The routes of levels, programs and traces, and of the reference of the language."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from idg.coordinator.catalog import CatalogEntry, LanguageReference, daily_answer, level_list_text, reference
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import accepted, not_found
from idg.coordinator.pool.computing.calls import AboutC, AboutPython, AboutView
from idg.coordinator.pool.computing.traces import first_inputs, trace
from idg.coordinator.pool.jobs import Job
from idg.coordinator.rooms.judging.question_kinds import assessment_question
from idg.coordinator.web.answers import json_response, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import CText, NewProgram, PythonText, TraceRequest
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Calling, Coming, Coordinating, anybody
from idg.engine.wire.answers import Assessment, TraceAnswer
from idg.engine.wire.codec import encode
from idg.engine.wire.events import Traced
from idg.engine.wire.programs import DailyAnswer, LevelList, ProgramAnswer, ReadProgram, ShownProgram
from idg.engine.wire.rooms import CrowdView
from idg.sip.record import replace

router = APIRouter(prefix="/api", tags=["levels and programs"], route_class=StrictRoute, responses=error_responses())
LevelId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,60}$", examples=["multiply"])]
ProgramHash = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", examples=["0" * 32])]

ViewLanguage = Annotated[Literal["sip", "python", "c"], Query(alias="as", description="the language", examples=["python"])]


@router.get("/levels", responses=told(LevelList), summary="All levels, in the order of play")
async def levels() -> Response:
    return json_response(level_list_text())


@router.get("/levels/{level}", responses=told(ProgramAnswer), summary="A level with its program and first trace")
async def level(request: Request, level: LevelId, coordinator: Coordinating) -> Response:
    entry = coordinator.catalog.level(level)
    if entry is None:
        raise not_found("level")
    return await _shown(request, coordinator, entry)


@router.get("/levels/{level}/crowd", responses=told(CrowdView), summary="What all players' proposals prove together")
async def crowd(level: LevelId, who: Calling, coordinator: Coordinating) -> Response:
    """Counts, and whether the guarantee is proved; the invariants themselves only for players who proved it themselves."""
    entry = coordinator.catalog.level(level)
    if entry is None:
        raise not_found("level")
    view = await coordinator.crowd.view(entry, replace(who.acting.asking(f"crowd {entry.hash}"), agent=True))
    scores = await coordinator.earnings.all_scores(who.player.id)
    if level not in scores.levels or not scores.levels[level].gem:
        view = replace(view, inductive=None, resting=())
    return record_response(view)


@router.get("/daily", responses=told(DailyAnswer), summary="Today's level")
async def today(coordinator: Coordinating) -> Response:
    """The same for everybody on a day, which begins at midnight in Universal Time."""
    return record_response(daily_answer(coordinator.clock()))


@router.post("/programs", responses=told(ProgramAnswer), summary="Submit a program of your own")
async def submit(request: Request, body: NewProgram, visitor: Coming, coordinator: Coordinating) -> Response:
    """Checked, and kept once by the hash of its text. The answer is what `GET /api/programs/{program}` gives."""
    entry = await coordinator.catalog.checked(body.source, body.title, anybody(request, "programs"))
    who = await visitor.arrive()
    await coordinator.put_program(entry, who.acting)
    return visitor.with_cookie(await _shown(request, coordinator, entry))


@router.post("/programs/from-c", responses=told(ReadProgram), summary="Read a C text as a program")
async def read_c(request: Request, body: CText, coordinator: Coordinating) -> Response:
    """The SIP program that a C text means, with notes of the readings that were made where C and SIP differ. Nothing is stored."""
    source = body.source.replace("\r\n", "\n").replace("\r", "\n")
    job = Job("read_c", encode(AboutC(source, body.integers)), anybody(request, "programs"))
    return json_response(accepted(await coordinator.pool.ask(job))["answer"])


@router.post("/programs/from-python", responses=told(ReadProgram), summary="Read a Python text as a program")
async def read_python(request: Request, body: PythonText, coordinator: Coordinating) -> Response:
    """The SIP program that a function of a Python text means. Nothing is executed, and nothing is stored."""
    source = body.source.replace("\r\n", "\n").replace("\r", "\n")
    job = Job("read_python", encode(AboutPython(source)), anybody(request, "programs"))
    return json_response(accepted(await coordinator.pool.ask(job))["answer"])


@router.get("/programs/{program}", responses=told(ProgramAnswer), summary="A program")
async def program(request: Request, program: ProgramHash, coordinator: Coordinating) -> Response:
    """Whoever has the hash can see it: that is how programs are shared."""
    return await _shown(request, coordinator, await _program(coordinator, program))


@router.get("/programs/{program}/view", responses=told(ShownProgram), summary="A program as Python or C")
async def view(request: Request, program: ProgramHash, language: ViewLanguage, coordinator: Coordinating) -> Response:
    """It means the same there. What the language cannot say is refused (`no-view`)."""
    entry = await _program(coordinator, program)
    job = Job("show_as", encode(AboutView(entry.source, language)), anybody(request, f"program {entry.hash}"))
    return json_response(accepted(await coordinator.pool.ask(job))["answer"])


@router.get("/programs/{program}/assessment", responses=told(Assessment), summary="How hard a program is")
async def assessment(program: ProgramHash, who: Calling, coordinator: Coordinating) -> Response:
    """By what the agent needed to prove it: `outcome` is solved (with `difficulty` 1 to 5), refuted (with the `run` that breaks its
    promise), or open (with the state that is left)."""
    entry = await _program(coordinator, program)
    # A search of the agent comes after what people propose.
    asker = replace(who.acting.asking(f"program {entry.hash}"), agent=True)
    return json_response((await coordinator.questions.ask(assessment_question(entry), asker)).answer)


@router.post("/programs/{program}/traces", responses=told(TraceAnswer), summary="Run a program")
async def traces(program: ProgramHash, body: TraceRequest, who: Calling, coordinator: Coordinating) -> Response:
    """The states at the loop heads for these inputs, initial values and choices. Values are texts. With the `inputs`, the `seed`
    and the values of the `choices` of a refuting run you get that very run."""
    entry = await _program(coordinator, program)
    live = None if body.room is None else await coordinator.open_rooms.of_member(body.room, who.player.id)
    choices = tuple(map(tuple, body.choices))
    run = await trace(
        coordinator.questions,
        entry,
        dict(body.inputs),
        who.acting.asking(body.room or f"player {who.player.id}"),
        loop=body.loop,
        seed=body.seed,
        offset=body.offset,
        limit=body.limit,
        choices=choices,
    )
    if live is not None:
        await coordinator.rooms.traced(live, who.acting, Traced(body.inputs, body.loop, body.seed, choices, body.origin))
    return json_response(run)


@router.get("/reference", responses=told(LanguageReference), summary="Operators, functions and words, explained")
async def explained() -> Response:
    return record_response(reference())


async def _program(coordinator: Coordinator, hash: str) -> CatalogEntry:
    entry = await coordinator.catalog.program(hash)
    if entry is None:
        raise not_found("program")
    return entry


async def _shown(request: Request, coordinator: Coordinator, entry: CatalogEntry) -> Response:
    asker = anybody(request, f"program {entry.hash}")
    inputs = await first_inputs(coordinator.questions, entry, asker)
    run = await trace(coordinator.questions, entry, inputs, asker)
    # The JSON of a `ProgramAnswer` with its trace, which is JSON already and comes last.
    program = await coordinator.catalog.view(entry, inputs, asker)
    return json_response(f'{program[:-1]},"trace":{run}}}')
