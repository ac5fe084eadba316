"""The routes of players, of their progress and scores, and of the logs of their clients."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from idg.coordinator.errors import ApiError
from idg.coordinator.players.progress import export_progress, import_progress
from idg.coordinator.rooms.questions import dumps
from idg.coordinator.store import NewLog, PlayerRow
from idg.coordinator.web import models
from idg.coordinator.web.bodies import StrictRoute
from idg.coordinator.web.caller import COOKIE, Calling, Coordinating, set_cookie, token_of
from idg.coordinator.web.models import LogBatch, NewPlayer, Progress, Rename, UseCode

router = APIRouter(prefix="/api", tags=["players"], route_class=StrictRoute)


def _view(player: PlayerRow) -> dict[str, Any]:
    return {"player": player.id, "name": player.name, "agent": player.agent}


@router.post("/players", response_model=models.PlayerToken, summary="Become a player")
async def create(response: Response, body: NewPlayer, coordinator: Coordinating) -> dict[str, Any]:
    """Anonymous: a name is made up where none is given. The token is told once; only its hash is kept."""
    player, token = await coordinator.players.create(body.name, body.agent)
    set_cookie(response, token, coordinator.settings.secure)
    return _view(player) | {"token": token}


@router.get("/players/me", response_model=models.PlayerView, summary="Who you are")
async def me(who: Calling) -> dict[str, Any]:
    return _view(who.player)


@router.patch("/players/me", response_model=models.PlayerView, summary="Change your name")
async def rename(body: Rename, who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    player = await coordinator.players.rename(who.player, body.name)
    await coordinator.open_rooms.renamed(player)
    return _view(player)


@router.post("/players/me/codes", response_model=models.CodeView, summary="A code to continue on another device")
async def new_code(who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    """Good for one use within 15 minutes."""
    code, expires = await coordinator.players.new_code(who.player)
    return {"code": code, "expires": expires}


@router.post("/players/continue", response_model=models.PlayerToken, summary="Continue on this device")
async def continue_as(request: Request, response: Response, body: UseCode, coordinator: Coordinating) -> dict[str, Any]:
    address = request.client.host if request.client else "unknown"
    wait = request.app.state.code_buckets.take(address)
    if wait:
        raise ApiError("too-fast", "too many codes were tried from this address", retry_after_seconds=wait)
    player, token = await coordinator.players.continue_as(body.code)
    set_cookie(response, token, coordinator.settings.secure)
    return _view(player) | {"token": token}


@router.post("/players/me/forget", response_model=models.Empty, summary="Forget this device")
async def forget(request: Request, response: Response, who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    """The token of this request is good no longer."""
    token = token_of(request)
    assert token is not None, "the caller was found by it"
    await coordinator.players.forget(token)
    response.delete_cookie(COOKIE, path="/")
    return {}


@router.get("/players/me/scores", response_model=models.ScoresView, summary="Coins, gems and medals")
async def scores(who: Calling, coordinator: Coordinating) -> dict[str, object]:
    return (await coordinator.earnings.all_scores(who.player.id)).as_json()


@router.get("/players/me/progress", response_model=dict[str, Any], summary="Your progress as a file")
async def export(response: Response, who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    response.headers["content-disposition"] = 'attachment; filename="idg-progress.json"'
    return await export_progress(coordinator, who.player)


@router.post("/players/me/progress", response_model=models.ImportedView, summary="Import a progress file")
async def import_file(body: Progress, who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    """Every fact in it is judged again. A file with anything wrong in it is refused whole, and nothing is changed."""
    return {"rooms": await import_progress(coordinator, who.acting, body)}


@router.post("/logs", response_model=models.Empty, summary="A client's log")
async def logs(body: LogBatch, who: Calling, coordinator: Coordinating) -> dict[str, Any]:
    """What happened in the browser (focus, pauses, active time), in batches, for studies."""
    rows = [NewLog(row.time, row.kind, dumps(row.body)) for row in body.rows]
    await coordinator.store.put_logs(who.player.id, who.session, rows)
    return {}
