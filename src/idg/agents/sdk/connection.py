"""HTTP to a server of the game: errors in one shape, and calls that are made again when the network or the server fails."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from idg.agents.sdk.errors import Interrupted, PlayError, TookTooLong, Unreachable, play_error
from idg.engine.wire.codec import Json, WireError, decode
from idg.engine.wire.rooms import ErrorPlace
from idg.sip.record import Record

if TYPE_CHECKING:
    from email.message import Message

PATIENCE_SECONDS = 60.0
"""How long a call is tried again before it is given up."""
TIMEOUT_SECONDS = 300.0
"""How long one answer may take where the player does not say: a proof may take long."""
CONNECT_SECONDS_MAX = 10.0
"""How long it may take to connect; after that it is tried again."""
FIRST_PAUSE_SECONDS = 0.1
"""How long the first pause before another try is; each further one is twice as long."""
PAUSE_SECONDS_MAX = 2.0
"""How long a pause may become."""
NO_ANSWER_TRIES_MAX = 2
"""How often a call is made that gets no answer. A limit of the server ended the analysis, or its worker died; only the latter gets
better by trying again."""
REFUSED_STATUS_MIN = 400
"""The smallest HTTP status that means a refusal."""

R = TypeVar("R", bound=Record)


class Done(Record):
    """The answer to a call that tells nothing."""


class Connection:
    """One player's connection. For one thread."""

    def __init__(
        self, url: str, token: str | None, patience_seconds: float = PATIENCE_SECONDS, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        import http.client  # Imported here and below, because players without a server need no network.

        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"expected an address such as http://127.0.0.1:7400, found {url!r}")
        self.url = url.rstrip("/")
        self.token = token
        self.patience_seconds = patience_seconds
        self.timeout_seconds = timeout_seconds
        self.given_up = threading.Event()
        """Set by another thread when nobody waits for the call that is under way."""
        self._prefix = parts.path.rstrip("/")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._http = kind(parts.hostname, parts.port, timeout=min(timeout_seconds, CONNECT_SECONDS_MAX))

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def socket_url(self, path: str) -> str:
        return "ws" + self.url.removeprefix("http") + path

    def get(self, path: str, kind: type[R]) -> R:
        return self.ask("GET", path, kind)

    def post(self, path: str, kind: type[R], body: Json | None = None) -> R:
        return self.ask("POST", path, kind, {} if body is None else body)

    def ask(self, method: str, path: str, kind: type[R], body: Json | None = None) -> R:
        """The answer, a record of this kind. The call is made again while the server cannot be reached or is busy, so it must be
        one that can be made twice."""
        import http.client

        patience = Patience(self.patience_seconds)
        given_up = self.given_up
        no_answers = 0
        while True:
            if given_up.is_set():
                raise Interrupted
            try:
                status, headers, answer = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                was_connected = self._http.sock is not None
                self._http.close()
                if isinstance(error, TimeoutError) and was_connected and not given_up.is_set():
                    raise TookTooLong(f"{method} {path}", self.timeout_seconds) from error
                if not patience.pause(given_up=given_up):
                    raise Unreachable(self.url, str(error) or type(error).__name__) from error
                continue
            if status < REFUSED_STATUS_MIN:
                try:
                    return decode(kind, answer)
                except WireError as error:
                    raise PlayError("not-understood", f"the answer to {method} {path} is of another version: {error}") from error
            no_answers += answer.get("code") == "no-answer"
            again = status in (429, 502, 503, 504) and no_answers < NO_ANSWER_TRIES_MAX
            if not again or not patience.pause(_seconds(headers.get("retry-after")), given_up):
                raise _refusal(status, answer)

    def _once(self, method: str, path: str, body: Json | None) -> tuple[int, Message, Json]:
        headers = self.headers
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if self._http.sock is None:
            self._http.connect()
            connected: socket.socket = self._http.sock  # type: ignore[assignment]
            connected.settimeout(self.timeout_seconds)
        self._http.request(method, self._prefix + path, content, headers)
        response = self._http.getresponse()
        text = response.read()
        try:
            answer = json.loads(text)
        except ValueError:
            message = f"the answer to {method} {path} is not JSON; is {self.url} a server of the game?"
            if response.status < REFUSED_STATUS_MIN:
                raise PlayError("not-json", message) from None
            answer = {"message": message}
        return response.status, response.headers, answer if isinstance(answer, dict) else {"answer": answer}

    def give_up(self, call: threading.Event) -> None:
        """Called by another thread: nobody waits any more for the call that has this event."""
        call.set()
        connected = self._http.sock
        if call is self.given_up and connected is not None:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._http.close()


def _refusal(status: int, answer: Json) -> PlayError:
    """What was refused. Not all that refuses is a server of the game: a proxy before it may, with a shape of its own."""
    try:
        where = None if answer.get("where") is None else decode(ErrorPlace, answer["where"])
    except WireError:
        where = None
    message = answer.get("message", f"the server answered with status {status}")
    return play_error(answer.get("code", f"status-{status}"), message, answer.get("hint", ""), where)


class Patience:
    """Pauses that grow, until there were enough of them."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.next_seconds = FIRST_PAUSE_SECONDS

    def pause(self, at_least_seconds: float = 0.0, given_up: threading.Event | None = None) -> bool:
        """False: the time is up. The pause is over at once where the call is given up."""
        seconds = self.next_pause(at_least_seconds)
        if seconds is None:
            return False
        (given_up or threading.Event()).wait(seconds)
        return True

    def next_pause(self, at_least_seconds: float = 0.0) -> float | None:
        """How long the next pause is; None where the time is up."""
        seconds = max(self.next_seconds, at_least_seconds)
        if time.monotonic() + seconds > self.end:
            return None
        self.next_seconds = min(2 * self.next_seconds, PAUSE_SECONDS_MAX)
        return seconds


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isdecimal() else 0.0
