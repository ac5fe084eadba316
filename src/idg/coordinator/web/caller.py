"""Who makes a request: by bearer token or cookie."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import Depends, Header, Request, Response
from starlette.requests import HTTPConnection

from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.judging import Mover
from idg.coordinator.store import PlayerRow
from idg.coordinator.web.rate_limits import Buckets
from idg.sip.record import Record

COOKIE = "idg_token"
COOKIE_SECONDS = 400 * 24 * 3600
TOKEN_CHARS_MAX = 200
SESSION_PATTERN = r"^[A-Za-z0-9_-]{0,64}$"


class Caller(Record):
    player: PlayerRow
    session: str

    @property
    def mover(self) -> Mover:
        return Mover(self.player.id, self.session, self.player.agent)


def token_of(connection: HTTPConnection) -> str | None:
    header = connection.headers.get("authorization", "")
    scheme, _, value = header.partition(" ")
    token = value.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE)
    return token if token and len(token) <= TOKEN_CHARS_MAX else None


def coordinator_of(connection: HTTPConnection) -> Coordinator:
    found: Coordinator = connection.app.state.coordinator
    return found


async def known_player(connection: HTTPConnection) -> PlayerRow:
    token = token_of(connection)
    if token is None:
        raise ApiError("no-token", "this needs a player", hint="POST /api/players gives a token and a cookie")
    player = await coordinator_of(connection).players.of_token(token)
    buckets: Buckets = connection.app.state.player_buckets
    wait = buckets.take(player.id)
    if wait:
        raise ApiError("too-fast", "you are too fast for this server's rate limit", retry_after_seconds=wait)
    return player


Session = Annotated[
    str, Header(alias="X-IDG-Session", pattern=SESSION_PATTERN, description="the client's session, for the log", examples=["s1"])
]


async def caller(request: Request, session: Session = "") -> Caller:
    return Caller(await known_player(request), session)


class Visitor:
    """Somebody who may come without a token: they become a new, anonymous player once it is clear that they want something real."""

    def __init__(self, request: Request, session: str) -> None:
        self.request = request
        self.session = session
        self._token: str | None = None

    async def arrive(self) -> Caller:
        if token_of(self.request) is not None:
            try:
                return Caller(await known_player(self.request), self.session)
            except ApiError as error:
                # A cookie of an earlier life of this server is no reason to turn a browser away.
                if error.code != "wrong-token" or "authorization" in self.request.headers:
                    raise
        player, self._token = await coordinator_of(self.request).players.create(None, agent=False)
        return Caller(player, self.session)

    def with_cookie(self, response: Response) -> Response:
        """The response, with the cookie of a new player."""
        if self._token is not None:
            set_cookie(response, self._token, coordinator_of(self.request).settings.secure)
        return response


async def visitor(request: Request, session: Session = "") -> Visitor:
    return Visitor(request, session)


def set_cookie(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/")


async def admin(request: Request) -> None:
    token = token_of(request)
    if token is None or not secrets.compare_digest(token.encode(), coordinator_of(request).admin_token.encode()):
        raise ApiError("not-admin", "this needs the admin token that the server printed at its start")


async def coordinating(connection: HTTPConnection) -> Coordinator:
    """As a dependency: FastAPI sends functions that are not async to a thread."""
    return coordinator_of(connection)


Coordinating = Annotated[Coordinator, Depends(coordinating)]
Calling = Annotated[Caller, Depends(caller)]
Coming = Annotated[Visitor, Depends(visitor)]
