"""The routes of the server itself: health, metrics, and what only the person who runs the server may see."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from idg import __version__
from idg.coordinator.classes.told import PersonalCode
from idg.coordinator.pool.sandbox.confine import weakest
from idg.coordinator.rooms.export import event_rows, json_line
from idg.coordinator.web.answers import Empty, Health, ServerStats, record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import Rename
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Coordinating, admin
from idg.engine.version import engine_version

LOOPBACK = ("127.0.0.1", "::1")
"""The addresses of this machine, from which no admin token is needed for the metrics."""
EVENT_ID_MAX = 2**62
"""The largest id of an event that a request may name; ids are 64-bit numbers in the database."""

router = APIRouter(tags=["server"], route_class=StrictRoute, responses=error_responses())


@router.get("/api/ping", responses=told(Empty), summary="Nothing")
async def ping() -> Response:
    """For measuring a round trip."""
    return record_response(Empty())


@router.get("/api/health", responses=told(Health), summary="Whether the server works")
async def health(coordinator: Coordinating) -> Response:
    """503 where no worker can be started, no engine node or NATS can be reached, or the database cannot be written."""
    fault = await coordinator.store.problem()
    pool, text_pool = coordinator.pool.stats(), coordinator.text_pool.stats()
    problem = fault or coordinator.pool.problem() or coordinator.text_pool.problem()
    ready = pool.idle + pool.busy
    sandbox = weakest((pool.sandbox, text_pool.sandbox))
    status: Literal["ok", "failing"] = "failing" if problem else "ok"
    answer = Health(status, problem, not fault, pool.workers, ready, sandbox, __version__, engine_version())
    return record_response(answer, 503 if problem else 200)


@router.get("/metrics", summary="Figures for Prometheus")
async def metrics(request: Request) -> Response:
    """From this machine, or with the admin token."""
    if not request.client or request.client.host not in LOOPBACK:
        await admin(request)
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/api/admin/stats", responses=told(ServerStats), dependencies=[Depends(admin)], summary="Counts")
async def stats(coordinator: Coordinating) -> Response:
    readings = {name: values for name, _, values in coordinator.readings()}
    return record_response(ServerStats(await coordinator.store.counts(), readings, coordinator.started))


@router.post("/api/admin/teachers", responses=told(PersonalCode), dependencies=[Depends(admin)], summary="Make a teacher")
async def new_teacher(body: Rename, coordinator: Coordinating) -> Response:
    """Where the setting `classes` is `teachers`, only these may make classes. The code is told once; a teacher comes with it on any
    device (`POST /api/classes/continue`)."""
    return record_response(await coordinator.school.classes.new_teacher(body.name))


@router.get("/api/admin/events", dependencies=[Depends(admin)], summary="All events as JSON lines")
async def events(
    coordinator: Coordinating, after: Annotated[int, Query(ge=0, le=EVENT_ID_MAX, examples=[0])] = 0
) -> StreamingResponse:
    """As `idg export events` writes them, from an event id on."""

    async def lines() -> AsyncIterator[bytes]:
        async for row in event_rows(coordinator.store, after):
            yield json_line(row)

    return StreamingResponse(lines(), media_type="application/jsonl")
