"""The web application: routes, answers to errors, and the built client."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from idg import __version__
from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.jobs import Busy, Closed, Failed, NoEngine
from idg.coordinator.store import NoSuchRoom, NotMember, PlayerDeleted, StoreUnavailable
from idg.coordinator.waiting import CallerGone
from idg.coordinator.web import socket
from idg.coordinator.web.answers import record_response
from idg.coordinator.web.describing.description import DescribedApi
from idg.coordinator.web.describing.docs_page import STYLE, docs_page
from idg.coordinator.web.fast_path import FastPath
from idg.coordinator.web.metrics import Metrics
from idg.coordinator.web.problems import CLIENT_GONE, as_api_error
from idg.coordinator.web.requests.guard import Guard, retry_header
from idg.coordinator.web.requests.study_gate import StudyGate
from idg.coordinator.web.routes import catalog as catalog_routes
from idg.coordinator.web.routes import classes as class_routes
from idg.coordinator.web.routes import play as play_routes
from idg.coordinator.web.routes import player as player_routes
from idg.coordinator.web.routes import server as server_routes
from idg.coordinator.web.routes import study as study_routes
from idg.coordinator.web.routes import teaching as teaching_routes
from idg.needs import is_installed

CODES_A_SECOND = 0.5
"""How many wrong codes one address may try a second on average, so that codes cannot be guessed."""
CODES_BURST = 100
"""How many wrong codes one address may try after a pause. Right ones count only while they are looked up: as many people can join
from one address at the same moment."""
FILE_NAME_BYTES_MAX = 255
"""The longest file name that file systems take; for a longer one the system would raise an error."""
PATH_CHARS_MAX = 1_000
"""The longest path of a file that is looked for."""
LEFT = (NoSuchRoom, NotMember, PlayerDeleted)
"""A room or a player was deleted, or the player left the room, elsewhere or a moment ago."""
# The folder of the built client, one level above this package.
STATIC = Path(__file__).parents[1] / "static"
NO_CLIENT = (
    "<!doctype html><meta charset=utf-8><title>IDG</title><p>The browser client is not built. Run <code>make setup</code> in the "
    "project (it needs Node), or play in the terminal: <code>idg play --terminal</code>. The API is at <a href=/api/openapi.json>"
    "/api/openapi.json</a>."
)


def create_app(coordinator: Coordinator) -> FastAPI:
    app = DescribedApi(
        title="IDG, the Invariant Discovery Game",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        description="Rooms in which people and agents look for loop invariants; the engine judges. Numbers are strings.",
        telemetry={"tracing": False, "metrics": False, "logs": False},  # We have metrics of our own; each request would pay for it.
    )
    app.state.coordinator = coordinator
    app.state.player_buckets = Buckets(coordinator.settings.rate_player, time.monotonic)
    app.state.code_buckets = Buckets(CODES_A_SECOND, time.monotonic, burst_min=CODES_BURST)
    for buckets in (app.state.player_buckets, app.state.code_buckets):
        coordinator.limits.add(buckets.divide)
    app.state.metrics = Metrics(coordinator.readings)
    for module in (
        *(catalog_routes, play_routes, player_routes, study_routes, class_routes, teaching_routes, server_routes),
        socket,
    ):
        # The routes themselves are added: include_router would make each of them anew, which takes as long as importing them.
        app.router.routes.extend(module.router.routes)
    if is_installed("lti"):
        from idg.coordinator.web.routes import lti as lti_routes

        for router in (lti_routes.router, lti_routes.pages):
            app.router.routes.extend(router.routes)
    _add_description(app)
    _add_errors(app)
    _add_client(app)
    app.front = Guard(StudyGate(FastPath(app.behind)), coordinator.settings, app.state.metrics, coordinator.address_rates)
    return app


def _add_description(app: DescribedApi) -> None:
    """Serve the description of the API, for programs and as a page to read. It is made when somebody asks for it, because few do
    and it takes half a second; and in a thread, because that is longer than a request may take in the event loop."""
    making = asyncio.Lock()
    made: list[tuple[bytes, str]] = []

    def make() -> tuple[bytes, str]:
        description = app.openapi()
        return bytes(JSONResponse(description).body), docs_page(description)

    async def both() -> tuple[bytes, str]:
        async with making:
            if not made:
                made.append(await asyncio.to_thread(make))
        return made[0]

    async def describe(request: Request) -> Response:
        return Response((await both())[0], media_type="application/json")

    async def page(request: Request) -> Response:
        return HTMLResponse((await both())[1])

    async def style(request: Request) -> Response:
        return Response(STYLE, media_type="text/css")

    app.add_route("/api/openapi.json", describe)
    app.add_route("/api/docs", page)
    app.add_route("/api/docs.css", style)


def _add_errors(app: FastAPI) -> None:
    async def handle(request: Request, error: Exception) -> Response:
        problem = as_api_error(error)
        headers = {name.decode(): value.decode() for name, value in retry_header(problem)}
        return record_response(problem.answer(), problem.status, headers)

    for kind in (
        ApiError,
        RequestValidationError,
        HTTPException,
        Busy,
        StoreUnavailable,
        *LEFT,
        Failed,
        NoEngine,
        Closed,
        Exception,
    ):
        app.add_exception_handler(kind, handle)

    async def gone(request: Request, error: Exception) -> Response:
        return Response(status_code=CLIENT_GONE)

    for left in (ClientDisconnect, CallerGone):
        app.add_exception_handler(left, gone)


def _file(path: str) -> Path | None:
    """The file of the built client to which a path leads; None where it leads outside or can be no file."""
    if "\0" in path or any(len(part.encode()) > FILE_NAME_BYTES_MAX for part in path.split("/")) or len(path) > PATH_CHARS_MAX:
        return None
    file = (STATIC / path).resolve()
    return file if file.is_relative_to(STATIC.resolve()) else None


def _add_client(app: FastAPI) -> None:
    """Serve the built client. Browsers keep files with a hash in their name for ever, and ask for the page itself each time."""

    async def serve(path: str) -> Response:
        file = _file(path)
        if path == "api" or path.startswith("api/") or file is None:
            raise HTTPException(404, "there is no such address")
        if path and file.is_file():
            kept = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"cache-control": kept})
        if path.startswith("assets/") or "." in path.rsplit("/", 1)[-1]:
            raise HTTPException(404, "there is no such file")
        page = STATIC / "index.html"
        if not page.is_file():
            return HTMLResponse(NO_CLIENT, 503)
        return FileResponse(page, headers={"cache-control": "no-cache"})

    app.add_api_route("/{path:path}", serve, methods=["GET", "HEAD"], include_in_schema=False)
