"""Clusters of real processes: coordinators on one PostgreSQL and one NATS, and engine nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from idg.coordinator.cluster.local.local_cluster import LocalMember
from tests.support.servers.clients import UNLIMITED
from tests.support.servers.hostile.fault_helpers import Server
from tests.support.waiting import HANG_SECONDS


class Cluster:
    """Coordinators side by side, and nodes. All are killed at the end of the `with` if they have not ended before."""

    def __init__(self, folder: Path, database: str, *nats: str, nodes: tuple[str, ...] = ()) -> None:
        """One coordinator for each address of NATS that is given, and one node for each in `nodes`; by default one node."""
        self.folder = folder
        self.database = database
        self.coordinators: list[Server] = []
        self.nodes: list[LocalMember] = []
        try:
            for url in nodes or nats[:1]:
                self.start_node(url)
            for url in nats:
                self.start_coordinator(url)
        except BaseException:
            self.end()
            raise

    def start_coordinator(self, nats: str, *flags: str, port: int = 0) -> Server:
        folder = self.folder / f"coordinator{len(self.coordinators)}"
        folder.mkdir(exist_ok=True)
        server = Server(folder, "--nats", nats, "--spares", "0", *UNLIMITED, *flags, port=port, database=self.database)
        self.coordinators.append(server)
        return server

    def start_node(self, nats: str, *flags: str, prefix: Sequence[str] = ()) -> LocalMember:
        """A node with one worker, which may take as long as a busy machine needs. It ends with the thread that starts it.

        The words of `prefix` come before its command."""
        name = f"node{len(self.nodes)}"
        patient = ("--workers", "1", "--spares", "0", "--deadline-seconds", str(HANG_SECONDS))
        node = LocalMember(name, ["node", "--nats", nats, "--name", name, *patient, *flags], self.folder)
        node.command = [*prefix, *node.command]
        self.nodes.append(node)
        node.start()
        return node

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.coordinators]

    def complaints(self) -> str:
        """What went wrong in a coordinator or a node that was not meant to."""
        logs = [*(server.complaints for server in self.coordinators), *(node.log for node in self.nodes)]
        return "".join(text for log in logs if "Traceback" in (text := log.read_text()))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        for server in self.coordinators:
            server.__exit__(None, None, None)
        for node in self.nodes:
            node.thaw()
            node.kill()
