"""The web application: routes, errors, the built client."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from idg import __version__
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import CODES, ApiError
from idg.coordinator.pool import Busy, CallError, Closed, Failed
from idg.coordinator.store import StoreBusy
from idg.coordinator.web import catalog_routes, play_routes, player_routes, server_routes, socket
from idg.coordinator.web.guard import Guard, retry_header
from idg.coordinator.web.limits import Buckets
from idg.coordinator.web.metrics import Metrics
from idg.coordinator.web.models import ErrorView

CODES_A_SECOND = 0.5
STATIC = Path(__file__).parents[1] / "static"
NO_CLIENT = (
    "<!doctype html><meta charset=utf-8><title>IDG</title><p>The browser client is not built. Run <code>make setup</code> in the "
    "project (it needs Node), or play in the terminal: <code>idg play --terminal</code>. The API is at <a href=/api/openapi.json>"
    "/api/openapi.json</a>."
)
STATUSES = {404: "no-route", 405: "wrong-method", 413: "too-large", 415: "wrong-content-type"}

log = logging.getLogger("idg.web")


def create_app(coordinator: Coordinator) -> FastAPI:
    app = FastAPI(
        title="IDG, the Invariant Discovery Game", version=__version__, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", responses=_error_responses(),
        description="Rooms in which people and agents look for loop invariants; the engine judges. Numbers are strings.",
    )
    app.state.coordinator = coordinator
    app.state.player_buckets = Buckets(coordinator.settings.rate_player, time.monotonic)
    app.state.code_buckets = Buckets(CODES_A_SECOND, time.monotonic)
    app.state.metrics = Metrics(coordinator.readings)
    for module in (catalog_routes, play_routes, player_routes, server_routes, socket):
        app.include_router(module.router)
    _add_errors(app)
    _add_client(app)
    app.add_middleware(Guard, settings=coordinator.settings, metrics=app.state.metrics, clock=time.monotonic)
    return app


def _error_responses() -> dict[int | str, dict[str, Any]]:
    found: dict[int | str, dict[str, Any]] = {}
    for code, (status, text) in CODES.items():
        row = found.setdefault(status, {"model": ErrorView, "description": ""})
        row["description"] = f"{row['description']} `{code}`: {text}".strip()
    return found


def _add_errors(app: FastAPI) -> None:
    def respond(error: ApiError) -> Response:
        headers = {name.decode(): value.decode() for name, value in retry_header(error)}
        return JSONResponse(error.as_json(), error.status, headers)

    def handler(kind: type[Exception], translate: Callable[[Any], ApiError]) -> None:
        async def handle(request: Request, error: Exception) -> Response:
            return respond(translate(error))

        app.add_exception_handler(kind, handle)

    def failed(error: Failed) -> ApiError:
        return ApiError("no-answer", f"there is no answer: {error.detail}", retry_after_seconds=5)

    def internal(error: Exception) -> ApiError:
        return ApiError("internal", "a mistake of the server's; it was logged")

    handler(ApiError, lambda error: error)
    handler(RequestValidationError, _invalid)
    handler(HTTPException, _http)
    handler(Busy, lambda error: ApiError("busy", str(error), retry_after_seconds=error.retry_after_seconds))
    handler(StoreBusy, lambda error: ApiError("busy", str(error), retry_after_seconds=1))
    handler(Failed, failed)
    handler(Closed, lambda error: ApiError("busy", "the server is ending; try again soon", retry_after_seconds=2))
    handler(CallError, internal)
    handler(Exception, internal)


def _invalid(error: RequestValidationError) -> ApiError:
    first = error.errors()[0]
    place = ".".join(str(each) for each in first["loc"][1:]) or str(first["loc"][0])
    if first["type"] == "json_invalid":
        return ApiError("bad-request", f"the body is not JSON: {first['ctx'].get('error', first['msg'])}", where={"field": "body"})
    return ApiError("bad-request", f"{place}: {first['msg']}", where={"field": place})


def _http(error: HTTPException) -> ApiError:
    return ApiError(STATUSES.get(error.status_code, "bad-request"), str(error.detail))


def _add_client(app: FastAPI) -> None:
    """The built client: hashed names are kept for ever, the page itself is asked for each time."""

    async def file(path: str) -> Response:
        found = (STATIC / path).resolve()
        if path.startswith("api/") or not found.is_relative_to(STATIC.resolve()):
            raise HTTPException(404, "there is no such address")
        if found.is_file() and path:
            kept = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(found, headers={"cache-control": kept})
        if path.startswith("assets/") or "." in path.rsplit("/", 1)[-1]:
            raise HTTPException(404, "there is no such file")
        page = STATIC / "index.html"
        if not page.is_file():
            return HTMLResponse(NO_CLIENT, 503)
        return FileResponse(page, headers={"cache-control": "no-cache"})

    handle: Callable[[str], Awaitable[Response]] = file
    app.add_api_route("/{path:path}", handle, methods=["GET"], include_in_schema=False)
