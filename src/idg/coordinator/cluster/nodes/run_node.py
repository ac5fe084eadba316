"""Runs an engine node until it is told to end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from typing import cast

from idg.coordinator.cluster.broker import Broker, BrokerUnreachable, broker_settings
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.subjects import NODE_INBOXES
from idg.coordinator.pool.jobs import PoolSettings
from idg.coordinator.pool.sandbox.confine import SandboxSetting
from idg.coordinator.settings import SettingError, Settings


async def run_node(settings: Settings, name: str, deadline_seconds_max: float, announce: Callable[[EngineNode], None]) -> None:
    """Work until SIGINT or SIGTERM arrives, and then end what was taken. A second signal ends the node at once.

    `announce` is called when the node takes requests. SettingError where NATS cannot be reached, NotStarted where no worker can be
    started. SettingError, too, where NATS refuses the node later on, because its password was changed or its account ended, and,
    when all that was taken is answered, where the engine was replaced meanwhile."""
    settings.choose_provers()
    signals: asyncio.Queue[None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, signals.put_nowait, None)
    try:
        broker = await Broker.open(broker_settings(settings), f"idg node {name}", NODE_INBOXES)
    except BrokerUnreachable as error:
        raise SettingError(str(error)) from None
    pool_settings = PoolSettings(
        workers=settings.workers,
        spares=settings.spares,
        deadline_seconds=settings.deadline_seconds,
        memory_mb=settings.memory_mb,
        recycle_after=settings.recycle_after,
        sandbox=cast(SandboxSetting, settings.sandbox),
        provers=settings.provers,
    )
    node = EngineNode(broker, pool_settings, name, deadline_seconds_max=deadline_seconds_max)
    try:
        await node.start()
        announce(node)
        ends = [asyncio.create_task(end) for end in (signals.get(), broker.refused.wait(), node.outdated.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        if broker.refused.is_set():
            raise SettingError(f"NATS refuses this node: {broker.refusal}")
        again = asyncio.create_task(signals.get())
        draining = asyncio.create_task(node.drain())
        await asyncio.wait([again, draining], return_when=asyncio.FIRST_COMPLETED)
        again.cancel()
        draining.cancel()
        await asyncio.gather(again, draining, return_exceptions=True)
        if node.outdated.is_set():
            raise SettingError(node.problem)
    finally:
        await node.close()
        await broker.close()
