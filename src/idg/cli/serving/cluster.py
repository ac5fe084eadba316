"""The commands of a cluster: `idg node`, `idg cluster up` and `idg cluster status`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.coordinator.cluster.broker import Broker, BrokerUnreachable, broker_settings
from idg.coordinator.cluster.local.local_cluster import LocalCluster, LocalPlan
from idg.coordinator.cluster.local.programs import ProgramFailed
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.nodes.run_node import run_node
from idg.coordinator.cluster.status import StatusWatcher, status_json, status_text
from idg.coordinator.event_loop import new_loop
from idg.coordinator.logs.log_lines import set_up_logging
from idg.coordinator.pool.jobs import NotStarted
from idg.coordinator.settings import EXPLAINED, RANGES, SettingError, Settings, environment_name, read_settings

WATCH_SECONDS = 1.0
"""How often `idg cluster status --watch` tells again, and `idg cluster up` looks whether all is there."""
WORKERS_MAX = int(RANGES["workers"][1])
"""How many workers a node has at most, however many cores there are."""
NAME_CHARS_MAX = 60
"""How long the name of a node may be. It is part of a subject of NATS."""


def _settings(options: argparse.Namespace) -> Settings:
    flags = {name: getattr(options, name, None) for name in EXPLAINED}
    try:
        settings = read_settings(flags, os.environ, None)
    except SettingError as error:
        raise UsageError(str(error)) from None
    if not settings.nats:
        raise UsageError("say where NATS is: --nats nats://host:4222, or the environment variable IDG_NATS")
    return settings


def _is_given(options: argparse.Namespace, name: str) -> bool:
    return getattr(options, name) is not None or environment_name(name) in os.environ


def run(options: argparse.Namespace) -> int:
    if options.command == "node":
        return node(options)
    return up(options) if options.action == "up" else status(options)


def node(options: argparse.Namespace) -> int:
    """An engine node, until it is told to end."""
    if not _is_given(options, "workers"):
        options.workers = str(min(WORKERS_MAX, os.cpu_count() or 1))
    settings = _settings(options)
    name = re.sub(r"[^A-Za-z0-9_-]", "-", options.name or f"{socket.gethostname()}-{os.getpid()}")[:NAME_CHARS_MAX]
    deadline_seconds_max = settings.deadline_seconds if _is_given(options, "deadline_seconds") else 0.0
    set_up_logging(settings)

    def announce(started: EngineNode) -> None:
        print(f"Node {name}: {settings.workers} workers, engine {started.engine}\nCtrl-C ends it.", flush=True)

    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(run_node(settings, name, deadline_seconds_max, announce))
    except (SettingError, NotStarted) as error:
        raise UsageError(str(error)) from None
    print("Ended.", flush=True)
    return SUCCESS


def up(options: argparse.Namespace) -> int:
    """A cluster of this machine, until Ctrl-C."""
    if options.nats_servers not in (1, 3):
        raise UsageError("--nats-servers must be 1 or 3: streams are stored once, or by three servers")
    ports = tuple(range(options.port, options.port + options.coordinators)) if options.port else ()
    plan = LocalPlan(options.nodes, options.coordinators, options.nats_servers, options.workers, ports)
    signals = (signal.SIGINT, signal.SIGTERM)
    ended: list[int] = []
    for number in signals:
        signal.signal(number, lambda received, _: ended.append(received))
    try:
        cluster = LocalCluster(plan, Path(options.data).absolute() if options.data else None)
    except ProgramFailed as error:
        raise UsageError(str(error)) from None
    try:
        assert cluster.nats is not None
        for member in cluster.coordinators:
            print(f"{member.name} is at {member.url}/")
        for member in cluster.nodes:
            print(f"{member.name} has {plan.workers} workers")
        print(f"NATS: {cluster.nats.url}\nPostgreSQL: {cluster.database}\nLogs: {cluster.folder}\nCtrl-C ends it.", flush=True)
        told = ""
        while not ended:
            time.sleep(WATCH_SECONDS / 10)
            problem = cluster.problem()
            if problem != told:
                print(problem, file=sys.stderr, flush=True)
            told = problem
    finally:
        cluster.stop()
    print("Ended.", flush=True)
    return SUCCESS


def status(options: argparse.Namespace) -> int:
    settings = _settings(options)
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # It complains of how the library closes TLS connections.
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_status(settings, options.watch, options.json))
    return SUCCESS


async def _status(settings: Settings, watch: bool, as_json: bool) -> int:
    try:
        broker = await Broker.open(broker_settings(settings), "idg cluster status")
    except BrokerUnreachable as error:
        raise UsageError(str(error)) from None
    try:
        watcher = StatusWatcher(broker)
        await watcher.start()
        while True:
            told = await watcher.status()
            if watch and not as_json and sys.stdout.isatty():
                print("\x1b[H\x1b[2J", end="")
            print(status_json(told) if as_json else status_text(told, time.time()), flush=True)
            if not watch:
                return SUCCESS if told.works else NEGATIVE
            await asyncio.sleep(WATCH_SECONDS)
    finally:
        await broker.close()
