"""Sixty students of a class who start at once on one machine: the page, joining, and the first verdicts.

The generator runs on the same machine as the server, as everything does in a school that has one computer to spare.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping

import aiohttp

from bench.servers.load import percentile
from bench.servers.server import BenchServer
from bench.timing import Figure

STUDENTS = 60
"""How many students start at once."""
PAGE_SECONDS_MAX = 1.0
"""How long nobody may wait for the page."""
VERDICT_SECONDS_MAX = 3.0
"""How long the 99th of a hundred may wait for a verdict."""
FACTS = ("cnt <= m", "res = n * cnt", "cnt >= 0", "res >= 0", "cnt <= 7", "res <= n * m")
"""What students propose about the first level, each from another place in the list on."""


def figures() -> Iterator[Figure]:
    with BenchServer("--classes-a-day", "0") as server:
        pages, verdicts = asyncio.run(_lesson(server.url))
    page, verdict = max(pages), percentile(sorted(verdicts), 0.99)
    name = f"classroom: {STUDENTS} students start at once"
    yield Figure(f"{name}, the slowest page", "the bound", page, PAGE_SECONDS_MAX, "at most 1", page <= PAGE_SECONDS_MAX)
    met = verdict <= VERDICT_SECONDS_MAX
    yield Figure(f"{name}, verdicts, 99th percentile", "the bound", verdict, VERDICT_SECONDS_MAX, "at most 1", met)


async def _lesson(url: str) -> tuple[list[float], list[float]]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as teacher:
        made = await _asked(teacher, f"{url}/api/classes", {"title": "Loops"})
        assignment = {"title": "Work", "items": [{"level": "multiply"}]}
        await _asked(teacher, f"{url}/api/classes/{made['class_id']}/assignments", assignment)
        parts = await asyncio.gather(*(_student(url, made, number) for number in range(STUDENTS)))
    return [page for page, _ in parts], [seconds for _, verdicts in parts for seconds in verdicts]


async def _asked(session: aiohttp.ClientSession, url: str, body: Mapping[str, object]) -> dict[str, str]:
    async with session.post(url, json=body) as response:
        assert response.status == 200, await response.text()
        answer: dict[str, str] = await response.json()
        return answer


async def _student(url: str, made: dict[str, str], number: int) -> tuple[float, list[float]]:
    """The seconds for the page of the class, and for each verdict."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        start = time.perf_counter()
        async with session.get(f"{url}/class/{made['code']}") as page:
            await page.read()
        seconds = time.perf_counter() - start
        await _asked(session, f"{url}/api/classes/join", {"code": made["code"], "name": f"Student {number}"})
        async with session.post(f"{url}/api/rooms", json={"level": "multiply"}) as opened:
            room = (await opened.json())["room"]["room"]
        verdicts = []
        for place in range(len(FACTS)):
            fact = FACTS[(place + number) % len(FACTS)]
            start = time.perf_counter()
            await _asked(session, f"{url}/api/rooms/{room}/proposals", {"expression": fact})
            verdicts.append(time.perf_counter() - start)
        return seconds, verdicts
