"""What a pool of a cluster knows of the others: who is there, how many slots are ours, and whether we hear anything at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import Coroutine, Iterable

from nats.aio.msg import Msg

from idg import __version__
from idg.coordinator.cluster.broker import Broker
from idg.coordinator.cluster.members import ANNOUNCE_SECONDS, CoordinatorNews, Members, NodeNews, fair_share
from idg.coordinator.cluster.requests.work import PASSING, Work
from idg.coordinator.pool.jobs import PoolSettings, PoolStats
from idg.coordinator.pool.queueing.queued import Processes, QueuedPool, Reading
from idg.coordinator.pool.sandbox.confine import weakest

OVERCOMMIT = 1
"""How many more requests than its share of the slots a coordinator publishes, so that no slot waits for the next request."""
HURRY_SECONDS = 0.1
"""The shortest time between two announcements of ours."""
LAG_SECONDS = 5.0
"""How often we ask how much waits in the streams."""
SETTLED_SECONDS = 30.0
"""How long after the start we look for streams that nobody needs any more."""
DEAF_SECONDS = 2.5 * ANNOUNCE_SECONDS
"""Seconds without our own announcements after which we know that we hear nobody. Then silence says nothing about others."""

HOST = socket.gethostname()


class MemberPool(QueuedPool):
    """The part of `NatsPool` that listens to the nodes and the other coordinators, and tells them about us."""

    def __init__(self, broker: Broker, settings: PoolSettings, name: str, engine: str, log: logging.Logger) -> None:
        super().__init__(settings, log)
        self.name = name
        self.broker = broker
        self.work = Work(broker, engine)
        self.members = Members(time.monotonic)
        self.started = time.time()
        self._counted = 0
        """How many jobs take a slot."""
        self._share = 0
        self._lag: dict[str, float] = {}
        self._announced_at = 0.0
        self._heard_ourselves_at = 0.0
        self._looked_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def engine(self) -> str:
        return self.work.subjects.engine

    def stats(self) -> PoolStats:
        nodes = self.members.nodes(self.engine)
        slots = self._slots()
        busy = min(slots, max(self._counted, sum(len(node.running) for node in nodes)))
        return self._stats(busy, slots - busy, Processes(), weakest([node.sandbox for node in nodes]))

    def problem(self) -> str:
        """Why jobs wait although nobody is busy; empty where they do not."""
        if not self.broker.connected:
            return "NATS cannot be reached"
        if self.work.trouble:
            return f"NATS does not take requests: {self.work.trouble}"
        if self._slots():
            return ""
        others = len(self.members.nodes()) - len(self.members.nodes(self.engine))
        there_are = f"; {others} of other versions are there" if others else ""
        return f"no engine node of version {self.engine} is there{there_are}; analyses wait for one"

    def readings(self) -> Iterable[Reading]:
        nodes = self.members.nodes(self.engine)
        yield (
            "idg_cluster",
            "The cluster as this coordinator sees it",
            {
                "connected": float(self.broker.connected),
                "nodes": len(nodes),
                "nodes_of_other_versions": len(self.members.nodes()) - len(nodes),
                "coordinators": len(self.members.coordinators()),
                "slots": self._slots(),
                "slots_free": sum(node.free for node in nodes),
                "share": self._share,
                "under_way": self._counted,
                **self._lag,
            },
        )
        yield (
            "idg_nats_reconnections_total",
            "Connections to NATS that were lost and made again",
            {"all": self.broker.reconnections},
        )

    def _deaf_seconds(self, now: float) -> float:
        """How long, since the last look, we have heard nobody, not even ourselves: there is no connection, or a server or our own
        process stands still."""
        since_look, self._looked_at = now - self._looked_at, now
        return since_look if now - self._heard_ourselves_at > DEAF_SECONDS else 0.0

    def _slots(self) -> int:
        return sum(node.slots for node in self.members.nodes(self.engine) if not node.problem)

    def _has_room(self) -> bool:
        return self._share > 0 and self._counted < self._share + OVERCOMMIT

    async def _hear_node(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            self.members.heard_node(NodeNews.decode(message.data))
            self._reckon()

    async def _hear_coordinator(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            news = CoordinatorNews.decode(message.data)
            if news.name == self.name:
                self._heard_ourselves_at = self._now()
            self.members.heard_coordinator(news)
            self._reckon()

    def _reckon(self) -> None:
        """Divide the slots again."""
        others = [news.wanted for news in self.members.coordinators(self.engine) if news.name != self.name]
        self._share = fair_share(self._slots(), others)
        self._dispatch()

    async def _announce(self) -> None:
        self._announced_at = self._now()
        wanted = self._counted + len(self._queue)
        news = CoordinatorNews(self.name, __version__, self.engine, wanted, self._counted, self._share, self.started, HOST)
        await self.broker.client.publish(self.work.subjects.coordinator(self.name), news.encode())

    async def _ask_for_lag(self) -> None:
        while True:
            with contextlib.suppress(*PASSING):
                self._lag = await self.work.lag()
            await asyncio.sleep(LAG_SECONDS)

    async def _forget_old_streams(self) -> None:
        await asyncio.sleep(SETTLED_SECONDS)  # Until then, everybody has told about themselves.
        used = {node.engine for node in self.members.nodes()} | {other.engine for other in self.members.coordinators()}
        await self.work.forget_old_streams(used)

    def _soon(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
