"""A node with hostile calls, as a process: `python -m tests.support.servers.cluster.node_process URL NAME WORKERS`."""

from __future__ import annotations

import asyncio
import signal
import sys

from idg.coordinator.cluster.broker import Broker, BrokerSettings
from idg.coordinator.cluster.nodes import node as node_module
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.subjects import NODE_INBOXES
from tests.support.servers.cluster.cluster_scenarios import ENGINE, pool_settings

BEAT_SECONDS = 0.5
"""How often it says that it still works on something. Tests wait for silent nodes for a short time only, and on a busy machine a
beat may come late."""


async def run(url: str, name: str, workers: int) -> None:
    setattr(node_module, "BEAT_SECONDS", BEAT_SECONDS)  # noqa: B010  # The module only imports it.
    broker = await Broker.open(BrokerSettings(tuple(url.split(","))), name, NODE_INBOXES)
    node = EngineNode(broker, pool_settings(workers=workers), name, ENGINE)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await node.start()
    await stopped.wait()
    await node.drain()
    await node.close()
    await broker.close()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], sys.argv[2], int(sys.argv[3])))
