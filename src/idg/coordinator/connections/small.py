"""What each connection has or does for its whole life, in as little memory as that takes.

asyncio's own queue and event have a deque for those who wait, which takes 760 bytes even where nobody does. Each connection has
several of them, and there are thousands of connections.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Gate:
    """An `asyncio.Event` for which seldom anybody waits."""

    __slots__ = ("_is_open", "_waiting")

    def __init__(self) -> None:
        self._is_open = True
        self._waiting: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        return self._is_open

    def set(self) -> None:
        self._is_open = True
        waiting, self._waiting = self._waiting, None
        for future in waiting or ():
            if not future.done():
                future.set_result(None)

    def clear(self) -> None:
        self._is_open = False

    async def wait(self) -> bool:
        while not self._is_open:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting = [*(self._waiting or ()), future]
            await future
        return True


class Mailbox:
    """An `asyncio.Queue` that one task reads."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.pop(0)


class Resting:
    """A connection that is not read for a while, because its address has made the event loop do too much. What the client sends
    meanwhile waits with the system and, when its buffers are full, with the client."""

    transport: asyncio.Transport
    _resting: asyncio.TimerHandle | None = None

    def rest(self, seconds: float) -> bool:
        """Is not read for so many seconds; whether that begins now."""
        begins = seconds > 0 and self._resting is None and not self.transport.is_closing()
        if begins:
            self.transport.pause_reading()
            self._resting = asyncio.get_running_loop().call_later(seconds, self._go_on)
        return begins

    def end_rest(self) -> None:
        """The connection has ended."""
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None

    def _go_on(self) -> None:
        self._resting = None
        if not self.transport.is_closing() and not self.is_held():
            self.transport.resume_reading()

    def is_held(self) -> bool:
        """Whether it is not to be read for another reason."""
        return False
