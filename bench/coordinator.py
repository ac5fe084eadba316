"""Measures the coordinator: what it adds to the engine's time, how fast it gives known answers, a thousand players, two workers.

These are wall times, compared with others of the same run. They are noisy on a machine that has other work, so the load average is
printed with them.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import aiohttp

from bench.games import Game, is_expression, recorded_games
from bench.load import PLAYERS, WARM_GAMES_SEED
from bench.server import BenchServer, Wire
from bench.timing import Figure
from idg.coordinator.pool.analyses import CALLS, warm
from tests.support.programs.known_levels import known_level

GAMES_MEASURED = 3
"""Games of each level whose round trips are measured."""
ROUNDS = 3
"""Rounds of the comparison of one worker with two; the best round counts."""
HEAVY_LEVELS = ("gcd-and-lcm", "knock-out", "small-change", "doubling-division")
"""Levels whose analyses keep a worker busy, so that the second worker matters."""
ROOMS_A_LEVEL = 4
"""Rooms of each heavy level that are played at the same time."""
KB_A_PLAYER_MAX = 60
"""Kilobytes of memory that a connected player may cost the coordinator."""


def figures() -> Iterator[Figure]:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with BenchServer("--workers", "1") as server:
        yield from round_trips(server)
    yield from load()
    yield two_workers()
    print(f"load average after: {os.getloadavg()[0]:.1f}", flush=True)


def timed(wire: Wire, request: bytes) -> float:
    start = time.perf_counter()
    wire.send(request)
    return time.perf_counter() - start


# Round trips


def round_trips(server: BenchServer) -> Iterator[Figure]:
    """Measures each proposal, and a no-op round trip right after it. The games are played twice: then every answer is known."""
    wire = Wire(server)
    ping = wire.request("GET", "/api/ping")
    games = recorded_games(WARM_GAMES_SEED, GAMES_MEASURED)
    for _ in range(1_000):
        wire.send(ping)
    warm()
    uncached = list(_uncached(wire, ping, games))
    cached = list(_cached(wire, ping, games))
    wire.close()
    overhead = statistics.median(trip - engine for trip, engine, _ in uncached)
    no_op = statistics.median(ping_seconds for _, _, ping_seconds in uncached)
    name = f"{len(uncached)} proposals, median round trip minus the engine's own time"
    yield Figure(name, "a no-op route", overhead, no_op, "at most 3", overhead <= 3 * no_op)
    known, no_op = statistics.median(trip for trip, _ in cached), statistics.median(ping_seconds for _, ping_seconds in cached)
    name = f"{len(cached)} proposals whose answers are known, median round trip"
    yield Figure(name, "a no-op route", known, no_op, "at most 1.5", known <= 1.5 * no_op)


def _uncached(wire: Wire, ping: bytes, games: list[Game]) -> Iterator[tuple[float, float, float]]:
    """Seconds of the round trip, of the same call in this process, and of a no-op round trip, for each proposal."""
    for number, game in enumerate(games):
        source = _source(game, number)
        room = wire.room(source)
        books = CALLS["start"]({"source": source})["books"]
        for move in dict.fromkeys(guess for guess in game.moves if is_expression(game.level, guess)):
            trip = timed(wire, wire.proposal(room, move.expression, move.loop))
            arguments = {"source": source, "books": books, "expression": move.expression, "loop": move.loop}
            start = time.perf_counter()
            answer = CALLS["propose"](arguments)
            engine = time.perf_counter() - start
            books = answer["books"]
            yield trip, engine, timed(wire, ping)


def _cached(wire: Wire, ping: bytes, games: list[Game]) -> Iterator[tuple[float, float]]:
    for number, game in enumerate(games):
        room = wire.room(_source(game, number))
        for move in game.moves:
            if is_expression(game.level, move):
                yield timed(wire, wire.proposal(room, move.expression, move.loop)), timed(wire, ping)


def _source(game: Game, number: int) -> str:
    """The level's text with a comment of its own, which makes it a program that the server has not seen before."""
    level = known_level(game.level)
    return f"{level.source}# {number}\n"


# A thousand players


