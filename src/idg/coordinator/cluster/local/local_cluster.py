"""A whole cluster of this machine: NATS, PostgreSQL, coordinators and nodes, each a process."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from idg.coordinator.cluster.local.nats_servers import NatsSecurity, NatsServers
from idg.coordinator.cluster.local.postgres_server import PostgresServer
from idg.coordinator.cluster.local.programs import LocalProgram, ProgramFailed, dying_with_us, free_ports
from idg.sip.record import Record

READY_SECONDS_MAX = 120.0
"""How long a coordinator or a node may take until it is ready."""
READY_POLL_SECONDS = 0.05
"""How often we look whether it is."""


class LocalMember(LocalProgram):
    """A coordinator or a node, as the command that people would give."""

    def __init__(self, name: str, arguments: Sequence[str], folder: Path, url: str = "") -> None:
        self.name = name
        self.url = url
        """Where a coordinator can be reached."""
        command = [*dying_with_us("TERM"), sys.executable, "-m", "idg", *arguments]
        super().__init__(command, folder, folder / f"{name}.log")

    def start(self) -> None:
        """Start it, and return when it says that it is ready."""
        begin = self.log.stat().st_size if self.log.exists() else 0
        super().start()
        end = time.monotonic() + READY_SECONDS_MAX
        while b"\nCtrl-C" not in self.log.read_bytes()[begin:]:
            if not self.running:
                raise ProgramFailed(f"{self.name} ended at once: {self.last_words()}")
            if time.monotonic() > end:
                raise ProgramFailed(f"{self.name} was not ready after {READY_SECONDS_MAX:g} s: {self.last_words()}")
            time.sleep(READY_POLL_SECONDS)


class LocalPlan(Record):
    """What a local cluster consists of."""

    nodes: int = 2
    coordinators: int = 2
    nats_servers: int = 1
    workers: int = 1
    """Engine workers of each node."""
    ports: tuple[int, ...] = ()
    """The ports of the coordinators; free ones where none are given."""
    serve: tuple[str, ...] = ()
    """Further arguments of `idg serve`."""
    node: tuple[str, ...] = ()
    """Further arguments of `idg node`."""
    security: NatsSecurity = NatsSecurity()


class LocalCluster:
    """The processes of a cluster. All are there when this is made; members can be added, killed and started again."""

    def __init__(self, plan: LocalPlan, folder: Path | None = None) -> None:
        """Where a `folder` is given, what is stored is kept there and used again."""
        self.plan = plan
        self._temporary = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="idg-cluster-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.coordinators: list[LocalMember] = []
        self.nodes: list[LocalMember] = []
        self.nats: NatsServers | None = None
        self.postgres: PostgresServer | None = None
        try:
            self.nats = NatsServers(plan.nats_servers, folder and folder / "nats", plan.security)
            self.postgres = PostgresServer(folder and folder / "postgres", durable=folder is not None)
            self.database = self.postgres.lasting_database("idg")
            ports = plan.ports or tuple(free_ports(plan.coordinators))
            for index in range(plan.coordinators):
                self.add_coordinator(ports[index])
            for _ in range(plan.nodes):
                self.add_node()
        except BaseException:
            self.stop()
            raise

    def add_coordinator(self, port: int = 0, *flags: str) -> LocalMember:
        assert self.nats is not None
        name = f"coordinator{len(self.coordinators) + 1}"
        port = port or free_ports(1)[0]
        arguments = ["serve", "--port", str(port), "--nats", self.nats.url, "--database", self.database]
        member = LocalMember(name, [*arguments, *self.plan.serve, *flags], self.folder, f"http://127.0.0.1:{port}")
        self.coordinators.append(member)
        member.start()
        return member

    def add_node(self, *flags: str) -> LocalMember:
        assert self.nats is not None
        name = f"node{len(self.nodes) + 1}"
        arguments = ["node", "--nats", self.nats.url, "--name", name, "--workers", str(self.plan.workers)]
        member = LocalMember(name, [*arguments, *self.plan.node, *flags], self.folder)
        self.nodes.append(member)
        member.start()
        return member

    def problem(self) -> str:
        """Which process has ended by itself; empty where all are there."""
        members = [*self.coordinators, *self.nodes, *(self.nats.servers if self.nats else ())]
        return next((f"{member.name} has ended: {member.last_words()}" for member in members if not member.running), "")

    def stop(self) -> None:
        """End everything, in an order in which nobody misses anybody."""
        for member in (*self.coordinators, *self.nodes):
            member.thaw()
            member.ask_to_end()
        for member in (*self.coordinators, *self.nodes):
            member.stop()
        if self.nats is not None:
            self.nats.stop()
        if self.postgres is not None:
            self.postgres.stop()
        if self._temporary:
            shutil.rmtree(self.folder, ignore_errors=True)
