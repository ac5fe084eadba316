"""News between coordinators: how long after the sockets at the coordinator that writes an event those at another one show it."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from typing import Any

import aiohttp

from bench.timing import Figure
from idg.coordinator.cluster.local.local_cluster import LocalCluster, LocalMember, LocalPlan
from idg.coordinator.cluster.local.programs import free_ports

EVENTS = 100
"""How many proposals are made; each is two events."""
PAUSE_SECONDS = 0.037
"""The pause between two proposals, so that they do not come in step with whoever looks every half a second."""
LATE_SECONDS_MAX = 0.05
"""The goal: the median must not be above this."""
UNLIMITED = ("--rate-player", "0", "--rate-address", "0")


def figures() -> Iterator[Figure]:
    cluster = LocalCluster(LocalPlan(nodes=1, coordinators=2, serve=UNLIMITED))
    polling: list[LocalMember] = []
    try:
        database = cluster.postgres.lasting_database("polling") if cluster.postgres else ""
        for number, port in enumerate(free_ports(2)):
            arguments = ["serve", "--port", str(port), "--database", database, "--workers", "1", *UNLIMITED]
            polling.append(LocalMember(f"polling{number}", arguments, cluster.folder, f"http://127.0.0.1:{port}"))
            polling[-1].start()
        ours = asyncio.run(_lateness([member.url for member in cluster.coordinators]))
        theirs = asyncio.run(_lateness([member.url for member in polling]))
    finally:
        for member in polling:
            member.stop()
        cluster.stop()
    name = "an event of one coordinator at a socket of another, median"
    yield Figure(name, "looking into the database twice a second", ours, theirs, "at most 50 ms", ours <= LATE_SECONDS_MAX)


async def _lateness(urls: list[str]) -> float:
    """The median of the seconds between the two sockets."""
    async with aiohttp.ClientSession() as web:
        async with web.post(f"{urls[0]}/api/players", json={}) as answer:
            headers = {"Authorization": f"Bearer {(await answer.json())['token']}"}
        async with web.post(f"{urls[0]}/api/rooms", json={"level": "multiply", "resume": False}, headers=headers) as answer:
            room = (await answer.json())["room"]["room"]
        seen: list[dict[int, float]] = [{}, {}]
        watching = [
            asyncio.create_task(_watch(web, f"{url}/api/rooms/{room}/socket", headers, times))
            for url, times in zip(urls, seen, strict=True)
        ]
        for number in range(EVENTS):
            body = {"expression": f"cnt <= m + {number}"}
            async with web.post(f"{urls[0]}/api/rooms/{room}/proposals", json=body, headers=headers) as answer:
                last: int = (await answer.json())["event"]["number"]
            await asyncio.sleep(PAUSE_SECONDS)
        while not all(last in times for times in seen):
            await asyncio.sleep(PAUSE_SECONDS)
        for task in watching:
            task.cancel()
        # The first events were stored before anybody watched.
        return statistics.median(seen[1][number] - seen[0][number] for number in range(last - 2 * EVENTS + 1, last + 1))


async def _watch(web: aiohttp.ClientSession, url: str, headers: dict[str, str], times: dict[int, float]) -> None:
    async with web.ws_connect(url, headers=headers) as socket:
        async for message in socket:
            told: dict[str, Any] = message.json()
            if told["type"] == "event":
                times[told["event"]["number"]] = time.monotonic()