def load() -> Iterator[Figure]:
    with BenchServer("--workers", "2", "--queue-max", "2000") as server:
        tally = _generate(server, "warm")
        print(f"    warmed: {tally}", flush=True)
        empty = server.resident_bytes()
        unloaded = _generate(server, "alone")
        busy_before, start = server.cpu_seconds(), time.monotonic()
        process = _generator(server, "crowd")
        connected = _line(process)
        full = server.resident_bytes()
        process.stdin.write("go\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        loaded = _line(process)
        process.wait()
        after = server.resident_bytes()
        share = (server.cpu_seconds() - busy_before) / (time.monotonic() - start)
    print(f"    alone: {unloaded}\n    connected: {connected}\n    crowd: {loaded}", flush=True)
    print(
        f"    coordinator: {share:.0%} of a core; {empty / 1e6:.0f} MB empty, {full / 1e6:.0f} MB connected, "
        f"{after / 1e6:.0f} MB after the load; load average {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    faults = loaded["errors"] + loaded["lost_events"] + connected["errors"]
    name = f"{PLAYERS} players, {loaded['proposals']} proposals, {loaded['events']} events pushed: errors and lost events"
    yield Figure(name, "proposals", faults, loaded["proposals"], "none", faults == 0, unit="")
    name = f"{loaded['cached']} known proposals among {PLAYERS} players, 99th percentile"
    limit = 3 * unloaded["p99"]
    yield Figure(name, "alone", loaded["p99"], unloaded["p99"], "at most 3", loaded["p99"] <= limit)
    kilobytes = (full - empty) / PLAYERS / 1000
    name = f"memory of a connected player in kB ({(after - empty) / PLAYERS / 1000:.0f} after they played)"
    yield Figure(name, "the bound", kilobytes, KB_A_PLAYER_MAX, "at most 60", kilobytes <= KB_A_PLAYER_MAX, unit="")


def _generator(server: BenchServer, part: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.load", server.url, part]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    report: dict[str, Any] = json.loads(process.stdout.readline())
    return report


def _generate(server: BenchServer, part: str) -> dict[str, Any]:
    process = _generator(server, part)
    report = _line(process)
    process.wait()
    return report


# Two workers


def two_workers() -> Figure:
    """Compares the best rounds of one worker and of two. They take turns, and every round has programs that nobody has seen."""
    numbers = itertools.count()
    rates = {1: 0.0, 2: 0.0}
    with BenchServer("--workers", "1") as single, BenchServer("--workers", "2") as double:
        for _ in range(ROUNDS):
            for count, server in ((1, single), (2, double)):
                rate = asyncio.run(_analyses_a_second(server.url, numbers))
                print(f"    {count} workers: {rate:.1f} analyses a second; load average {os.getloadavg()[0]:.1f}", flush=True)
                rates[count] = max(rates[count], rate)
    name = "analyses a second with two workers"
    return Figure(name, "one worker", rates[2], rates[1], "at least 1.8", rates[2] >= 1.8 * rates[1], unit="")


async def _analyses_a_second(url: str, numbers: Iterator[int]) -> float:
    async with aiohttp.ClientSession(url) as web:
        games = []
        for name in HEAVY_LEVELS:
            for _ in range(ROOMS_A_LEVEL):
                games.append(await _prepare(web, name, next(numbers)))
        start = time.perf_counter()
        await asyncio.gather(*(_solve(web, *game) for game in games))
        seconds = time.perf_counter() - start
    return sum(len(moves) for _, _, moves in games) / seconds


async def _prepare(web: aiohttp.ClientSession, name: str, number: int) -> tuple[dict[str, str], str, list[dict[str, Any]]]:
    """Opens a room of a new player with a new program; returns the headers, the room and the proposals that solve it.

    The comment at the end makes the program a new one, so that no answer is known.
    """
    level = known_level(name)
    token = (await _post(web, "/api/players", {}, {}))["token"]
    headers = {"Authorization": f"Bearer {token}"}
    program = await _post(web, "/api/programs", {"source": f"{level.source}# {number}\n"}, headers)
    opened = await _post(web, "/api/rooms", {"program": program["program"]}, headers)
    return headers, opened["room"]["room"], [{"loop": fact.loop, "expression": fact.expr} for fact in level.solution]


async def _solve(web: aiohttp.ClientSession, headers: dict[str, str], room: str, moves: list[dict[str, Any]]) -> None:
    for move in moves:
        answer = await _post(web, f"/api/rooms/{room}/proposals", move, headers)
    assert answer["event"]["body"]["solved"]


async def _post(web: aiohttp.ClientSession, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
    async with web.post(path, json=body, headers=headers) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()
