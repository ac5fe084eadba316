"""A TCP proxy that can be told to forward nothing, as a network does that is cut: connections stay, and nothing arrives."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from types import TracebackType

from tests.support.waiting import HANG_SECONDS

CHUNK_BYTES = 64 * 1024
"""How many bytes are forwarded at once."""


class TcpProxy:
    """Forwards connections to a port of this machine, in a thread of its own."""

    def __init__(self, target_port: int, host: str = "127.0.0.1") -> None:
        """It listens at `host`, an address of this machine."""
        self.host = host
        self.target_port = target_port
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._passes = asyncio.Event()
        self._passes.set()
        self._tasks: set[asyncio.Task[None]] = set()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(HANG_SECONDS)

    def cut(self) -> None:
        """Forward nothing any more, in either direction."""
        self._loop.call_soon_threadsafe(self._passes.clear)

    def heal(self) -> None:
        """Forward everything again; what was sent meanwhile arrives now."""
        self._loop.call_soon_threadsafe(self._passes.set)

    def __enter__(self) -> TcpProxy:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(HANG_SECONDS)

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._take, self.host, 0))
        self.port = server.sockets[0].getsockname()[1]
        self._loop.call_soon(started.set)
        self._loop.run_forever()
        server.close()
        for task in self._tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await self._passes.wait()
        with contextlib.suppress(OSError, asyncio.CancelledError):
            there, onward = await asyncio.open_connection("127.0.0.1", self.target_port)
            try:
                both = [asyncio.ensure_future(self._forward(reader, onward)), asyncio.ensure_future(self._forward(there, writer))]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for half in both:
                    half.cancel()
                await asyncio.gather(*both, return_exceptions=True)
            finally:
                onward.close()
        writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK_BYTES):
            await self._passes.wait()
            writer.write(data)
            await writer.drain()
