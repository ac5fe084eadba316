"""Faults of a cluster while bots play on two coordinators: answers come again, and one order explains all that was seen."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.local.postgres_server import PostgresServer
from tests.support.servers.cluster.bots import Fault, Party, Waited, play_through
from tests.support.servers.cluster.clusters import Cluster
from tests.support.servers.cluster.history import History, problems_of
from tests.support.servers.hostile.fault_helpers import free_port, replay_all
from tests.support.servers.hostile.networks import NoNetworks, OwnNetwork
from tests.support.servers.hostile.proxies import TcpProxy
from tests.support.volume import LONG, volume
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.cluster.brokers"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

in_soak = pytest.mark.skipif(not LONG, reason="takes a minute: make soak")
"""One fault of each kind is tried in `make test`, and all of them in `make soak`."""
BOTS = volume(6, 100)
"""How many bots play: in `make test` those of two rooms."""
CUT_SECONDS = volume(8, 20)
"""How long a network is cut: longer than a broken connection stays unnoticed."""
FULL_SECONDS = volume(3, 20)
"""How long a disk is full. The server is started again for it, so everybody notices at once."""
FROZEN_SECONDS = 13.0
"""How long a process stands still: longer than the leases of coordinators and the acknowledgements of nodes last."""


def session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=HANG_SECONDS))


def played(
    cluster: Cluster, fault: Callable[[], None], heal: Callable[[], None] | None = None, seconds: float = 0.0, slow: bool = False
) -> History:
    """What the bots saw, while the fault happened, and was healed after some seconds.

    A slow fault happens in a thread, so that the bots play meanwhile. Servers are not started there: they end with their thread."""

    def happening(action: Callable[[], None]) -> Fault:
        async def happens() -> None:
            if slow:
                await asyncio.to_thread(action)
            else:
                action()

        return happens

    async def story() -> History:
        async with session() as web:
            party = await Party.gather(web, cluster.urls, BOTS)
            waited = await play_through(party, happening(fault), None if heal is None else happening(heal), seconds)
            history = await party.end(cluster.database)
            ROWS.append(FaultRow(waited, len(history.calls), os.getloadavg()[0]))
            return history

    return asyncio.run(story())


class FaultRow:
    """A row of the table at the end."""

    def __init__(self, waited: Waited, proposals: int, load: float) -> None:
        self.fault = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].removesuffix(" (call)").removeprefix("test_")
        self.waited = waited
        self.proposals = proposals
        self.load = load
        self.order = "not looked at"
        """What is wrong with the order of events."""
        self.replay = "not tried"

    def cells(self) -> tuple[str, ...]:
        waited = self.waited
        seconds = (f"{time:.1f}" for time in (waited.usual, waited.first, waited.longest))
        return (self.fault, f"{self.proposals}", *seconds, self.order, self.replay, f"{self.load:.1f}")


ROWS: list[FaultRow] = []
"""What came of the faults that were tried so far."""
HEADS = ("fault", "proposals", "longest wait before, s", "first answer after, s", "longest wait after, s", "wrong order",
         "replay", "load")  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def table_of_waits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Writes the table of all faults when they were tried, to the terminal and to the file that IDG_WAITS names. No test asserts a
    time: machines differ."""
    yield
    rows = [HEADS, *(row.cells() for row in ROWS)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    longest = max((row.waited.longest for row in ROWS), default=0.0)
    lines.append(f"{BOTS} bots; nobody waited longer than {longest:.1f} s after a fault (goal on a quiet machine: 15 s)")
    terminal = request.config.pluginmanager.getplugin("terminalreporter")
    if terminal is not None:
        terminal.write_line("")
        for line in lines:
            terminal.write_line(line)
    file = os.environ.get("IDG_WAITS")
    if file:
        Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def with_python_path(folder: Path) -> Iterator[None]:
    """Processes that are started meanwhile run a module of this folder first."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def explained(cluster: Cluster, history: History) -> None:
    """One order explains all that was seen, and a replay arrives at the same."""
    ordered(history)
    replayed(cluster)


def ordered(history: History) -> None:
    problems = problems_of(history)
    ROWS[-1].order = f"{len(problems)}" if problems else "none"
    assert problems == []
    assert all(call.answer is not None for call in history.calls)


def replayed(cluster: Cluster) -> None:
    """Of all faults of this cluster."""
    code, told = replay_all(cluster.folder, cluster.database)
    for row in ROWS:
        if row.replay == "not tried":
            row.replay = "same" if code == 0 else "differs"
    assert code == 0, told
    assert cluster.complaints() == ""


class HealedCluster:
    """A cluster whose parts can be broken and mended: one test after the other does so, each with rooms of its own.
    What a test does not mend, the tests after it do without."""

    def __init__(self, cluster: Cluster, nats: NatsServers, proxy: TcpProxy, database: PostgresServer) -> None:
        self.cluster = cluster
        self.nats = nats
        self.proxy = proxy
        """It stands between NATS and the first of two coordinators."""
        self.database = database


@pytest.fixture(scope="module")
def healed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HealedCluster]:
    """When all tests have used it, a replay of all of their rooms arrives at the same."""
    database, servers = PostgresServer(), NatsServers()
    try:
        with (
            TcpProxy(servers.servers[0].port) as proxy,
            Cluster(
                tmp_path_factory.mktemp("healed"), database.new_database(), f"nats://127.0.0.1:{proxy.port}",
                servers.url, nodes=(servers.url,),
            ) as cluster,
        ):  # fmt: skip
            yield HealedCluster(cluster, servers, proxy, database)
            replayed(cluster)
    finally:
        servers.stop()
        database.stop()


def test_nats_is_cut_off_from_a_coordinator(healed: HealedCluster) -> None:
    ordered(played(healed.cluster, healed.proxy.cut, healed.proxy.heal, seconds=CUT_SECONDS))


def test_postgresql_crashes_and_is_started_again(healed: HealedCluster) -> None:
    ordered(played(healed.cluster, healed.database.crash, healed.database.start, seconds=2.0))


def test_the_disk_of_nats_is_full(healed: HealedCluster) -> None:
    """The streams of requests cannot take more than a few; answers come again when there is room."""
    server = healed.nats.servers[0]
    whole = server.configuration.read_text()
    full = re.sub(r"max_file_store: \w+", "max_file_store: 1KB", whole)

    def restarted(configuration: str) -> None:
        server.configuration.write_text(configuration)
        server.kill()
        server.start()
        healed.nats.wait_until_ready()
        config = server.monitor("jsz")["config"]
        assert isinstance(config, dict)
        assert (config["max_storage"] == 1024) == (configuration == full)

    ordered(played(healed.cluster, lambda: restarted(full), lambda: restarted(whole), seconds=FULL_SECONDS))


def test_a_node_of_another_version_answers_nothing(healed: HealedCluster, tmp_path: Path) -> None:
    """It would answer wrongly: with it there alone nobody would get an answer."""
    (tmp_path / "sitecustomize.py").write_text("import idg.engine.version as v\nv.engine_version = lambda: 'another'\n")
    with with_python_path(tmp_path):
        assert "engine another" in healed.cluster.start_node(healed.nats.url).log.read_text()
    ordered(played(healed.cluster, lambda: None))


def test_a_node_is_killed_and_its_workers_with_it(healed: HealedCluster) -> None:
    """One of two nodes, in the middle of whatever it computes. The other one stays for tests that come later."""
    cluster = healed.cluster
    cluster.start_node(healed.nats.url)
    ordered(played(cluster, cluster.nodes[0].kill))


@in_soak
def test_bots_on_two_coordinators_without_a_fault(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    with Cluster(tmp_path, postgresql_url, nats_servers.url, nats_servers.url) as cluster:
        explained(cluster, played(cluster, lambda: None))


@in_soak
def test_a_coordinator_is_frozen_and_comes_back(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """It stands still for longer than its lease, and goes on as if nothing had happened."""

    def send(number: signal.Signals) -> None:
        os.kill(cluster.coordinators[0].process.pid, number)

    with Cluster(tmp_path, postgresql_url, nats_servers.url, nats_servers.url) as cluster:
        history = played(cluster, lambda: send(signal.SIGSTOP), lambda: send(signal.SIGCONT), seconds=FROZEN_SECONDS)
        explained(cluster, history)


@in_soak
def test_the_only_nats_server_is_killed_and_started_again(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    server = nats_servers.servers[0]
    with Cluster(tmp_path, postgresql_url, nats_servers.url, nats_servers.url) as cluster:
        explained(cluster, played(cluster, lambda: server.kill(), lambda: server.start(), seconds=2.0))


def test_the_leader_of_three_nats_servers_is_killed(postgresql_url: str, three_nats_servers: NatsServers, tmp_path: Path) -> None:
    with Cluster(tmp_path, postgresql_url, three_nats_servers.url, three_nats_servers.url) as cluster:
        explained(cluster, played(cluster, lambda: three_nats_servers.leader().kill()))


@in_soak
def test_a_coordinator_whose_clock_is_wrong_by_an_hour(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """It is killed, and what it has stored is judged by the other one, whatever the times in it say."""
    late = tmp_path / "late"
    late.mkdir()
    (late / "sitecustomize.py").write_text("import time\n_time = time.time\ntime.time = lambda: _time() - 3600.0\n")
    with Cluster(tmp_path, postgresql_url, nats_servers.url) as cluster:
        with with_python_path(late):
            cluster.start_coordinator(nats_servers.url)
        history = played(cluster, cluster.coordinators[1].kill)
        explained(cluster, history)
    times = [event["time"] for events in history.rooms.values() for event in events]
    assert max(times) - min(times) > 3000, "both clocks were used"


@in_soak
def test_the_clocks_of_coordinators_jump(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """In the middle of the game one jumps an hour ahead and the other an hour back; then they change places."""
    offsets = [tmp_path / f"offset{number}" for number in range(2)]

    def jump(*hours: int) -> None:
        for offset, by in zip(offsets, hours, strict=True):
            new = offset.with_suffix(".new")
            new.write_text(str(3600.0 * by))
            new.replace(offset)  # At once, so that no clock reads half a number.

    jump(0, 0)
    with Cluster(tmp_path, postgresql_url, nodes=(nats_servers.url,)) as cluster:
        for offset in offsets:
            folder = tmp_path / f"clock-{offset.name}"
            folder.mkdir()
            clock = f"_time, _offset = time.time, {str(offset)!r}\ntime.time = lambda: _time() + float(open(_offset).read())\n"
            (folder / "sitecustomize.py").write_text(f"import time\n{clock}")
            with with_python_path(folder):
                cluster.start_coordinator(nats_servers.url)
        history = played(cluster, lambda: jump(1, -1), lambda: jump(-1, 1), seconds=5.0)
        explained(cluster, history)
    times = [event["time"] for events in history.rooms.values() for event in events]
    assert max(times) - min(times) > 7000, "the clocks did jump"


@in_soak
def test_the_only_node_is_killed_and_another_one_comes(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    nats = nats_servers.url
    with Cluster(tmp_path, postgresql_url, nats, nats) as cluster:
        explained(cluster, played(cluster, cluster.nodes[0].kill, lambda: started(cluster, nats), seconds=1.0))


def started(cluster: Cluster, nats: str) -> None:
    cluster.start_node(nats)


@in_soak
def test_a_node_is_frozen_and_comes_back(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """Its requests are answered by the other node meanwhile. What it answers when it comes back is too late for them."""
    nats = nats_servers.url
    with Cluster(tmp_path, postgresql_url, nats, nats, nodes=(nats, nats)) as cluster:
        node = cluster.nodes[0]
        explained(cluster, played(cluster, node.freeze, node.thaw, seconds=FROZEN_SECONDS))


@in_soak
def test_nats_is_cut_off_from_a_node(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    nats = nats_servers.url
    with (
        TcpProxy(nats_servers.servers[0].port) as proxy,
        Cluster(tmp_path, postgresql_url, nats, nats, nodes=(f"nats://127.0.0.1:{proxy.port}", nats)) as cluster,
    ):
        explained(cluster, played(cluster, proxy.cut, proxy.heal, seconds=CUT_SECONDS))


@in_soak
def test_the_computer_of_a_node_is_cut_off(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """The node has a network of its own, whose packets are lost for a while: nobody is told, and no connection is closed."""
    nats = nats_servers.url
    try:
        network = OwnNetwork()
    except NoNetworks as error:
        pytest.skip(f"this machine makes no networks: {error}")
    with (
        network,
        TcpProxy(nats_servers.servers[0].port, network.here) as door,
        Cluster(tmp_path, postgresql_url, nats, nats) as cluster,
    ):
        cluster.start_node(f"nats://{network.here}:{door.port}", prefix=network.prefix)
        explained(cluster, played(cluster, network.cut, network.heal, seconds=CUT_SECONDS))


@in_soak
def test_a_rolling_restart(postgresql_url: str, nats_servers: NatsServers, tmp_path: Path) -> None:
    """Each coordinator is ended in order and started again at the same port, one after the other."""
    ports = (free_port(), free_port())

    def restart() -> None:
        for number, port in enumerate(ports):
            assert cluster.coordinators[number].end(signal.SIGTERM) == 0
            cluster.start_coordinator(nats_servers.url, port=port)

    with Cluster(tmp_path, postgresql_url, nodes=(nats_servers.url,)) as cluster:
        for port in ports:
            cluster.start_coordinator(nats_servers.url, port=port)
        explained(cluster, played(cluster, restart, slow=True))


def test_a_coordinator_is_killed(healed: HealedCluster) -> None:
    """The bots come back at the other one, and what the dead one had stored is judged there. Nobody starts it again, so this test
    comes last."""
    ordered(played(healed.cluster, lambda: healed.cluster.coordinators[0].kill()))
