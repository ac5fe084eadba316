"""What each connection has for its whole life, in as little memory as that takes.

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
