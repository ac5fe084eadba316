"""Measures the coordinator: what it adds to the engine's time, how fast it gives known answers, a thousand players, two workers.

Its rivals are a no-op route and a bare insertion into SQLite, which waits for the disk once, as a durable answer must. Wall times
are noisy on a machine that has other work, so they are compared with others of the same run, the load average is printed with
them, and CPU times are printed for each part of the coordinator.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import aiohttp

from bench.proofs.games import Game, is_expression, recorded_games
from bench.servers.generator import Crowd, generate
from bench.servers.load import PLAYERS, WARM_GAMES_SEED
from bench.servers.server import BenchServer, Wire
from bench.timing import Figure
from idg.cli.main import main
from tests.support.programs.known_levels import known_level
from tests.support.servers.clients import client
from tests.support.servers.hostile.worst_requests import WorstRequests
from tests.support.servers.hostile.worst_work import STUDY_TOML

GAMES_MEASURED = 3
"""Games of each level whose round trips are measured."""
ROUNDS = 3
"""Rounds of the comparison of one worker with two; the best round counts."""
HEAVY_LEVELS = ("gcd-and-lcm", "knock-out", "small-change", "doubling-division")
"""Levels whose analyses keep a worker busy, so that the second worker matters."""
ROOMS_A_LEVEL = 4
"""Rooms of each heavy level that are played at the same time."""
STALL_SECONDS_MAX = 0.05
"""How long one request may hold up the event loop."""
KB_A_PLAYER_MAX = 50
"""Kilobytes of memory that a connected player with a socket may cost the coordinator."""
KNOWN_SECONDS_MORE = 0.0005
"""What a known proposal may take beyond a no-op and one wait for the disk."""
NEW_SECONDS_MORE = 0.0015
"""What a new proposal may take beyond these and the engine's own time."""
IDLE_PAUSE_SECONDS = 0.2
"""The pause between two looks at whether the workers have nothing to do."""
INSERTS = 300
"""Bare insertions that are measured."""


def figures() -> Iterator[Figure]:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with BenchServer("--workers", "1") as server:
        yield from round_trips(server)
    yield from load()
    load_curves()
    yield two_workers()
    yield longest_stall()
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
    sync = bare_insert(server)
    pings = _cpu_of(server, lambda: [timed(wire, ping) for _ in range(1_000)])
    rooms = _rooms(wire, games)
    wait_until_idle(wire)
    uncached = _cpu_of(server, lambda: list(_uncached(server, wire, ping, games, rooms)))
    rooms = _rooms(wire, games)
    cached = _cpu_of(server, lambda: list(_cached(wire, ping, games, rooms)))
    wire.close()
    print(f"    a bare insertion into SQLite: {sync * 1e3:.2f} ms; CPU of a request, in ms:")
    for name, part in (("no-op", pings), ("new", uncached), ("known", cached)):
        loop, store, workers = (1e3 * seconds / len(part.rows) for seconds in part.cpu)
        more = "" if name == "no-op" else " (with a no-op after each)"
        print(f"    {name}: loop {loop:.2f}, store {store:.2f}, workers {workers:.2f}{more}", flush=True)
    no_op = statistics.median(ping_seconds for _, _, ping_seconds in uncached.rows)
    overhead = statistics.median(trip - engine for trip, engine, _ in uncached.rows)
    name = f"{len(uncached.rows)} proposals, median round trip minus the CPU time of the workers"
    met = overhead <= no_op + sync + NEW_SECONDS_MORE
    yield Figure(name, "a no-op route and a bare insertion", overhead, no_op + sync, "at most 1.5 ms more", met)
    no_op = statistics.median(ping_seconds for _, ping_seconds in cached.rows)
    known = statistics.median(trip for trip, _ in cached.rows)
    name = f"{len(cached.rows)} proposals whose answers are known, median round trip"
    met = known <= no_op + sync + KNOWN_SECONDS_MORE
    yield Figure(name, "a no-op route and a bare insertion", known, no_op + sync, "at most 0.5 ms more", met)


def wait_until_idle(wire: Wire) -> None:
    """Opening rooms makes workers prepare hints, which is no part of what comes then."""
    metrics = wire.request("GET", "/metrics")
    while True:
        told = wire.send(metrics).decode()
        if all(f'idg_pool{{which="{which}"}} 0.0' in told for which in ("busy", "queued")):
            return
        time.sleep(IDLE_PAUSE_SECONDS)


