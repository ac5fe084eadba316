"""A node with hostile calls, as a process: `python -m tests.support.servers.node_process URL NAME WORKERS`."""

from __future__ import annotations

import asyncio
import signal
import sys

from idg.coordinator.cluster.broker import Broker, BrokerSettings
from idg.coordinator.cluster.node import EngineNode
from idg.coordinator.cluster.subjects import NODE_INBOXES
from tests.support.servers.cluster_scenarios import ENGINE, pool_settings


async def run(url: str, name: str, workers: int) -> None:
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
