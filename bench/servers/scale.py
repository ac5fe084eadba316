"""Measures what a proposal costs in each part of a cluster, checks the model of bench/servers/simulation.py against a measured
load, and says what the model makes of it for ten thousand, a hundred thousand and a million players. docs/scale.md tells the
results.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import asyncpg

from bench.proofs.games import is_expression, recorded_games
from bench.servers.load import GAMES_A_LEVEL, WARM_GAMES_SEED
from bench.servers.load_curve import P99_SECONDS_MAX
from bench.servers.server import Wire
from bench.servers.simulation import Costs, Demand, Plan, highest_rate, simulate, smallest_plan, work_a_second
from bench.timing import Figure
from idg.coordinator.cluster.local.local_cluster import LocalCluster, LocalPlan
from idg.coordinator.pool.computing.analyses import CALLS, warm
from tests.support.programs.known_levels import known_level

PROPOSALS = 200
"""Known and new proposals whose costs are counted."""
SOCKETS = 40
"""Sockets in the room in which the cost of telling one of them is counted."""
COMMITS = 200
"""Bare transactions that are timed."""
THINK_SECONDS = 12.0
"""Seconds between two proposals of a player on average, as in bench/servers/load.py."""
KNOWN_SHARES = (0.9, 0.5)
"""Shares of proposals whose verdicts are known, for which plans are made. It depends on how many people play the same level."""
PLAYERS = (1_000, 10_000, 100_000, 1_000_000)
DATABASE_CORES = 16
"""Cores of one database server in the plans."""
REQUESTS_SIMULATED = 60_000
"""About how many proposals are simulated for each number of players."""
CURVE_RATES = tuple(range(50, 3_001, 50))
"""Rates that are simulated, to find the highest that keeps the bound of the load curve."""
AGREEMENT = 2.0
"""By which factor the highest rate of the model may differ from the measured one. The machine has two cores for everything."""
KNOWN_TEXTS = ("cnt >= 0", "sqr > cnt", "odd > 0", "n >= 0")
LEVEL = "int-square-root"


@dataclass(slots=True)
class Address:
    host: str
    port: int


def figures() -> Iterator[Figure]:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    unlimited = ("rate-player", "rate-address", "connections-address", "players-a-day", "rooms-a-day", "stored-mb-a-day")
    serve = [word for name in unlimited for word in (f"--{name}", "0")]
    plan = LocalPlan(1, 1, serve=(*serve, "--log-level", "warning", "--sockets-player", "1000", "--queue-max", "2000"))
    with tempfile.TemporaryDirectory(prefix="idg-scale-") as folder:
        Path(folder).chmod(0o755)  # Where we are root, PostgreSQL runs as nobody and must be able to enter.
        cluster = LocalCluster(plan, Path(folder))
        try:
            costs = measured_costs(cluster)
            show(costs)
            yield checked(cluster, costs)
        finally:
            cluster.stop()
    for known_share in KNOWN_SHARES:
        extrapolate(costs, known_share)


def show(costs: Costs) -> None:
    mean = sum(costs.analyses) / len(costs.analyses)
    for name in Costs.__slots__:
        if name != "analyses":
            print(f"    {name}: {1e3 * getattr(costs, name):.3f} ms", flush=True)
    print(
        f"    {len(costs.analyses)} analyses: {1e3 * mean:.2f} ms on average, {1e3 * max(costs.analyses):.0f} ms at most",
        flush=True,
    )


# What a proposal costs


class ProcessorTimes:
    """The processor time of each part of the cluster so far."""

    def __init__(self, cluster: LocalCluster) -> None:
        assert cluster.nats is not None
        assert cluster.postgres is not None
        [coordinator], [node], [broker] = cluster.coordinators, cluster.nodes, cluster.nats.servers
        self.coordinator, self.node, self.broker = _pid(coordinator.process), _pid(node.process), _pid(broker.process)
        self.database = int((cluster.postgres.data / "postmaster.pid").read_text().splitlines()[0])

    def now(self) -> dict[str, float]:
        text_workers = sum(map(_own_seconds, _descendants(self.coordinator)))
        return {
            "loop": _own_seconds(self.coordinator) + text_workers,
            "database": _own_seconds(self.database) + sum(map(_own_seconds, _descendants(self.database))),
            "broker": _own_seconds(self.broker),
            "node": _own_seconds(self.node) + sum(map(_own_seconds, _descendants(self.node))),
        }

    def of(self, work: Callable[[], int]) -> dict[str, float]:
        """Seconds of each part for one of the things that the work did; it returns how many these were."""
        before = self.now()
        times = work()
        return {part: (seconds - before[part]) / times for part, seconds in self.now().items()}


def measured_costs(cluster: LocalCluster) -> Costs:
    times = ProcessorTimes(cluster)
    address = urlsplit(cluster.coordinators[0].url)
    wire = Wire(Address(address.hostname or "", address.port or 0))
    room = wire.ask("POST", "/api/rooms", {"level": LEVEL, "resume": False})["room"]["room"]
    numbers = count(1_000_000)

    def known() -> int:
        for number in range(PROPOSALS):
            wire.send(wire.proposal(room, KNOWN_TEXTS[number % len(KNOWN_TEXTS)], 1))
        return PROPOSALS

    def new() -> int:
        for number in range(PROPOSALS):
            if number % 50 == 0:  # The facts of a room are bounded, so a new one is opened now and then.
                fresh = wire.ask("POST", "/api/rooms", {"level": LEVEL, "resume": False})["room"]["room"]
            wire.send(wire.proposal(fresh, f"cnt < {next(numbers)}", 1))
        return PROPOSALS

    known()
    new()
    of_known, of_new = times.of(known), times.of(new)
    pushed = times.of(lambda: asyncio.run(_with_sockets(cluster.coordinators[0].url)))
    quiet = times.of(lambda: asyncio.run(_with_sockets(cluster.coordinators[0].url, connected=False)))
    analysis = _analysis_seconds()
    trip = statistics.median(_trips(wire, room, numbers))
    work = sum(of_new[part] for part in ("loop", "database", "broker", "node"))
    wire.close()
    return Costs(
        loop_known=of_known["loop"],
        loop_new=of_new["loop"],
        loop_push=max(0.0, pushed["loop"] - quiet["loop"]) / (2 * SOCKETS),
        database_known=of_known["database"],
        database_new=of_new["database"],
        commit=asyncio.run(_commit_seconds(cluster.database)),
        broker=of_new["broker"],
        hop=max(0.0, trip - work),
        analyses=analysis,
    )


def _trips(wire: Wire, room: str, numbers: Iterator[int]) -> Iterator[float]:
    """Seconds of round trips of new proposals, one after the other."""
    for _ in range(40):
        request = wire.proposal(room, f"cnt < {next(numbers)}", 1)
        start = time.perf_counter()
        wire.send(request)
        yield time.perf_counter() - start


async def _with_sockets(url: str, connected: bool = True) -> int:
    """Known proposals in a room that many sockets look at; the sockets are open before and after."""
    async with aiohttp.ClientSession(url) as web:
        async with web.post("/api/players", json={}) as answer:
            headers = {"Authorization": f"Bearer {(await answer.json())['token']}"}
        async with web.post("/api/rooms", json={"level": LEVEL, "resume": False}, headers=headers) as answer:
            room = (await answer.json())["room"]["room"]
        sockets = [
            await web.ws_connect(f"/api/rooms/{room}/socket?after=0", headers=headers) for _ in range(SOCKETS if connected else 0)
        ]
        proposals = PROPOSALS // 4
        for number in range(proposals):
            body = {"loop": 1, "expression": KNOWN_TEXTS[number % len(KNOWN_TEXTS)]}
            async with web.post(f"/api/rooms/{room}/proposals", json=body, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
        for socket in sockets:
            await socket.close()
    return proposals


def _analysis_seconds() -> tuple[float, ...]:
    """Processor time of the engine for the proposals of recorded games, in this process."""
    warm()
    seconds = []
    for game in recorded_games(WARM_GAMES_SEED, GAMES_A_LEVEL):
        source = known_level(game.level).source
        books = json.loads(CALLS["start"]({"source": source})["books"])
        for move in game.moves:
            if is_expression(game.level, move):
                arguments = {"source": source, "books": books, "expression": move.expression, "loop": move.loop}
                start = time.process_time()
                answer = CALLS["propose"](arguments)
                seconds.append(time.process_time() - start)
                books = json.loads(answer["books"])
    return tuple(seconds)


async def _commit_seconds(database: str) -> float:
    """Median seconds of a bare insertion that is on disk when it returns."""
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("CREATE TABLE IF NOT EXISTS bare (body TEXT)")
        seconds = []
        for _ in range(COMMITS):
            start = time.perf_counter()
            await connection.execute("INSERT INTO bare VALUES ($1)", "x" * 500)
            seconds.append(time.perf_counter() - start)
        await connection.execute("DROP TABLE bare")
        return statistics.median(seconds)
    finally:
        await connection.close()


def _pid(process: subprocess.Popen[bytes] | None) -> int:
    """The process itself; where a wrapper started it, it has replaced the wrapper."""
    assert process is not None
    return process.pid


def _own_seconds(pid: int) -> float:
    """What the scheduler has counted for all threads of a process; nothing where it has ended meanwhile."""
    try:
        return sum(int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir()) / 1e9
    except OSError:
        return 0.0


def _descendants(pid: int) -> list[int]:
    """All processes that this one has started, directly or not."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sorted(family - {pid})


