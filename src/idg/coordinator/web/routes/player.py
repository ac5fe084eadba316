"""The routes of players, of their progress and scores, and of the logs of their clients."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from idg.coordinator.bounds.client_logs import store_logs
from idg.coordinator.players.progress import ProgressFile, export_progress, import_progress
from idg.coordinator.players.scores import PlayerScores
from idg.coordinator.pool.json_text import dumps
from idg.coordinator.store import NewLog
from idg.coordinator.studies.browser_logs import BrowserRow, checked_rows
from idg.coordinator.studies.studies import PLAYER_PREFIX
from idg.coordinator.web.answers import CodeAnswer, Empty, ImportedRooms, player_answer, player_token, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import LogBatch, NewPlayer, Progress, Rename, UseCode
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Calling, Coordinating, token_of, with_code, with_cookie, without_player
from idg.engine.wire.rooms import PlayerAnswer, PlayerToken

router = APIRouter(prefix="/api", tags=["players"], route_class=StrictRoute, responses=error_responses())


@router.post("/players", responses=told(PlayerToken), summary="Become a player")
async def create(request: Request, body: NewPlayer, coordinator: Coordinating) -> Response:
    """Anonymous: a name is made up where none is given. The token is told once; only its hash is kept."""
    player, token = await coordinator.players.create(body.name, body.agent, address_of(request.scope))
    return with_cookie(record_response(player_token(player, token)), token, coordinator.settings.secure)


@router.get("/players/me", responses=told(PlayerAnswer), summary="Who you are")
async def me(who: Calling) -> Response:
    return record_response(player_answer(who.player))


@router.patch("/players/me", responses=told(PlayerAnswer), summary="Change your name")
async def rename(body: Rename, who: Calling, coordinator: Coordinating) -> Response:
    player = await coordinator.players.rename(who.player, body.name)
    coordinator.open_rooms.renamed(player.id, player.name)
    return record_response(player_answer(player))


@router.post("/players/me/codes", responses=told(CodeAnswer), summary="A code to continue on another device")
async def new_code(who: Calling, coordinator: Coordinating) -> Response:
    """Good for one use within 15 minutes."""
    code, expires = await coordinator.players.new_code(who.player)
    return record_response(CodeAnswer(code, expires))


@router.post("/players/continue", responses=told(PlayerToken), summary="Continue on this device")
async def continue_as(request: Request, body: UseCode, coordinator: Coordinating) -> Response:
    player, token = await with_code(request, lambda: coordinator.players.continue_as(body.code))
    return with_cookie(record_response(player_token(player, token)), token, coordinator.settings.secure)


@router.post("/players/me/forget", responses=told(Empty), summary="Forget this device")
async def forget(request: Request, who: Calling, coordinator: Coordinating) -> Response:
    """The token of this request is good no longer. After a study, the browser has the player again that it had before."""
    token = token_of(request)
    assert token is not None, "the caller was found by it"
    await coordinator.players.forget(token)
    return without_player(record_response(Empty()), request, coordinator.settings.secure)


@router.get("/players/me/scores", responses=told(PlayerScores), summary="Coins, gems and medals")
async def scores(who: Calling, coordinator: Coordinating) -> Response:
    return record_response(await coordinator.earnings.all_scores(who.player.id))


@router.get("/players/me/progress", responses=told(ProgressFile), summary="Your progress as a file")
async def export(who: Calling, coordinator: Coordinating) -> Response:
    response = record_response(await export_progress(coordinator, who.player))
    response.headers["content-disposition"] = 'attachment; filename="idg-progress.json"'
    return response


@router.post("/players/me/progress", responses=told(ImportedRooms), summary="Import a progress file")
async def import_file(body: Progress, who: Calling, coordinator: Coordinating) -> Response:
    """Every fact in it is judged again. With the seal of this server, what was earned and spent comes back, too. A file with
    anything wrong in it is refused whole, and nothing is changed."""
    seal, rooms = await import_progress(coordinator, who.acting, body)
    return record_response(ImportedRooms(rooms, seal))


@router.post("/logs", responses=told(Empty), summary="A client's log")
async def logs(body: LogBatch, who: Calling, coordinator: Coordinating) -> Response:
    """What happened in the browser (focus, pauses, active time), in batches, for studies."""
    taking_part = await coordinator.studies.participation(who.player.id) if who.player.id.startswith(PLAYER_PREFIX) else None
    if taking_part is None:
        rows = [NewLog(row.time, row.kind, dumps(row.body)) for row in body.rows]
    else:
        browser_rows = [BrowserRow(row.kind, row.time, row.body) for row in body.rows]
        rows = checked_rows(taking_part, browser_rows, body.sent, coordinator.clock())
    await store_logs(coordinator.store, coordinator.quotas, who.player.id, who.session, rows)
    return record_response(Empty())
