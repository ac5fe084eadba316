"""Helpers of the cluster's tests: pools of coordinators, and nodes in this process and in others."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import nats.errors

from idg.coordinator.cluster.broker import Broker, BrokerSettings
from idg.coordinator.cluster.local.nats_servers import NatsServer, NatsServers
from idg.coordinator.cluster.local.programs import LocalProgram, dying_with_us
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.requests.nats_pool import NatsPool
from idg.coordinator.cluster.subjects import NODE_INBOXES
from idg.coordinator.pool.jobs import PoolSettings
from tests.support.servers.pool_scenarios import ROOT, until

ENGINE = "0123456789abcdef"
"""The version of the engine that these nodes say they have: their calls are hostile ones, not the engine's."""

_numbers = itertools.count(1)


def pool_settings(**settings: Any) -> PoolSettings:
    return PoolSettings(
        **{"calls_module": "tests.support.servers.hostile.hostile_calls", "memory_mb": 400, "sandbox": "off", **settings}
    )


@asynccontextmanager
async def a_node(servers: NatsServers, name: str = "", engine: str = ENGINE, **settings: Any) -> AsyncIterator[EngineNode]:
    """A node in this process, with real workers."""
    name = name or f"node{next(_numbers)}"
    broker = await Broker.open(BrokerSettings(servers.urls), name, NODE_INBOXES)
    node = EngineNode(broker, pool_settings(**settings), name, engine)
    await node.start()
    try:
        yield node
    finally:
        await node.close()
        await broker.close()


async def leader_of(servers: NatsServers, pool: NatsPool, stream: str) -> NatsServer:
    """The server that leads a stream. While the servers elect one there is none, so this waits until somebody is named."""
    while True:
        with suppress(nats.errors.Error):
            info = await pool.broker.jetstream.stream_info(stream)
            if info.cluster is not None and info.cluster.leader:
                return servers.server(info.cluster.leader)
        await asyncio.sleep(0.05)


@asynccontextmanager
async def a_coordinators_pool(servers: NatsServers, engine: str = ENGINE, **settings: Any) -> AsyncIterator[NatsPool]:
    name = f"coordinator{next(_numbers)}"
    broker = await Broker.open(BrokerSettings(servers.urls), name)
    pool = NatsPool(broker, pool_settings(**settings), name, engine)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()
        await broker.close()


@asynccontextmanager
async def a_cluster(servers: NatsServers, nodes: int = 1, **settings: Any) -> AsyncIterator[NatsPool]:
    """A coordinator's pool, with nodes in this process that are there already."""
    async with AsyncExitStack() as stack:
        for _ in range(nodes):
            await stack.enter_async_context(a_node(servers, **settings))
        pool = await stack.enter_async_context(a_coordinators_pool(servers, **settings))
        await until(lambda: pool.stats().workers == nodes * pool.settings.workers)
        yield pool


class NodeProcess(LocalProgram):
    """A node with hostile calls in a process of its own, which can be killed and frozen with its workers."""

    def __init__(self, servers: NatsServers, folder: Path, workers: int = 1) -> None:
        self.name = f"process{next(_numbers)}"
        command = [sys.executable, "-m", "tests.support.servers.cluster.node_process", servers.url, self.name, str(workers)]
        environment = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
        super().__init__([*dying_with_us(), *command], ROOT, folder / f"{self.name}.log", environment)
        self.start()


async def appears(pool: NatsPool, *nodes: NodeProcess) -> None:
    """Waits until the pool has heard of these nodes."""

    def heard() -> bool:
        for node in nodes:
            assert node.running, node.last_words()
        return {node.name for node in nodes} <= {news.name for news in pool.members.nodes(ENGINE)}

    await until(heard)


async def runs_at(pool: NatsPool, *nodes: NodeProcess) -> NodeProcess:
    """Waits until one of the nodes works on something, and returns it."""
    while True:
        for news in pool.members.nodes(ENGINE):
            for node in nodes:
                if news.name == node.name and news.running:
                    return node
        await asyncio.sleep(0.02)
