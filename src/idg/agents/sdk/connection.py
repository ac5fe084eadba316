"""HTTP to a server of the game: errors in one shape, and calls that are made again when the network or the server fails."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

from idg.agents.sdk.moves import Json

PATIENCE_SECONDS = 60.0
"""How long a call is tried again before it is given up."""
TIMEOUT_SECONDS = 300.0
"""How long one answer may take: a proof may."""
FIRST_PAUSE_SECONDS, PAUSE_SECONDS_MAX = 0.1, 2.0
NO_ANSWER_TRIES_MAX = 2
"""A limit of the server ended the analysis, or its worker died: only the latter gets better."""


class PlayError(Exception):
    """A call that was refused: the code of docs/api.md, what happened, and what to try."""

    def __init__(self, code: str, message: str, hint: str = "", where: Json | None = None) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        self.where = where
        super().__init__(message)

    def __str__(self) -> str:
        place = f"line {self.where['line']}, column {self.where['column']}: " if self.where and "line" in self.where else ""
        return f"{place}{self.message} [{self.code}]" + (f" ({self.hint})" if self.hint else "")


class Unreachable(PlayError):
    """The server did not answer, however often it was asked."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__("unreachable", f"the server at {url} does not answer: {reason}", "is it running? 'idg serve' starts one")


class Connection:
    """One player's connection. For one thread."""

    def __init__(self, url: str, token: str | None, patience_seconds: float = PATIENCE_SECONDS) -> None:
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

    def get(self, path: str) -> Json:
        return self.ask("GET", path)

    def post(self, path: str, body: Json | None = None) -> Json:
        return self.ask("POST", path, {} if body is None else body)

    def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """The JSON of the answer. Made again while the server cannot be reached or is busy, so calls must bear that."""
        patience = Patience(self.patience_seconds)
        no_answers = 0
        while True:
            try:
                status, headers, found = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                self._http.close()
                if not patience.pause():
                    raise Unreachable(self.url, str(error) or type(error).__name__) from error
                continue
            if status < 400:
                return found
            no_answers += found.get("code") == "no-answer"
            again = status in (429, 502, 503, 504) and no_answers < NO_ANSWER_TRIES_MAX
            if not again or not patience.pause(_seconds(headers.get("retry-after"))):
                message = found.get("message", f"the server answered with status {status}")
                raise PlayError(found.get("code", f"status-{status}"), message, found.get("hint", ""), found.get("where"))

    def _once(self, method: str, path: str, body: Json | None) -> tuple[int, Any, Json]:
        headers = self.headers
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        self._http.request(method, self._prefix + path, content, headers)
        response = self._http.getresponse()
        text = response.read()
        try:
            found = json.loads(text)
        except ValueError:
            found = {"message": f"the answer to {method} {path} is not JSON; is {self.url} a server of the game?"}
            if response.status < 400:
                raise PlayError("not-json", str(found["message"])) from None
        return response.status, response.headers, found if isinstance(found, dict) else {"found": found}

    def close(self) -> None:
        self._http.close()


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
