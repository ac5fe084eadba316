"""Rooms and sockets come and go, and the server's memory stays what it was: 10,000 rooms and 20,000 sockets in `make soak`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.clients import UNLIMITED, Client, client, figures, next_message
from tests.support.volume import volume
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.servers"]

ROOMS = volume(120, 10_000)
WARM_UP_ROOMS = 60
SOCKETS_A_ROOM = 2
TASKS_MAX = 30
"""How many tasks a server at rest has at most: its regular work, and the connection of the client that asks."""
PLAYERS = 6
GROWTH_KB_MAX = 12_000
"""How much more memory the server may have at the end than after its first rooms. The largest of what it keeps are bounded to one
megabyte each here; the rest is for what the allocator does not give back. In the soak, it is one kilobyte for each room."""


def memory_kb(pid: int) -> int:
    """The memory of a process that is in use."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


async def churn(player: Client, rooms: int) -> None:
    """Opens rooms one after the other, proposes in each, and looks at each through sockets that come and go."""
    for number in range(rooms):
        opened = await player.open(("multiply", "cube")[number % 2], resume=False)
        room = opened["room"]["room"]
        for _ in range(SOCKETS_A_ROOM):
            async with player.watch(room, opened["room"]["last_event"]) as socket:
                assert (await next_message(socket))["type"] == "here"
        (await player.propose(room, "1 <= 1")).ok()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_flat_after_many_rooms_and_sockets(start_server: Any) -> None:
    flags = ("--workers", "1", "--rooms-mb", "1", "--verdicts-mb", "1", "--log-level", "error")
    server = start_server(*UNLIMITED, *flags)

    async def story() -> None:
        async with client(server.url) as first:
            await first.become()
            await churn(first, WARM_UP_ROOMS)
            tasks = (await at_rest(server.url, TASKS_MAX))["idg_now tasks"]
            before = memory_kb(server.pid)
            people = [Client(server.url, first.session, (await first.become())["token"]) for _ in range(PLAYERS)]
            await asyncio.gather(*(churn(person, ROOMS // PLAYERS) for person in people))
            after = await at_rest(server.url, tasks + PLAYERS)
            assert after["idg_now rooms"] < (WARM_UP_ROOMS + ROOMS) / 2, "rooms in which nobody is make place"
            growth = memory_kb(server.pid) - before
            assert growth <= GROWTH_KB_MAX, f"{growth} kB more after {ROOMS} rooms"

    asyncio.run(story())


async def at_rest(url: str, tasks_max: float) -> dict[str, float]:
    """The figures when no socket is open, no worker is busy, and at most so many things go on in the server."""
    for _ in range(HANG_SECONDS * 10):
        now = await figures(url)
        is_idle = not now["idg_now sockets"] and not now["idg_pool busy"] and not now["idg_pool queued"]
        if is_idle and now["idg_now tasks"] <= tasks_max:
            return now
        await asyncio.sleep(0.1)
    raise AssertionError(f"the server does not come to rest: {now}")
