"""Accepts connections. Those for which there is no place are told so and closed before they cost anything.

uvicorn would leave accepting to the event loop. That accepts until there are no descriptors left, and then resets connections
without a word, or stops everything else that needs a descriptor.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable

from idg.coordinator.connections.places import ConnectionPlace, Places
from idg.coordinator.connections.refusals import raw_answer
from idg.coordinator.errors import ApiError

ACCEPTED_AT_ONCE = 64
"""How many connections are accepted before other work has its turn. So few are open without a place that the reserve suffices."""
PAUSE_SECONDS = 1.0
"""How long nothing is accepted after the system refused to, for example for want of memory."""

OF_ONE_CONNECTION = {
    getattr(errno, name)
    for name in (
        "ECONNABORTED", "EPERM", "EPROTO", "ENETDOWN", "ENETUNREACH", "EHOSTDOWN", "EHOSTUNREACH", "ENONET", "ENOPROTOOPT",
        "EOPNOTSUPP",
    )
    if hasattr(errno, name)
}  # fmt: skip
"""Errors of the connection that was to be accepted, which Linux reports in this place. They say nothing about the next one."""

log = logging.getLogger("idg.connections")


class Acceptor:
    """Gives each new connection of a listening socket a place and a protocol."""

    def __init__(
        self, listening: socket.socket, places: Places, new_protocol: Callable[[ConnectionPlace], asyncio.Protocol]
    ) -> None:
        self._listening = listening
        self._places = places
        self._new_protocol = new_protocol
        self._loop = asyncio.get_running_loop()
        self._beginning: set[asyncio.Task[None]] = set()
        self._closed = False
        self._listen()

    def _listen(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listening, self._accept)

    def close(self) -> None:
        self._closed = True
        self._loop.remove_reader(self._listening)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno in OF_ONE_CONNECTION:
                    continue
                log.error("no connection can be accepted", extra={"reason": error.strerror, "pause_seconds": PAUSE_SECONDS})
                self._loop.remove_reader(self._listening)
                self._loop.call_later(PAUSE_SECONDS, self._listen)
                return
            accepted.setblocking(False)
            try:
                place = self._places.take(peer[0])
            except ApiError as error:
                _refuse(accepted, error)
                continue
            task = self._loop.create_task(self._begin(accepted, place))
            self._beginning.add(task)
            task.add_done_callback(self._beginning.discard)

    async def _begin(self, accepted: socket.socket, place: ConnectionPlace) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: self._new_protocol(place), accepted)
        except BaseException as error:
            accepted.close()
            place.release()
            if not isinstance(error, OSError):
                raise


def _refuse(accepted: socket.socket, error: ApiError) -> None:
    """Tell the client why, as far as that needs no waiting, and close."""
    with contextlib.suppress(OSError):
        accepted.send(raw_answer(error))
        accepted.shutdown(socket.SHUT_WR)
    accepted.close()
