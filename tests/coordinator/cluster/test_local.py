"""The servers that a local cluster consists of."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import nats
import pytest

from idg.cli.main import main
from idg.coordinator.cluster import broker
from idg.coordinator.cluster.broker import Broker, BrokerSettings, BrokerUnreachable
from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.local.postgres_server import PostgresServer
from idg.coordinator.cluster.local.programs import ProgramFailed, free_ports
from idg.coordinator.settings import Settings
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.cluster.brokers"]


def stored(servers: NatsServers, write: bool) -> list[bytes]:
    """What the stream has; first something is written where that is asked for."""

    async def scenario() -> list[bytes]:
        connection = await Broker.open(BrokerSettings(servers.urls), "test")
        try:
            if write:
                await connection.jetstream.add_stream(name="KEPT", subjects=["kept.>"], num_replicas=len(servers.servers))
                await connection.jetstream.publish("kept.a", b"one")
            while True:
                # While servers elect a leader, requests are not answered.
                with contextlib.suppress(nats.errors.TimeoutError, nats.js.errors.ServiceUnavailableError):
                    info = await connection.jetstream.stream_info("KEPT")
                    return [(await connection.jetstream.get_msg("KEPT", 1)).data or b""] * info.state.messages
        finally:
            await connection.close()

    return asyncio.run(asyncio.wait_for(scenario(), HANG_SECONDS))


def test_one_server_keeps_what_it_has(tmp_path: Path) -> None:
    servers = NatsServers(folder=tmp_path)
    try:
        assert stored(servers, write=True) == [b"one"]
        servers.servers[0].kill()
        servers.servers[0].start()
        servers.wait_until_ready()
        assert stored(servers, write=False) == [b"one"]
    finally:
        servers.stop()
    assert not servers.servers[0].running


def test_three_servers_lose_nothing_with_one(three_nats_servers: NatsServers) -> None:
    assert stored(three_nats_servers, write=True) == [b"one"]
    three_nats_servers.servers[0].kill()
    assert stored(three_nats_servers, write=False) == [b"one"]


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    servers = NatsServers(folder=tmp_path)
    servers.stop()
    servers.servers[0].configuration.write_text("nonsense {")
    servers.servers[0].start()
    with pytest.raises(ProgramFailed, match="Parse error"):
        servers.wait_until_ready()


def test_ports_are_not_those_that_the_system_gives_away() -> None:
    """A connection of anybody could have such a port when the server that is to have it starts, or starts again."""
    ports = free_ports(20)
    assert len(set(ports)) == 20
    with contextlib.ExitStack() as stack:
        given_away = []
        for _ in range(20):
            listener = stack.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            given_away.append(listener.getsockname()[1])
    assert max(ports) < min(given_away)


def test_servers_whose_port_was_taken_get_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wrong = [taken.getsockname()[1]]

        def ports(count: int) -> list[int]:
            return [wrong.pop(), *free_ports(count - 1)] if wrong else free_ports(count)

        monkeypatch.setattr("idg.coordinator.cluster.local.nats_servers.free_ports", ports)
        servers = NatsServers()
        try:
            assert stored(servers, write=True) == [b"one"]
            assert not wrong
        finally:
            servers.stop()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder to which everybody can walk: as root, PostgreSQL's server is nobody. pytest's own folders are closed, and
    closed again whenever pytest is started a second time."""
    with tempfile.TemporaryDirectory(prefix="idg-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_postgresql_keeps_its_folder(open_folder: Path) -> None:

    async def ask(url: str, statement: str) -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    for answer in (0, 1):
        server = PostgresServer(open_folder / "data")
        try:
            url = server.lasting_database("idg")
            asyncio.run(ask(url, "CREATE TABLE IF NOT EXISTS kept (number int)"))
            assert asyncio.run(ask(url, "SELECT count(*) FROM kept")) == answer
            asyncio.run(ask(url, "INSERT INTO kept VALUES (1)"))
        finally:
            server.stop()


def test_no_server_no_connection(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "FIRST_CONNECT_SECONDS_MAX", 1.0)
    nats_servers.servers[0].kill()

    async def scenario() -> None:
        with pytest.raises(BrokerUnreachable, match=r"NATS cannot be reached at 127\.0\.0\.1:\d+: "):
            await Broker.open(BrokerSettings(nats_servers.urls), "test")

    asyncio.run(scenario())


def test_a_node_has_as_many_workers_as_cores_but_at_most_64(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    async def noted_run(settings: Settings, *_: object) -> None:
        told.append(settings.workers)

    monkeypatch.setattr("idg.cli.serving.cluster.run_node", noted_run)
    monkeypatch.setattr("idg.cli.serving.cluster.set_up_logging", lambda _: None)
    for cores in (3, 64, 128, None):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert main(["node", "--nats", "nats://127.0.0.1:4222"]) == 0
    assert told == [3, 64, 64, 1]
