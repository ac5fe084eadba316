"""Floods of one address cost the address and not the event loop: what it sends too much is not read for a while."""

from __future__ import annotations

import asyncio
import contextlib
import struct
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.connections.places import CONNECTION_PERMITS, OWED_SECONDS_MAX, RESTING_SECONDS_MAX, Places
from idg.coordinator.connections.protocols import PIPELINED_MAX, SOCKET_BYTES_A_SECOND
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.live.live_room import RECENT_EVENTS_MAX
from idg.coordinator.settings import Settings
from idg.coordinator.web import socket as socket_module
from tests.support.servers.clients import client, figures
from tests.support.servers.coordinators import coordinating, room_of
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.servers"]

EVE, MALLORY = "127.0.0.2", "127.0.0.3"
RATE = 3
"""Requests a second that an address may make."""
SOCKETS = 20
"""Sockets that are flooded, all that a player may have, each with nearly as many bytes as it may send."""
LOOK_SECONDS = 0.5
"""The pause between two looks, which are requests, too."""


async def not_read(url: str, before: float) -> None:
    """Returns when more connections were left unread than before."""
    end = time.monotonic() + HANG_SECONDS
    while await times_not_read(url) <= before:
        assert time.monotonic() < end, "everything is read"
        await asyncio.sleep(LOOK_SECONDS)


async def times_not_read(url: str) -> float:
    return (await figures(url))["idg_connections_not_read_total address"]


def test_floods_of_requests_and_of_short_messages_are_not_read(start_server: Any) -> None:
    """Refused requests and messages of two bytes took the loop some time each, and ten thousand of them came a second."""
    server = start_server("--rate-address", str(RATE), "--rate-player", "0", "--log-level", "warning", "--workers", "1")
    url = URL(server.url)
    assert url.host is not None
    assert url.port is not None

    def connector(address: str) -> aiohttp.TCPConnector:
        return aiohttp.TCPConnector(local_addr=(address, 0))

    async def requests() -> None:
        """Asks on one connection after the other, each as often as a client may ask ahead, and reads the answers."""
        ping = f"GET /api/ping HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n\r\n".encode()
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(url.host, url.port, local_addr=(EVE, 0))
                reading = asyncio.create_task(read_on(reader))
                try:
                    while not reading.done():
                        writer.write(ping * (PIPELINED_MAX // 2))
                        await asyncio.sleep(0.01)
                finally:
                    reading.cancel()
                    writer.close()

    async def messages(room: str, token: str) -> None:
        async with aiohttp.ClientSession(connector=connector(MALLORY)) as web:
            path, headers = f"{server.url}/api/rooms/{room}/socket", {"Authorization": f"Bearer {token}"}
            async with AsyncExitStack() as stack:
                sockets = [await stack.enter_async_context(web.ws_connect(path, headers=headers)) for _ in range(SOCKETS)]
                message = struct.pack("!BB4s2s", 0x81, 0x82, bytes(4), b"{}")
                while True:
                    for watching in sockets:
                        watching._writer.transport.write(message * (SOCKET_BYTES_A_SECOND // 11 // len(message)))
                    await asyncio.sleep(0.1)

    async def story() -> None:
        async with client(server.url) as ann:
            token = (await ann.become("Ann"))["token"]
            room = await ann.room()
            for flood in (requests(), messages(room, token)):
                before = await times_not_read(server.url)
                flooding = asyncio.create_task(flood)
                watching = asyncio.create_task(not_read(server.url, before))
                try:
                    await asyncio.wait([flooding, watching], return_when=asyncio.FIRST_COMPLETED)
                    assert not flooding.done(), flooding.exception()
                    await watching
                    assert (await ann.get("/api/ping")).status == 200, "others are served"
                finally:
                    flooding.cancel()
                    watching.cancel()
                    await asyncio.gather(flooding, watching, return_exceptions=True)

    asyncio.run(story())
    server.stop()
    assert not server.complaints, "".join(server.complaints)


async def read_on(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(65_536):
            pass


def test_who_owes_gets_no_new_connection_and_is_read_again_later() -> None:
    now = 0.0
    rates = Buckets(10.0, lambda: now, burst_min=50)
    places = Places(Settings(proxies="127.0.0.9"), rates)
    eve, proxy = places.take(EVE), places.take("127.0.0.9")
    assert eve.owes() == 0
    rates.spend(EVE, 50 - CONNECTION_PERMITS + 10 * OWED_SECONDS_MAX - CONNECTION_PERMITS / 4)
    assert eve.owes() == 0, "who owes little is told so, which is quick"
    rates.spend(EVE, CONNECTION_PERMITS / 2)
    assert eve.owes() > OWED_SECONDS_MAX
    rates.spend(EVE, 1_000)
    assert eve.owes() == RESTING_SECONDS_MAX
    with pytest.raises(ApiError, match="from this address") as refusal:
        places.take(EVE)
    assert refusal.value.code == "too-fast"
    places.take(MALLORY)
    rates.spend("127.0.0.9", 1_000)
    assert proxy.owes() == 0, "everybody comes through a proxy"
    assert proxy.owes(EVE) == RESTING_SECONDS_MAX
    places.take("127.0.0.9")
    now += 200
    assert eve.owes() == 0
    places.take(EVE)


def test_the_long_history_of_a_room_is_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand sockets could each ask for a room's whole history, and have it told as quickly as they could read it."""

    class Listening:
        """Takes what a socket is told."""

        def __init__(self) -> None:
            self.events = 0

        async def send_text(self, text: str) -> None:
            self.events += 1
            end = time.thread_time() + 0.002
            while time.thread_time() < end:
                pass

    async def story() -> None:
        slept: list[float] = []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            for _ in range(RECENT_EVENTS_MAX // 2 + 5):
                await coordinator.rooms.propose(live, actor, 1, "cnt <= m", None)
            coordinator.places.rates = coordinator.address_rates = Buckets(2.0, lambda: 0.0, burst_min=20)
            monkeypatch.setattr(socket_module, "sleep", sleep)
            listening: Any = Listening()
            assert await socket_module._tell_old(coordinator, listening, live, 0, EVE) == live.head
            assert listening.events == live.head
            assert slept == [coordinator.places.owes(EVE)]
            assert slept[0] > OWED_SECONDS_MAX

    asyncio.run(story())
