"""HTTP to a server of the game: errors in one shape, and calls that are made again when the network or the server fails."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from idg.engine.wire.codec import Json, WireError, decode
from idg.engine.wire.rooms import ErrorPlace
from idg.sip.record import Record

if TYPE_CHECKING:
    from email.message import Message

PATIENCE_SECONDS = 60.0
"""How long a call is tried again before it is given up."""
TIMEOUT_SECONDS = 300.0
"""How long one answer may take: a proof may."""
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


class PlayError(Exception):
    """A call that was refused: the code of docs/api.md, what happened, and what to try."""

    def __init__(self, code: str, message: str, hint: str = "", where: ErrorPlace | None = None) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        self.where = where
        super().__init__(message)

    def __str__(self) -> str:
        where = self.where or ErrorPlace()
        place = "" if where.line is None else f"line {where.line}, column {where.column}: "
        return f"{place}{self.message} [{self.code}]" + (f" ({self.hint})" if self.hint else "")


class Unreachable(PlayError):
    """The server did not answer, however often it was asked."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__("unreachable", f"the server at {url} does not answer: {reason}", "is it running? 'idg serve' starts one")


class Connection:
    """One player's connection. For one thread."""

    def __init__(self, url: str, token: str | None, patience_seconds: float = PATIENCE_SECONDS) -> None:
        import http.client  # Imported here and below, because players without a server need no network.

        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"expected an address such as http://127.0.0.1:7400, found {url!r}")
        self.url = url.rstrip("/")
        self.token = token
        self.patience_seconds = patience_seconds
        self._prefix = parts.path.rstrip("/")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._http = kind(parts.hostname, parts.port, timeout=TIMEOUT_SECONDS)

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
        no_answers = 0
        while True:
            try:
                status, headers, answer = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                self._http.close()
                if not patience.pause():
                    raise Unreachable(self.url, str(error) or type(error).__name__) from error
                continue
            if status < REFUSED_STATUS_MIN:
                try:
                    return decode(kind, answer)
                except WireError as error:
                    raise PlayError("not-understood", f"the answer to {method} {path} is of another version: {error}") from error
            no_answers += answer.get("code") == "no-answer"
            again = status in (429, 502, 503, 504) and no_answers < NO_ANSWER_TRIES_MAX
            if not again or not patience.pause(_seconds(headers.get("retry-after"))):
                raise _refusal(status, answer)

    def _once(self, method: str, path: str, body: Json | None) -> tuple[int, Message, Json]:
        headers = self.headers
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
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

    def close(self) -> None:
        self._http.close()


def _refusal(status: int, answer: Json) -> PlayError:
    """What was refused. Not all that refuses is a server of the game: a proxy before it may, with a shape of its own."""
    try:
        where = None if answer.get("where") is None else decode(ErrorPlace, answer["where"])
    except WireError:
        where = None
    message = answer.get("message", f"the server answered with status {status}")
    return PlayError(answer.get("code", f"status-{status}"), message, answer.get("hint", ""), where)


class Patience:
    """Pauses that grow, until there were enough of them."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.next_seconds = FIRST_PAUSE_SECONDS

    def pause(self, at_least_seconds: float = 0.0) -> bool:
        """False: the time is up."""
        seconds = max(self.next_seconds, at_least_seconds)
        if time.monotonic() + seconds > self.end:
            return False
        time.sleep(seconds)
        self.next_seconds = min(2 * self.next_seconds, PAUSE_SECONDS_MAX)
        return True


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isdecimal() else 0.0
