"""Measures the pool of a cluster against the local pool, and how long the loss of a node or of a NATS server is felt.

Real NATS servers and nodes, each a process of its own. The calls do nothing, sleep, or burn processor time.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench.timing import Figure
from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.requests.nats_pool import NatsPool
from idg.coordinator.pool.jobs import Busy, Job, Pool
from tests.support.servers.cluster.cluster_scenarios import NodeProcess, a_coordinators_pool, appears, leader_of, runs_at
from tests.support.servers.pool_scenarios import ROOT, a_pool, job, until

ROUNDS = 5
"""How often each contestant is measured; they take turns."""
ASKED_A_ROUND = 60
"""Questions in a row whose times are taken in a round."""
MORE_SECONDS_MAX = 0.003
"""How much longer the median question may take through NATS."""
MANY = 1000
"""Questions at the same time for the throughput."""
RATE_MIN = 500.0
"""Questions a second that one coordinator must get answered."""
BURN_SECONDS = 0.1
"""Processor time of an analysis that computes."""
BURN_JOBS = 30
SLEEP_SECONDS = 0.2
"""Length of an analysis that sleeps."""
SLEEP_JOBS_A_NODE = 10
MANY_NODES = 8
TWO_NODES_MIN = 1.8
OF_THE_MACHINE_MIN = 0.9
EIGHT_NODES_MIN = 7.2
"""How many times as much two nodes must compute as one node and as two workers of this machine, and eight that sleep as one."""
LOST_NODE_SECONDS_MAX = 12.0
LOST_LEADER_SECONDS_MAX = 8.0
QUEUE_MAX = 4000


def figures() -> Iterator[Figure]:
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    yield from asyncio.run(_with_servers(1, _one_server))
    yield from asyncio.run(_with_servers(3, _three_servers))


async def _with_servers(count: int, measure: Callable[[NatsServers, Path], AsyncIterator[Figure]]) -> list[Figure]:
    servers = NatsServers(count)
    try:
        with tempfile.TemporaryDirectory(prefix="idg-bench-") as folder:
            return [figure async for figure in measure(servers, Path(folder))]
    finally:
        servers.stop()


@asynccontextmanager
async def nodes(
    servers: NatsServers, folder: Path, pool: NatsPool, count: int, workers: int = 1
) -> AsyncIterator[list[NodeProcess]]:
    started = [NodeProcess(servers, folder, workers) for _ in range(count)]
    try:
        await appears(pool, *started)
        yield started
    finally:
        for node in started:
            node.ask_to_end()
        for node in started:
            node.stop()
        await until(lambda: pool.stats().workers == 0)


async def _one_server(servers: NatsServers, folder: Path) -> AsyncIterator[Figure]:
    async with a_coordinators_pool(servers, queue_max=QUEUE_MAX) as pool:
        async with nodes(servers, folder, pool, 1), a_pool(workers=1) as local:
            ours, theirs = await _medians(pool, local)
            goal = f"at most {MORE_SECONDS_MAX * 1e3:g} ms more"
            yield Figure("no-op analysis by NATS", "local pool", ours, theirs, goal, ours - theirs <= MORE_SECONDS_MAX)
        async with nodes(servers, folder, pool, 1, workers=2), a_pool(workers=2, queue_max=QUEUE_MAX) as local:
            rates = [[await _rate(contestant, job("echo"), MANY) for contestant in (pool, local)] for _ in range(3)]
            ours, theirs = (max(column) for column in zip(*rates, strict=True))
            goal = f"at least {RATE_MIN:g} a second"
            yield Figure("no-op analyses a second by NATS", "local pool", ours, theirs, goal, ours >= RATE_MIN, "a second")
        burn = job("burn", seconds=BURN_SECONDS)
        async with nodes(servers, folder, pool, 1):
            one = await _rate(pool, burn, BURN_JOBS)
            sleeping = await _rate(pool, job("sleep", seconds=SLEEP_SECONDS), SLEEP_JOBS_A_NODE)
        async with nodes(servers, folder, pool, 2):
            two = await _rate(pool, burn, 2 * BURN_JOBS)
        goal = f"at least {TWO_NODES_MIN} times"
        yield Figure("analyses a second, two nodes", "one node", two, one, goal, two >= TWO_NODES_MIN * one, "a second")
        async with a_pool(workers=2) as local:
            # What the machine itself gives: others may use its cores, too.
            machine = await _rate(local, burn, 2 * BURN_JOBS)
        goal = f"at least {OF_THE_MACHINE_MIN} times"
        met = two >= OF_THE_MACHINE_MIN * machine
        yield Figure("analyses a second, two nodes", "local pool of two workers", two, machine, goal, met, "a second")
        async with nodes(servers, folder, pool, MANY_NODES):
            many = await _rate(pool, job("sleep", seconds=SLEEP_SECONDS), SLEEP_JOBS_A_NODE * MANY_NODES)
        goal = f"at least {EIGHT_NODES_MIN} times"
        met = many >= EIGHT_NODES_MIN * sleeping
        yield Figure("analyses a second that sleep, eight nodes", "one node", many, sleeping, goal, met, "a second")
        async with nodes(servers, folder, pool, 2) as pair:
            log, gate = folder / "log", folder / "gate"
            ticket = pool.submit(job("note", name="w", log=str(log), gate=str(gate)))
            victim = await runs_at(pool, *pair)
            victim.kill()
            gate.touch()
            begun = time.monotonic()
            await ticket.answer
            lost = time.monotonic() - begun
            yield _felt("a node is killed: its request is answered after", lost, LOST_NODE_SECONDS_MAX)


async def _three_servers(servers: NatsServers, folder: Path) -> AsyncIterator[Figure]:
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(a_coordinators_pool(servers))
        await stack.enter_async_context(nodes(servers, folder, pool, 2))
        await pool.ask(job("echo"))
        longest = 0.0
        for stream in (pool.work.subjects.work_stream("people"), pool.work.subjects.answers_stream):
            leader = await leader_of(servers, pool, stream)
            asking = asyncio.create_task(_longest_wait(pool, seconds=12))
            await asyncio.sleep(1)
            leader.kill()
            longest = max(longest, await asking)
            leader.start()
            await asyncio.to_thread(servers.wait_until_ready)
        yield _felt("the leader of NATS is killed: the longest wait for an answer", longest, LOST_LEADER_SECONDS_MAX)


def _felt(name: str, seconds: float, most: float) -> Figure:
    return Figure(name, "bound", seconds, most, f"at most {most:g} s", seconds <= most)


async def _medians(ours: Pool, theirs: Pool) -> tuple[float, float]:
    """The median time of a question, of both pools."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for pool, taken in zip((ours, theirs), times, strict=True):
            for number in range(ASKED_A_ROUND):
                begun = time.perf_counter()
                await pool.ask(job("echo", number=number))
                taken.append(time.perf_counter() - begun)
    return statistics.median(times[0]), statistics.median(times[1])


async def _rate(pool: Pool, asked: Job, count: int) -> float:
    """Answers a second to so many questions at the same time, each of another player."""
    await pool.ask(asked)
    begun = time.perf_counter()
    await asyncio.gather(*(_ask(pool, job(asked.call, f"room{number}", **asked.arguments)) for number in range(count)))
    return count / (time.perf_counter() - begun)


async def _ask(pool: Pool, asked: Job) -> None:
    while True:
        try:
            await pool.ask(asked)
            return
        except Busy as busy:
            await asyncio.sleep(busy.retry_after_seconds)


async def _longest_wait(pool: Pool, seconds: float) -> float:
    """The longest time for an answer while somebody asks all the time."""
    end, longest = time.monotonic() + seconds, 0.0

    async def ask_on(room: str) -> None:
        nonlocal longest
        while (begun := time.monotonic()) < end:
            await pool.ask(job("echo", room))
            longest = max(longest, time.monotonic() - begun)
            await asyncio.sleep(0.02)

    await asyncio.gather(*(ask_on(f"room{number}") for number in range(5)))
    return longest
