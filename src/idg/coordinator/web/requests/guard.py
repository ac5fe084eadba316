"""The checks that every request passes (host, origin, size, rate), and the headers that every answer gets."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.types import Message, Receive, Scope, Send

from idg.coordinator.bounds.rate_limits import LOOP_SECONDS_A_PERMIT, Buckets
from idg.coordinator.errors import ApiError
from idg.coordinator.event_loop import Metered
from idg.coordinator.logs.request_ids import id_of, request_id
from idg.coordinator.players.progress import FILE_BYTES_MAX
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.settings import Settings
from idg.coordinator.web.metrics import Metrics
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.caller import SAFE_METHODS

BODY_BYTES_MAX = 64 * 1024
"""How long the body of a request may be."""
BODY_BYTES_MAX_OF = {
    "/api/programs": 500_000,
    "/api/programs/from-c": 500_000,
    "/api/programs/from-python": 500_000,
    "/api/players/me/progress": FILE_BYTES_MAX,
    "/api/logs": 256_000,
    "batches": 400_000,
}
"""Path, or its last part → how long the body of such a request may be, where that differs."""
BODIES_BYTES_MAX = 64 * 1024 * 1024
"""How many bytes the bodies of all requests together may have that are not answered yet."""
BODIES_BYTES_MAX_OF_ADDRESS = 16 * 1024 * 1024
"""How many of them may come from one address."""
BODIES_RETRY_SECONDS = 2
"""Seconds after which a caller whose body was too much may try again."""
REFUSAL_PERMITS = 0.1
"""What it counts to be refused because the permits of the address are used up. Otherwise a flood would cost us and not the flooder,
whose connections are read again when this is paid."""
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
OTHER_SITES = ("/lti/login", "/lti/launch")
"""Where pages of other sites may send forms: learning platforms do, and what they send is signed."""
HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

log = logging.getLogger("idg.web")


class BodyRefused(HTTPException):
    """A body goes beyond a bound while it arrives. FastAPI, which reads it, lets this kind of exception through."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error.status, error.message)
        self.error = error


class BodiesUnderWay:
    """Counts the bytes of bodies whose requests are not answered yet, so that half-sent bodies cannot fill the memory."""

    def __init__(self) -> None:
        self._bytes = 0
        self._by_address: Counter[str] = Counter()

    def take(self, address: str, count: int) -> None:
        """Count bytes that have arrived; BodyRefused where they are too many."""
        self._bytes += count
        self._by_address[address] += count
        if self._by_address[address] > BODIES_BYTES_MAX_OF_ADDRESS:
            raise BodyRefused(
                ApiError("too-fast", "too much is being sent from this address", retry_after_seconds=BODIES_RETRY_SECONDS)
            )
        if self._bytes > BODIES_BYTES_MAX:
            raise BodyRefused(ApiError("busy", "too much is being sent to this server", retry_after_seconds=BODIES_RETRY_SECONDS))

    def give_back(self, address: str, count: int) -> None:
        self._bytes -= count
        self._by_address[address] -= count
        if not self._by_address[address]:
            del self._by_address[address]


CoroutineApp = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]
"""An application of ASGI whose work can be carried out step by step, so that the time of each step can be counted."""


class Guard:
    """Middleware that refuses requests before they cost anything, and counts the others in the metrics."""

    def __init__(self, app: CoroutineApp, settings: Settings, metrics: Metrics, addresses: Buckets) -> None:
        self.app = app
        self.hosts = settings.allowed_hosts
        self.metrics = metrics
        self.bodies = BodiesUnderWay()
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
        except ApiError as error:
            await _refuse(scope, send, error)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = perf_counter()
        status = 500
        given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        id = id_of(given.decode("latin-1"))
        request_id.set(id)
        most = body_bytes_max(scope["path"])
        address = address_of(scope)
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            count = len(message.get("body", b""))
            if count:
                taken += count
                self.bodies.take(address, count)
                if taken > most:
                    raise BodyRefused(_too_large(scope["path"]))
            return message

        async def headed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = {name for name, _ in message["headers"]}
                added = [(name, value) for name, value in HEADERS if name not in own]
                message = {**message, "headers": [*message["headers"], *added, (b"x-request-id", id.encode())]}
            await send(message)

        work = Metered(self.app(scope, bounded, headed))
        try:
            await work
        except BodyRefused as refused:
            status = refused.error.status
            await _refuse(scope, send, refused.error)
        finally:
            if taken:
                self.bodies.give_back(address, taken)
            if work.seconds > LOOP_SECONDS_A_PERMIT:
                self.addresses.spend(address, work.seconds / LOOP_SECONDS_A_PERMIT - 1)
            route = scope.get("route")
            self.metrics.request(scope["method"], getattr(route, "path", "other"), status, perf_counter() - start)

    def _check(self, scope: Scope) -> None:
        """ApiError where the request is refused."""
        headers = {name: value for name, value in scope["headers"] if name in (b"host", b"origin", b"content-length")}
        host = headers.get(b"host", b"").decode("latin-1")
        if "*" not in self.hosts and _name(host) not in self.hosts:
            hint = "the setting 'hosts' lists further names"
            raise ApiError("wrong-host", "this server does not answer under this name", hint=hint)
        origin = headers.get(b"origin", b"").decode("latin-1")
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if origin and unsafe and _site(origin) != host and scope["path"] not in OTHER_SITES:
            raise ApiError("wrong-origin", "a page of another site made this request")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > body_bytes_max(scope["path"]):
            raise _too_large(scope["path"])
        address = address_of(scope)
        wait = self.addresses.take(address)
        if wait:
            self.addresses.spend(address, REFUSAL_PERMITS)
            raise ApiError("too-fast", "too many requests from this address", retry_after_seconds=wait)


def body_bytes_max(path: str) -> int:
    return BODY_BYTES_MAX_OF.get(path) or BODY_BYTES_MAX_OF.get(path.rsplit("/", 1)[-1], BODY_BYTES_MAX)


def _too_large(path: str) -> ApiError:
    return ApiError("too-large", f"the body may have at most {body_bytes_max(path):,} bytes")


def _site(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    """The host without its port."""
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.rsplit(":", 1)[0] if ":" in host else host


def retry_header(error: ApiError) -> list[tuple[bytes, bytes]]:
    if error.retry_after_seconds is None:
        return []
    return [(b"retry-after", str(max(1, math.ceil(error.retry_after_seconds))).encode())]


async def _refuse(scope: Scope, send: Send, error: ApiError) -> None:
    body = record_text(error.answer(), spaced=True).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *retry_header(error), *HEADERS]
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": f"{kind}.start", "status": error.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
