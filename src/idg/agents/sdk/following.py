"""Events of a room as they happen, over sockets that may break: what has been heard, and what to do when a socket closes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from idg.agents.sdk.connection import Connection, Patience
from idg.agents.sdk.errors import PlayError, Unreachable
from idg.engine.wire.codec import decode
from idg.engine.wire.events import RoomEvent
from idg.engine.wire.rooms import SocketEvent

MESSAGE_BYTES_MAX = 2**24
"""The longest message that is taken from a socket: 16 MB, which is more than any event has."""
LEFT, WRONG_REQUEST = 4404, 4400
"""Codes with which a server closes a socket for good."""


class Following:
    """A cursor into the events of a room. Whoever has the sockets tells it what they hear and how they close."""

    def __init__(self, connection: Connection, path: str, after: int) -> None:
        self.connection = connection
        self.path = path
        self.after = after
        """The number of the last event that was heard."""
        self.goes_on = True
        self.pause_seconds = 0.0
        """How long to wait before the next socket is opened."""
        self._patience = Patience(connection.patience_seconds)

    @property
    def url(self) -> str:
        return self.connection.socket_url(f"{self.path}?after={self.after}")

    @property
    def headers(self) -> dict[str, str]:
        return self.connection.headers

    def heard(self, text: str | bytes) -> Iterator[RoomEvent]:
        """The event that a message tells; none where it tells who is there and what they show."""
        message = json.loads(text)
        self._patience = Patience(self.connection.patience_seconds)
        if message["type"] == "event":
            event = decode(SocketEvent, message).event
            self.after = event.number
            yield event

    def closed(self, code: int | None, reason: str) -> None:
        """A socket is closed, with this code where the server sent one. PlayError where no other one is worth opening."""
        self.goes_on = code != LEFT
        self.pause_seconds = 0.0
        if code == WRONG_REQUEST:
            raise PlayError("bad-request", reason)
        if self.goes_on:
            pause = self._patience.next_pause()
            if pause is None:
                raise Unreachable(self.connection.url, reason or "the socket is closed each time")
            self.pause_seconds = pause
