"""Coordinators inside of the process of the tests, with a pool that computes each job at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from idg.coordinator.cluster.coordinators.leases import new_coordinator_id
from idg.coordinator.coordinator import Coordinator, new_broker, new_news
from idg.coordinator.pool.computing import analyses
from idg.coordinator.pool.jobs import Asker, Job, PoolStats
from idg.coordinator.pool.lines import object_text, read_with_texts, with_texts
from idg.coordinator.pool.sandbox.confine import OFF, Sandbox
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.settings import Settings
from idg.coordinator.store import Store
from idg.engine.wire.codec import Json


class PoolInThisProcess:
    """Computes each job at once, and keeps the jobs that it was asked."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    async def start(self) -> None: ...

    async def ask(self, job: Job) -> Json:
        self.jobs.append(job)
        arguments = json.loads(object_text(job.arguments))
        answer: Json = read_with_texts(with_texts({}, analyses.CALLS[job.call](arguments)))["answer"]
        return answer

    def join(self, key: str, asker: Asker) -> None:
        """Nothing waits here."""

    def problem(self) -> str:
        return ""

    def readings(self) -> tuple[()]:
        return ()

    def stats(self) -> PoolStats:
        """Counts the jobs. Nothing else can happen here: no process is started, and no job waits or fails by itself."""
        return PoolStats(
            workers=1,
            busy=0,
            idle=1,
            starting=0,
            queued=0,
            done=len(self.jobs),
            errors=0,
            failed={},
            cancelled=0,
            repeated=0,
            killed=0,
            died=0,
            recycled=0,
            spawned=0,
            start_failures=0,
            start_failures_in_a_row=0,
            busy_rejections=0,
            recent_median_seconds=None,
            sandbox=Sandbox(OFF, OFF, OFF),
        )

    async def close(self, drain_seconds: float = 0) -> None: ...


@contextlib.asynccontextmanager
async def coordinating(
    folder: Path, database: str = "", nats: str = "", clock: Callable[[], float] = time.time, **more: Any
) -> AsyncIterator[tuple[Coordinator, PoolInThisProcess]]:
    """A coordinator in this process, without its regular tasks. With `nats`, it hears the news of others. `more` are settings."""
    settings = Settings(data=str(folder), database=database, nats=nats, **more)
    pool = PoolInThisProcess()
    broker = await new_broker(settings)
    store = await Store.open(settings.database_url)
    coordinator = Coordinator(settings, store, pool, clock, news=await new_news(broker, new_coordinator_id()))
    coordinator.broker = broker
    await coordinator.catalog.start(0.0)
    await coordinator.leases.beat()
    telling = asyncio.create_task(coordinator.neighbours.run())
    try:
        yield coordinator, pool
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        await coordinator.close()


async def room_of(coordinator: Coordinator, agent: bool = False) -> tuple[LiveRoom, ActingPlayer]:
    player, _ = await coordinator.players.create("Ann", agent)
    actor = ActingPlayer(player.id, agent=agent)
    entry = coordinator.catalog.level("multiply")
    assert entry is not None
    return await coordinator.rooms.create(entry, actor, "code", shared=False), actor