def bare_insert(server: BenchServer) -> float:
    """Median seconds of an insertion that is on disk when it returns, by the driver alone, beside the server's own database."""
    connection = sqlite3.connect(server.folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE rows (body TEXT)")
    seconds = []
    for _ in range(INSERTS):
        start = time.perf_counter()
        connection.execute("INSERT INTO rows VALUES (?)", ("x" * 500,))
        seconds.append(time.perf_counter() - start)
    connection.close()
    return statistics.median(seconds)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured(Generic[T]):
    rows: list[T]
    cpu: tuple[float, float, float]
    """CPU seconds of the coordinator's loop, of its other threads, which work for the store, and of its workers."""


def _cpu_of(server: BenchServer, work: Callable[[], list[T]]) -> Measured[T]:
    before = server.cpu_by_part()
    rows = work()
    loop, store, workers = (after - earlier for after, earlier in zip(server.cpu_by_part(), before, strict=True))
    return Measured(rows, (loop, store, workers))


def _rooms(wire: Wire, games: list[Game]) -> list[str]:
    """A new room for each game. They are opened before anything is measured."""
    return [wire.room(_source(game, number)) for number, game in enumerate(games)]


def _uncached(
    server: BenchServer, wire: Wire, ping: bytes, games: list[Game], rooms: list[str]
) -> Iterator[tuple[float, float, float]]:
    """Seconds of the round trip, of the workers meanwhile, and of a no-op round trip, for each proposal."""
    for game, room in zip(games, rooms, strict=True):
        for move in dict.fromkeys(guess for guess in game.moves if is_expression(game.level, guess)):
            worked = server.worker_seconds()
            trip = timed(wire, wire.proposal(room, move.expression, move.loop))
            yield trip, server.worker_seconds() - worked, timed(wire, ping)


def _cached(wire: Wire, ping: bytes, games: list[Game], rooms: list[str]) -> Iterator[tuple[float, float]]:
    for game, room in zip(games, rooms, strict=True):
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
        tally = generate(server.url, "warm")
        print(f"    warmed: {tally}", flush=True)
        unloaded, paced = generate(server.url, "alone"), generate(server.url, "paced")
        empty = server.resident_bytes()  # With the rooms of these games, which are no part of what the crowd takes.
        busy_before, start = server.cpu_seconds(), time.monotonic()
        crowd = Crowd(server.url)
        connected, full = crowd.connected, server.resident_bytes()
        loaded, after = crowd.play(), server.resident_bytes()
        share = (server.cpu_seconds() - busy_before) / (time.monotonic() - start)
    print(
        f"    alone: {unloaded}\n    alone at the crowd's pace: {paced}\n    connected: {connected}\n    crowd: {loaded}",
        flush=True,
    )
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
    # Between proposals that come fourteen milliseconds apart caches grow cold and the disk goes idle, whoever sends them.
    yield Figure(
        f"{name}, again", "one player at the same pace", loaded["p99"], paced["p99"], "at most 3", loaded["p99"] <= 3 * paced["p99"]
    )
    kilobytes = (full - empty) / PLAYERS / 1000
    name = f"memory of a connected player in kB ({(after - empty) / PLAYERS / 1000:.0f} after they played)"
    yield Figure(name, "the bound", kilobytes, KB_A_PLAYER_MAX, "at most 50", kilobytes <= KB_A_PLAYER_MAX, unit="")


# Load curves


def load_curves() -> None:
    """Prints how the 99th percentile grows with the rate of known and of new proposals."""
    for kind in ("known", "new"):
        with BenchServer("--workers", "2", "--queue-max", "2000") as server:
            command = [sys.executable, "-m", "bench.servers.load_curve", server.url, kind]
            rows = [
                json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
            ]
        for row in rows:
            times = f"p50 {1e3 * row['p50']:.1f} ms, p99 {1e3 * row['p99']:.1f} ms"
            print(
                f"    {row['rate']} {kind} proposals a second: {times} (generator {row['generator_cpu']:.0%} of a core)", flush=True
            )


# The event loop


def longest_stall() -> Figure:
    """How long the worst requests of every route hold the event loop up."""
    with BenchServer("--workers", "2", "--deadline-seconds", "5") as server:
        definition = server.folder / "study.toml"
        definition.write_text(STUDY_TOML, encoding="utf-8")
        assert main(["study", "open", str(definition), "--data", str(server.folder)]) == 0
        longest = asyncio.run(_stalls_of_worst_requests(server.url))
    print(f"    processor time of the longest stall: {longest['cpu'] * 1e3:.0f} ms", flush=True)
    name = "the worst requests of every route: the longest time for which they hold the event loop up"
    return Figure(name, "the goal", longest["wall"], STALL_SECONDS_MAX, "at most 50 ms", longest["wall"] <= STALL_SECONDS_MAX)


async def _stalls_of_worst_requests(url: str) -> dict[str, float]:
    """The longest stall on the wall and in processor time, in seconds."""
    async with client(url) as player:
        async for _ in WorstRequests(player, with_study=True).run():
            pass
        text = (await player.get("/metrics")).text
    return {which: float(value) for which, value in re.findall(r'idg_loop_longest_seconds\{which="(\w+)"\} (\S+)', text)}


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
