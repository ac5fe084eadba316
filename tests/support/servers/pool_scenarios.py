"""Helpers of the pool's tests, which make pools with hostile calls and look at their processes."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.pool.jobs import Asker, Failed, Job, PoolSettings
from idg.coordinator.pool.local import LocalPool
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]
LINUX = sys.platform == "linux"


def run(scenario: Awaitable[None]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(scenario, HANG_SECONDS)

    asyncio.run(bounded())


@asynccontextmanager
async def a_pool(**settings: Any) -> AsyncIterator[LocalPool]:
    """A pool without a sandbox, because these calls write files, by which the tests see what happens."""
    given = {"calls_module": "tests.support.servers.hostile.hostile_calls", "memory_mb": 400, "sandbox": "off", **settings}
    pool = LocalPool(PoolSettings(**given))
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()
        assert not children()


def job(call: str, room: str = "r", agent: bool = False, deadline: float | None = None, **arguments: Any) -> Job:
    """A job of a room, of which each has its own player and address; `room` may also be an address, a player and a room."""
    address, player, room = room.split("/") if "/" in room else (room, room, room)
    return Job(call, arguments, Asker(room, player, address, agent), deadline)


def children() -> set[int]:
    """The process ids of this process's workers that are alive."""
    if not LINUX:
        return set()
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for file in listed for pid in file.read_text().split() if is_worker(int(pid))}


def is_worker(pid: int) -> bool:
    try:
        running = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        return running and b"idg.coordinator.pool.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(HANG_SECONDS * 100):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to pass")


async def full(pool: LocalPool) -> None:
    """Waits until all processes are ready, the spare one included, although there may not have been a job yet."""
    pool._processes.want_spare()
    await until(lambda: pool.stats().idle == pool.settings.workers + 1)


async def still_works(pool: LocalPool) -> None:
    for number in range(4):
        assert await pool.ask(job("echo", number=number)) == {"number": number}


async def reason_of(pool: LocalPool, given_job: Job) -> Failed:
    with pytest.raises(Failed) as failed:
        await pool.ask(given_job)
    return failed.value


def read_names(log: Path) -> list[str]:
    return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []


def pids(pool: LocalPool) -> list[int]:
    return [worker.pid for worker in pool._processes._members if worker.pid]
