"""What participants of a study may ask for. Everything else is refused: a new route is closed to them until it is named here.

Participants have players of their own, whose ids begin with a prefix. Requests of everybody else pass without a look.
"""

from __future__ import annotations

import contextlib
import logging
import re

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from idg.coordinator.bounds.client_logs import store_logs
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.store import NewLog, StoreUnavailable
from idg.coordinator.studies.studies import PLAYER_PREFIX, Participation
from idg.coordinator.web.problems import as_api_error
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.caller import SAFE_METHODS, SESSION_PATTERN, coordinator_of, token_of
from idg.coordinator.web.requests.guard import retry_header
from idg.coordinator.web.requests.strict_json import strict_json

_ROOM = r"/api/rooms/[A-Za-z0-9_-]{8,64}"
EVERYBODY = re.compile(
    r"GET /api/(ping|health|players/me)|POST /api/(logs|players/me/forget)|(GET|POST) /api/studies(/[A-Za-z0-9_-]+)+"
)
"""Method and path of what both arms may ask for."""
ALWAYS = re.compile(r"POST /api/(logs|players/me/forget|studies/[A-Za-z0-9_-]+/(answers|withdraw|participants))")
"""What may be sent after the time is over, too."""
CODE_ARM = re.compile(
    rf"GET /api/(levels|reference|players/me/scores|rooms)|GET {_ROOM}(/(open|events|explanation|board))?|"
    rf"POST {_ROOM}/(proposals|transitions|feedback|reset|leave)|POST /api/rooms"
)
"""What the arm with code may ask for besides."""
HINTS = re.compile(rf"POST {_ROOM}/hints")
SOCKET = re.compile(rf"{_ROOM}/socket")
LEVEL = re.compile(r"GET /api/levels/([a-z0-9-]{1,60})")
PROGRAM = re.compile(r"(?:GET|POST) /api/programs/([0-9a-f]{32})(?:/traces)?")
OPENED = re.compile(rf"GET ({_ROOM})/open")
BODY_BYTES_MAX = 10_000
"""The longest body of a request to open a room."""

log = logging.getLogger("idg.web")


class StudyGate:
    """Middleware in front of all routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith("/api"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        coordinator = coordinator_of(connection)
        token = token_of(connection)
        taking_part = None if token is None else await _participation(coordinator, token)
        if taking_part is None:
            await self.app(scope, receive, send)
            return
        try:
            receive, level = await admission(coordinator, taking_part, scope, receive)
            if level is not None:  # It is noted, also where the request itself stores nothing.
                coordinator.quotas.admit(address_of(scope), taking_part.participant.player)
                coordinator.totals.require("logs")
        except Exception as error:
            problem = as_api_error(error)
            if problem.status == 500:
                log.error("a request failed", exc_info=error)
            await _refuse(scope, receive, send, problem)
            return
        if level is None:
            await self.app(scope, receive, send)
            return
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        await self.app(scope, receive, noted)
        if status == 200:
            session = connection.headers.get("x-idg-session", "")
            row = NewLog(coordinator.clock(), "opened", dumps({"level": level}))
            session = session if re.fullmatch(SESSION_PATTERN, session) else ""
            with contextlib.suppress(StoreUnavailable, ApiError):  # The answer was given, and cannot be taken back.
                await store_logs(coordinator.store, coordinator.quotas, taking_part.participant.player, session, [row])


async def _participation(coordinator: Coordinator, token: str) -> Participation | None:
    """What the owner of the token takes part in; None for everybody else, and for tokens that are not known."""
    try:
        player = await coordinator.players.of_token(token)
        return await coordinator.studies.participation(player.id) if player.id.startswith(PLAYER_PREFIX) else None
    except (ApiError, StoreUnavailable):
        return None  # The route says so in its own way, and tells nothing to somebody whom it does not know.


async def admission(
    coordinator: Coordinator, taking_part: Participation, scope: Scope, receive: Receive
) -> tuple[Receive, str | None]:
    """How the body is received, and the level that the request opens, if it opens one; ApiError where it is refused."""
    has_code = taking_part.arm.variant == "code"
    if scope["type"] == "websocket":
        if has_code and SOCKET.fullmatch(scope["path"]):
            return receive, None
        raise _closed()
    asked = f"{scope['method'].replace('HEAD', 'GET')} {scope['path']}"
    until = taking_part.until
    is_over = taking_part.participant.finished is not None or (until is not None and coordinator.clock() > until)
    if is_over and scope["method"] not in SAFE_METHODS and not ALWAYS.fullmatch(asked):
        raise ApiError("study-over", "your time in this study is over", hint="the questions at the end are left")
    if EVERYBODY.fullmatch(asked):
        return receive, None
    if not has_code:
        raise _closed()
    if asked == "POST /api/rooms":
        return await _opening(taking_part, receive)
    if (named := OPENED.fullmatch(asked)) is not None:
        live = await coordinator.open_rooms.fresh(named[1].rsplit("/", 1)[1], taking_part.participant.player)
        return receive, live.level
    levels = taking_part.definition.levels
    if (level := LEVEL.fullmatch(asked)) is not None and level[1] in levels:
        return receive, None
    if (program := PROGRAM.fullmatch(asked)) is not None:
        entries = [coordinator.catalog.level(name) for name in levels]
        if program[1] in [entry.hash for entry in entries if entry is not None]:
            return receive, None
    if CODE_ARM.fullmatch(asked) or (taking_part.definition.hints and HINTS.fullmatch(asked)):
        return receive, None
    raise _closed()


async def _opening(taking_part: Participation, receive: Receive) -> tuple[Receive, str | None]:
    """Lets a room be opened only for a level of the study, in the participant's own arm, alone."""
    messages: list[Message] = []
    size = 0
    while not messages or messages[-1].get("more_body", False):
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        if size > BODY_BYTES_MAX or messages[-1]["type"] == "http.disconnect":
            raise ApiError("too-large", f"the body may have at most {BODY_BYTES_MAX:,} bytes")
    waiting = messages.copy()

    async def again() -> Message:
        return waiting.pop(0) if waiting else await receive()

    try:
        body = strict_json(b"".join(message.get("body", b"") for message in messages))
    except ValueError:
        return again, None  # The route says what is wrong with it.
    if not isinstance(body, dict):
        return again, None
    level = body.get("level")
    if level not in taking_part.definition.levels or body.get("program") is not None:
        raise ApiError("not-in-study", "only the levels of the study can be played now", field="level")
    if body.get("variant", "code") != taking_part.arm.variant:
        raise ApiError("not-in-study", "this is not your arm of the study", field="variant")
    if body.get("shared"):
        raise ApiError("not-in-study", "in this study everybody plays alone", field="shared")
    return again, None if body.get("purpose") == "tutorial" else str(level)


def _closed() -> ApiError:
    return ApiError("not-in-study", "this is no part of the study that you take part in")


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ApiError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": error.message})
        return
    body = record_text(error.answer(), spaced=True).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *retry_header(error)]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
