"""The places for connections, how they are accepted, and what each connection has in memory. There is no server here."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import time
import weakref
from typing import Any

import pytest

from idg.coordinator.connections import accepting
from idg.coordinator.connections.places import IDLE_SECONDS_MIN, ConnectionPlace, Outgoing, Places
from idg.coordinator.connections.small import Gate, Mailbox
from idg.coordinator.errors import ApiError
from idg.coordinator.settings import Settings
from tests.support.waiting import HANG_SECONDS

EVE, MALLORY = "127.0.0.2", "127.0.0.3"


class FailingListener(socket.socket):
    """A listening socket of which the first attempts to accept fail."""

    errors: list[int]

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            number = self.errors.pop(0)
            raise OSError(number, os.strerror(number))
        return super().accept()


def test_places_are_given_up_to_their_bounds() -> None:
    places = Places(Settings(connections_max=3, connections_address=2))

    def refusal(host: str) -> str:
        with pytest.raises(ApiError) as error:
            places.take(host)
        return error.value.code

    first = [places.take(EVE), places.take(EVE)]
    assert refusal(EVE) == "too-many-connections"
    places.take(MALLORY)
    assert refusal("127.0.0.4") == "busy"
    first[0].release()
    first[0].release()  # A second time it changes nothing.
    places.take(EVE)
    assert refusal("127.0.0.4") == "busy"


def test_idle_connections_make_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that have been idle for the longest time, of the address where it is the address that has no place left."""
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    places = Places(Settings(connections_max=4, connections_address=3))
    closed: list[str] = []

    class Idle:
        def __init__(self, name: str, address: str) -> None:
            self.name = name
            self.place = places.take(address)
            self.place.occupant = self
            self.since = now

        def check(self, now: float) -> None: ...

        def waiting_bytes(self) -> int:
            return 0

        def drop(self) -> None: ...

        def is_idle_since(self) -> float:
            return self.since

        def give_way(self) -> None:
            closed.append(self.name)
            self.place.release()

    connections = [Idle("a", MALLORY), Idle("b", EVE), Idle("c", EVE), Idle("d", EVE)]
    for number, connection in enumerate(connections):
        now = connection.since = float(number)
        connection.place.is_idle(True)
    now = IDLE_SECONDS_MIN - 0.5
    with pytest.raises(ApiError, match="from this address"):
        places.take(EVE)
    connections[1].place.is_idle(False)  # A request came.
    now = IDLE_SECONDS_MIN + 2.5
    Idle("e", EVE)
    assert closed == ["c"], "of this address, because it has as many as it may have"
    Idle("f", "127.0.0.4")
    assert closed == ["c", "a"], "of any address, because there are as many as there may be"
    with pytest.raises(ApiError, match="as many connections are open as this server allows"):
        places.take("127.0.0.5")  # The fourth has not been idle for long enough.
    assert len(places) == 4


def test_answers_that_nobody_takes_are_bounded() -> None:
    """A thousand connections that asked for a megabyte each and took nothing filled the memory for half a minute."""
    places = Places(Settings(proxies="127.0.0.9"))
    places.waiting_max = 900_000
    dropped: list[str] = []

    class Slow(asyncio.Transport):
        def __init__(self, name: str, address: str) -> None:
            super().__init__()
            self.name, self.size = name, 0
            self.place = places.take(address)
            self.place.occupant = self
            self.outgoing = Outgoing(self, self.place)

        def get_write_buffer_size(self) -> int:
            return self.size

        def write(self, data: Any) -> None:
            self.size += len(data)
            self.outgoing.wrote()

        def check(self, now: float) -> None: ...

        def waiting_bytes(self) -> int:
            return self.size

        def drop(self) -> None:
            dropped.append(self.name)
            self.size = 0

    part = b"x" * 100_000
    first, second, other, taking = Slow("first", EVE), Slow("second", EVE), Slow("other", MALLORY), Slow("taking", EVE)
    for slow in (first, second, other):
        slow.outgoing.is_stalled(time.monotonic(), 30)
        slow.write(part * 2)
    assert (dropped, places.waiting) == ([], 600_000)
    taking.write(part)
    assert dropped == ["first"], "of this address, the one that has taken nothing for the longest time"
    assert places.waiting == 500_000
    second.size = 0  # It has taken everything since we looked last.
    taking.write(part)
    taking.write(part)
    assert (dropped, places.waiting) == (["first"], 500_000)
    proxied = Slow("proxied", "127.0.0.9")
    proxied.write(part * 4)
    assert (dropped, places.waiting) == (["first"], 900_000), "whoever comes through a proxy is bounded by the total only"
    for slow in (taking, other, proxied):
        slow.place.release()
        slow.outgoing.wrote()
    assert places.waiting == 0
    assert places.refused["waiting"] == 1


def test_gates_and_mailboxes() -> None:
    """They do what asyncio's events and queues do."""

    async def story() -> None:
        gate, mailbox, told = Gate(), Mailbox(), []
        assert gate.is_set()
        assert await gate.wait()
        gate.clear()

        async def pass_and_read(name: str) -> None:
            await gate.wait()
            told.append(name)

        waiting = [asyncio.create_task(pass_and_read(name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
        assert told == []
        gate.set()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert told == ["a", "c"]
        assert mailbox.empty()
        reading = asyncio.create_task(mailbox.get())
        await asyncio.sleep(0)
        mailbox.put_nowait(1)
        mailbox.put_nowait(2)
        assert [await reading, await mailbox.get()] == [1, 2]
        cancelled = asyncio.create_task(mailbox.get())
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        mailbox.put_nowait(3)
        assert await mailbox.get() == 3

    asyncio.run(story())


def test_the_memory_of_a_connection_is_free_at_its_end() -> None:
    """It waited for the garbage collector, which comes rarely: 14 kB for each player."""

    class Held:
        def __init__(self, place: ConnectionPlace) -> None:
            self.place = place
            place.occupant = self

        def check(self, now: float) -> None: ...

        def waiting_bytes(self) -> int:
            return 0

        def drop(self) -> None: ...

    gc.disable()
    try:
        held = Held(Places(Settings()).take("127.0.0.1"))
        left = weakref.ref(held)
        held.place.release()
        del held
        assert left() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("errors", "pauses"), [([errno.ECONNABORTED, errno.EPROTO, errno.EPERM], 0), ([errno.EMFILE, errno.ENOBUFS], 2)]
)
def test_accepting_goes_on_after_errors(monkeypatch: Any, caplog: Any, errors: list[int], pauses: int) -> None:
    """An error of one connection held everybody up for a second."""
    monkeypatch.setattr(accepting, "PAUSE_SECONDS", 0.01)

    async def story() -> None:
        accepted: asyncio.Queue[str] = asyncio.Queue()

        class Greeted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted.put_nowait("connected")
                transport.close()

        with FailingListener() as listening:
            listening.errors = errors
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            listening.setblocking(False)
            acceptor = accepting.Acceptor(listening, Places(Settings()), lambda place: Greeted())
            with socket.create_connection(listening.getsockname()):
                assert await asyncio.wait_for(accepted.get(), HANG_SECONDS) == "connected"
            acceptor.close()

    asyncio.run(story())
    assert sum(record.message == "no connection can be accepted" for record in caplog.records) == pauses
