"""The routes of studies: consent and arm, the game without code, the questions at the end, withdrawing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.studies.studies import PLAYER_PREFIX, Participation
from idg.coordinator.web.answers import Empty, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import NewParticipant, QuestionAnswers, TableInputs, TableProposal
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import (
    Caller,
    Calling,
    Coordinating,
    keeping_player,
    known_player,
    token_of,
    with_cookie,
    without_player,
)
from idg.engine.wire.studies import ParticipantAnswer, StudyAnswer, TableGame, TableRun, TableVerdict

LEVEL_NUMBER_MAX = 1_000
"""The largest number of a level that is understood at all."""

router = APIRouter(prefix="/api/studies", tags=["studies"], route_class=StrictRoute, responses=error_responses())
StudyName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$", examples=["mine"])]
LevelNumber = Annotated[int, Path(ge=1, le=LEVEL_NUMBER_MAX, examples=[1])]
Tutorial = Annotated[bool, Query(description="in a room of the tutorial, which counts nowhere", examples=[False])]


@router.get("/{study}", responses=told(StudyAnswer), summary="A study")
async def view(study: StudyName, coordinator: Coordinating) -> Response:
    """The text to agree to, and what is stored."""
    return record_response(await coordinator.studies.view(study))


@router.post("/{study}/participants", responses=told(ParticipantAnswer), summary="Take part in a study")
async def enrol(request: Request, study: StudyName, body: NewParticipant, coordinator: Coordinating) -> Response:
    """Agree to the text of this version. The server assigns an arm, which stays. The caller becomes a new player, for this study
    alone."""
    caller = None
    if token_of(request) is not None:
        try:
            caller = await known_player(request)
        except ApiError as error:
            if error.code != "wrong-token":
                raise
    answer, token = await coordinator.studies.enrol(study, body.pid, body.consent, caller, address_of(request.scope))
    response = record_response(answer)
    if token is None:
        return response
    secure = coordinator.settings.secure
    if caller is not None and not caller.id.startswith(PLAYER_PREFIX):
        response = keeping_player(response, request, secure)
    return with_cookie(response, token, secure)


@router.get("/{study}/me", responses=told(ParticipantAnswer), summary="Your part in a study")
async def me(study: StudyName, who: Calling, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.studies.me(who.player.id, study))


@router.post("/{study}/background", responses=told(ParticipantAnswer), summary="Answer the questions at the beginning")
async def background(study: StudyName, body: QuestionAnswers, who: Calling, coordinator: Coordinating) -> Response:
    """Any question may be left out."""
    return record_response(await coordinator.studies.background(who.player.id, who.session, study, body.answers))


@router.post("/{study}/answers", responses=told(ParticipantAnswer), summary="Answer the questions and finish")
async def answers(study: StudyName, body: QuestionAnswers, who: Calling, coordinator: Coordinating) -> Response:
    """Any question may be left out. The answer has the completion code."""
    return record_response(await coordinator.studies.finish(who.player.id, who.session, study, body.answers))


@router.post("/{study}/withdraw", responses=told(Empty), summary="Withdraw from a study")
async def withdraw(request: Request, study: StudyName, who: Calling, coordinator: Coordinating) -> Response:
    """Everything that is stored about you is deleted, except that somebody withdrew, and from which arm."""
    gone = await coordinator.studies.withdraw(who.player.id, study)
    coordinator.neighbours.deleted(gone, with_players=True)
    return without_player(record_response(Empty()), request, coordinator.settings.secure)


async def _table_player(study: str, who: Caller, coordinator: Coordinator) -> Participation:
    """ApiError unless the caller is in the arm without code."""
    taking_part = await coordinator.studies.of_caller(who.player.id, study)
    if taking_part.arm.variant != "trace":
        raise ApiError("not-in-study", "this is not your arm of the study")
    return taking_part


@router.post("/{study}/levels/{number}", responses=told(TableGame), summary="Open a level without code")
async def open_level(
    study: StudyName, number: LevelNumber, who: Calling, coordinator: Coordinating, tutorial: Tutorial = False
) -> Response:
    """For the arm without code: its table, what was accepted before, and points. Nothing else of the program is told."""
    taking_part = await _table_player(study, who, coordinator)
    return record_response(await coordinator.table_games.open(taking_part, who.acting, number, tutorial))


@router.post("/{study}/levels/{number}/proposals", responses=told(TableVerdict), summary="Propose without code")
async def propose(
    study: StudyName, number: LevelNumber, body: TableProposal, who: Calling, coordinator: Coordinating, tutorial: Tutorial = False
) -> Response:
    """For the arm without code: accepted or not, and points."""
    taking_part = await _table_player(study, who, coordinator)
    verdict = await coordinator.table_games.propose(
        taking_part, who.acting, number, body.loop, body.expression, body.request, tutorial
    )
    return record_response(verdict)


@router.post("/{study}/levels/{number}/traces", responses=told(TableRun), summary="Another table without code")
async def traces(
    study: StudyName, number: LevelNumber, body: TableInputs, who: Calling, coordinator: Coordinating, tutorial: Tutorial = False
) -> Response:
    """For the arm without code: the table for other inputs."""
    taking_part = await _table_player(study, who, coordinator)
    run = await coordinator.table_games.trace(taking_part, who.acting, number, dict(body.inputs), body.origin, tutorial)
    return record_response(run)