# The model against a measured load


def checked(cluster: LocalCluster, costs: Costs) -> Figure:
    """Compares the highest rate of known proposals that one coordinator carries, measured and simulated."""
    command = [sys.executable, "-m", "bench.servers.load_curve", cluster.coordinators[0].url, "known"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    generator = statistics.median(row["generator_cpu"] / row["rate"] for row in rows)
    here = Plan(slots=1, cores=os.cpu_count() or 1)
    own = Costs(**{name: getattr(costs, name) for name in Costs.__slots__ if name != "generator"}, generator=generator)
    measured = max((row["rate"] for row in rows if row["p99"] <= P99_SECONDS_MAX), default=0)
    for row in rows:
        outcome = simulate(own, Demand(row["rate"], 1.0, sockets_a_room=0.0), here, seconds=10)
        print(
            f"    {row['rate']} known proposals a second: measured p50 {1e3 * row['p50']:.1f} ms, p99 {1e3 * row['p99']:.1f} ms; "
            f"simulated p50 {1e3 * outcome.median('known'):.1f} ms, p99 {1e3 * outcome.p99('known'):.1f} ms",
            flush=True,
        )
    simulated = highest_rate(own, here, CURVE_RATES, 1.0, P99_SECONDS_MAX, seconds=10)
    name = "known proposals a second within a p99 of 100 ms, by the model"
    # The measured curve doubles its rate, so the true limit lies between the last rate that was held and twice that.
    met = measured / AGREEMENT <= simulated <= 2 * measured * AGREEMENT
    return Figure(name, "measured (a power of two times 100)", simulated, max(1, measured), "within a factor of 2", met, unit="")


# Many players


def extrapolate(costs: Costs, known_share: float) -> None:
    """Prints, for each number of players, what is needed and what they would see. Nothing of this is measured."""
    print(f"    {known_share:.0%} of proposals known, {THINK_SECONDS:g} s between two proposals of a player:")
    for players in PLAYERS:
        demand = Demand.of_players(players, THINK_SECONDS, known_share)
        plan = smallest_plan(costs, demand, DATABASE_CORES)
        outcome = simulate(costs, demand, plan, seconds=max(2.0, REQUESTS_SIMULATED / demand.proposals_a_second))
        work = ", ".join(f"{part} {seconds:.2f}" for part, seconds in work_a_second(costs, demand).items())
        print(
            f"    {players:>9,} players, {demand.proposals_a_second:,.0f} proposals a second: {work} cores; {plan}; "
            f"p99 known {1e3 * outcome.p99('known'):.0f} ms, new {1e3 * outcome.p99('new'):.0f} ms",
            flush=True,
        )
