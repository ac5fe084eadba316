"""A short way for proposals and sockets. Most requests are proposals, and FastAPI's routing and injection take longer than a known
answer. Each socket lasts as long as its player stays, and would keep everything on the long way in memory.

`propose` in routes/play.py has the same address. It documents the route and shares `judged` with this module. Whatever is unusual,
such as another content type, is left to it.
"""

from __future__ import annotations

import logging
import re

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from idg.coordinator.errors import ApiError
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.texts import BODY_BYTES_IN_LOOP_MAX
from idg.coordinator.waiting import CallerGone
from idg.coordinator.web.models import Proposal
from idg.coordinator.web.problems import CLIENT_GONE, as_api_error
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.caller import SESSION_PATTERN, Caller, acting_player, coordinator_of, leaving
from idg.coordinator.web.requests.guard import retry_header
from idg.coordinator.web.requests.strict_json import strict_json
from idg.coordinator.web.routes.play import judged
from idg.coordinator.web.socket import socket

PROPOSALS = re.compile(r"/api/rooms/([A-Za-z0-9_-]{8,64})/proposals")
"""The address of the proposals of a room; the group is the room."""
SOCKET = re.compile(r"/api/rooms/([^/]+)/socket")
"""The address of a room's socket; the group is the room."""
LENGTH_DIGITS_MAX = 10
"""How many digits of a Content-Length are read."""
SESSION = re.compile(SESSION_PATTERN)

log = logging.getLogger("idg.web")


class _ProposalRoute:
    """Stands in the scope for the route that FastAPI would have found, so that the metrics count these requests under it."""

    path = "/api/rooms/{room}/proposals"


class FastPath:
    """Middleware that answers proposals and sockets itself and hands all other requests on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (room := SOCKET.fullmatch(scope["path"])):
            scope["path_params"] = {"room": room[1]}
            await socket(WebSocket(scope, receive, send))
            return
        address = PROPOSALS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if address is None:
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        length = connection.headers.get("content-length", "")
        short = len(length) < LENGTH_DIGITS_MAX and length.isdigit() and int(length) <= BODY_BYTES_IN_LOOP_MAX
        if connection.headers.get("content-type") != "application/json" or not short:
            await self.app(scope, receive, send)
            return
        scope["route"] = _ProposalRoute
        try:
            session = connection.headers.get("x-idg-session", "")
            if not SESSION.fullmatch(session):
                text = "X-IDG-Session: expected at most 64 letters, digits, _ or -"
                raise ApiError("bad-request", text, field="X-IDG-Session")
            who = Caller(await acting_player(connection), session, address_of(scope), leaving(receive))
            body = Proposal.model_validate(strict_json(await _body(receive)))
            text = await judged(coordinator_of(connection), who, address[1], body)
            await _send(send, 200, text.encode(), [])
        except (ClientDisconnect, CallerGone):
            await _send(send, CLIENT_GONE, b"", [])
        except Exception as error:
            problem = as_api_error(error)
            if problem.status == 500:
                log.error("a request failed", exc_info=error, extra={"route": _ProposalRoute.path})
            await _send(send, problem.status, record_text(problem.answer(), spaced=True).encode(), retry_header(problem))


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _send(send: Send, status: int, body: bytes, more_headers: list[tuple[bytes, bytes]]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more_headers]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
