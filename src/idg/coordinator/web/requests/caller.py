"""Who makes a request: the player whose token stands in the header Authorization or in the cookie."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Request, Response
from starlette.requests import HTTPConnection
from starlette.types import Receive

from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.jobs import Asker
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.store import PlayerRow
from idg.coordinator.waiting import Gone
from idg.coordinator.web.requests.addresses import address_of
from idg.sip.record import Record

COOKIE = "idg_token"
COOKIE_BEFORE = "idg_token_before"
"""The token of the player that a browser had before it took part in a study. After the study it is that player again."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods that store nothing and change nothing, so that pages of other sites may use them, too."""
COOKIE_SECONDS = 400 * 24 * 3600
"""How long a browser keeps the cookie; 400 days are the longest time that browsers allow."""
TOKEN_CHARS_MAX = 200
"""The longest token that is looked up; ours have 43 characters."""
SESSION_PATTERN = r"^[A-Za-z0-9_-]{0,64}$"
"""What a client may call its session."""

T = TypeVar("T")


class Caller(Record):
    """A player who makes a request, the session of their client, and the address from which it comes."""

    player: PlayerRow
    session: str
    address: str
    gone: Gone

    @property
    def acting(self) -> ActingPlayer:
        return ActingPlayer(self.player.id, self.session, self.player.agent, self.address, self.gone)


def leaving(receive: Receive) -> Gone:
    """Notices that the client of a request has gone. It is used after the body was read."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    return gone


def anybody(request: Request, room: str) -> Asker:
    """The caller of a request for which one need not be a player."""
    return Asker(room, address=address_of(request.scope), gone=leaving(request.receive))


def token_of(connection: HTTPConnection) -> str | None:
    header = connection.headers.get("authorization", "")
    scheme, _, value = header.partition(" ")
    token = value.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE)
    return token if token and len(token) <= TOKEN_CHARS_MAX else None


def coordinator_of(connection: HTTPConnection) -> Coordinator:
    coordinator: Coordinator = connection.app.state.coordinator
    return coordinator


async def with_code(connection: HTTPConnection, use: Callable[[], Awaitable[T]]) -> T:
    """What a code gives. `use` raises ApiError for a wrong code, and an address that tries too many wrong ones is refused.

    Right codes are not counted, because a whole class may join a room from one address.
    """
    buckets: Buckets = connection.app.state.code_buckets
    address = address_of(connection.scope)
    wait = buckets.take(address)
    if wait:
        raise ApiError("too-fast", "too many wrong codes came from this address", retry_after_seconds=wait)
    given = await use()
    buckets.give_back(address)
    return given


async def known_player(connection: HTTPConnection) -> PlayerRow:
    """The player whose token comes with the request; ApiError where there is none, or the player makes too many requests."""
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
    return Caller(await acting_player(request), session, address_of(request.scope), leaving(request.receive))


async def acting_player(connection: HTTPConnection) -> PlayerRow:
    """`known_player`; ApiError also where the request would store something, and the player has stored enough today."""
    player = await known_player(connection)
    if connection.scope["method"] not in SAFE_METHODS:
        coordinator_of(connection).quotas.admit(address_of(connection.scope), player.id)
    return player


class Visitor:
    """Somebody who may come without a token. They become a new, anonymous player as soon as their request is found to be right."""

    def __init__(self, request: Request, session: str) -> None:
        self.request = request
        self.session = session
        self._token: str | None = None

    async def arrive(self) -> Caller:
        """The player who makes the request; a new one where the request has no token."""
        if token_of(self.request) is not None:
            try:
                return await caller(self.request, self.session)
            except ApiError as error:
                # A browser may have a cookie from before the database was replaced; that is no reason to refuse it.
                if error.code != "wrong-token" or "authorization" in self.request.headers:
                    raise
        address = address_of(self.request.scope)
        coordinator = coordinator_of(self.request)
        player, self._token = await coordinator.players.create(None, False, address)
        coordinator.quotas.admit(address, player.id)
        return Caller(player, self.session, address, leaving(self.request.receive))

    def with_cookie(self, response: Response) -> Response:
        """The response; for a new player it sets the cookie."""
        if self._token is not None:
            return with_cookie(response, self._token, coordinator_of(self.request).settings.secure)
        return response


async def visitor(request: Request, session: Session = "") -> Visitor:
    return Visitor(request, session)


def with_cookie(response: Response, token: str, secure: bool) -> Response:
    """The response, which makes the browser keep the token."""
    response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def keeping_player(response: Response, request: Request, secure: bool) -> Response:
    """The response, which makes the browser keep the player that it has, until `without_player` brings them back."""
    before = request.cookies.get(COOKIE)
    if before:
        response.set_cookie(COOKIE_BEFORE, before, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def without_player(response: Response, request: Request, secure: bool) -> Response:
    """The response, which makes the browser forget its player, or have the one again that it had before a study."""
    before = request.cookies.get(COOKIE_BEFORE)
    if before is None:
        response.delete_cookie(COOKIE, path="/")
        return response
    response.delete_cookie(COOKIE_BEFORE, path="/")
    return with_cookie(response, before, secure)


async def admin(request: Request) -> None:
    """ApiError where the request does not have the admin token."""
    token = token_of(request)
    if token is None or not secrets.compare_digest(token.encode(), coordinator_of(request).admin_token.encode()):
        raise ApiError("not-admin", "this needs the admin token that the server printed at its start")


async def coordinating(connection: HTTPConnection) -> Coordinator:
    """`coordinator_of` as a dependency. It is async because FastAPI runs other functions in a thread."""
    return coordinator_of(connection)


Coordinating = Annotated[Coordinator, Depends(coordinating)]
Calling = Annotated[Caller, Depends(caller)]
Coming = Annotated[Visitor, Depends(visitor)]
