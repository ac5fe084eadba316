"""NATS with TLS and with users that have just the permissions that they need: those of examples/cluster/nats-users.conf."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import nats.errors
import nkeys
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from idg.coordinator.cluster.broker import Broker, BrokerSettings, BrokerUnreachable
from idg.coordinator.cluster.local.nats_servers import NatsSecurity, NatsServers
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.requests.nats_pool import NatsPool
from idg.coordinator.cluster.subjects import NODE_INBOXES
from tests.support.servers.cluster.cluster_scenarios import ENGINE, pool_settings
from tests.support.servers.pool_scenarios import ROOT, job, read_names, run, until
from tests.support.waiting import HANG_SECONDS

USERS = ROOT / "examples" / "cluster" / "nats-users.conf"
NODE_SEED = nkeys.encode_seed(bytes(range(32)), nkeys.PREFIX_BYTE_USER)

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


def certificates(folder: Path) -> tuple[str, str, str]:
    """Files of an authority, of a certificate for this machine, and of its key."""
    now = datetime.datetime.now(datetime.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("authority of a test", "nats")]

    def signed(index: int, extension: x509.ExtensionType) -> bytes:
        builder = x509.CertificateBuilder(names[0], names[index], keys[index].public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        identifier = x509.SubjectKeyIdentifier.from_public_key(keys[index].public_key())
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key())
        builder = (
            builder.add_extension(extension, critical=index == 0).add_extension(identifier, False).add_extension(issuer, False)
        )
        return builder.sign(keys[0], hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    files = [folder / name for name in ("ca.pem", "nats.pem", "nats.key")]
    files[0].write_bytes(signed(0, x509.BasicConstraints(ca=True, path_length=None)))
    files[1].write_bytes(signed(1, x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])))
    form = serialization.PrivateFormat.PKCS8
    files[2].write_bytes(keys[1].private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    authority, certificate, key = map(str, files)
    return authority, certificate, key


@pytest.fixture
def secure_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[NatsServers]:
    """A server with TLS and the users of the example; a further node has an nkey."""
    for user in ("COORDINATOR", "NODE", "WATCHER"):
        monkeypatch.setenv(f"IDG_{user}_PASSWORD", f"secret-{user.lower()}")
    text = USERS.read_text().partition("authorization {")[2].rpartition("}")[0]
    public = nkeys.from_seed(NODE_SEED).public_key.decode()
    text = text.replace("users: [", f'users: [ {{ nkey: "{public}", permissions: $node }}')
    servers = NatsServers(
        folder=tmp_path / "nats", security=NatsSecurity(text, "coordinator:secret-coordinator", *certificates(tmp_path))
    )
    yield servers
    servers.stop()


def connection(servers: NatsServers, user: str = "", **more: str) -> BrokerSettings:
    return BrokerSettings(tuple(servers.urls_of(user or servers.security.user).split(",")), ca=servers.security.ca, **more)


@pytest.mark.parametrize("kind", ["password", "nkey"])
def test_a_node_can_do_all_that_it_needs(secure_servers: NatsServers, tmp_path: Path, kind: str) -> None:
    seed = tmp_path / "node.nk"
    seed.write_bytes(NODE_SEED)

    async def scenario() -> None:
        coordinator = await Broker.open(connection(secure_servers), "coordinator")
        given = connection(secure_servers, "node:secret-node")
        if kind == "nkey":
            bare = tuple(f"tls://127.0.0.1:{server.port}" for server in secure_servers.servers)
            given = BrokerSettings(bare, ca=secure_servers.security.ca, nkey=str(seed))
        broker = await Broker.open(given, "node", NODE_INBOXES)
        refused: list[str] = []
        broker.client._error_cb = told_to(refused)
        node = EngineNode(broker, pool_settings(workers=1, cancel_grace_seconds=0.05), "node1", ENGINE)
        pool = NatsPool(coordinator, pool_settings(workers=1), "c1", ENGINE)
        try:
            await node.start()
            await pool.start()
            assert await pool.ask(job("echo", n=1)) == {"n": 1}
            assert len((await pool.ask(job("long", length=3_000_000)))["text"]) == 3_000_000
            assert len((await pool.ask(job("echo", text="x" * 3_000_000)))["text"]) == 3_000_000
            log = tmp_path / "log"
            ticket = pool.submit(job("note", name="w", log=str(log), gate=str(tmp_path / "never")))
            await until(lambda: read_names(log) == ["w"])
            pool.cancel(ticket)
            assert await pool.ask(job("echo", n=2)) == {"n": 2}
            assert (await node.work.kept_answer("*")) is not None
            await node.drain()
            assert not refused
        finally:
            await node.close()
            await pool.close()
            await broker.close()
            await coordinator.close()

    run(scenario())


def told_to(refused: list[str]) -> Callable[[Exception], Awaitable[None]]:
    async def told(error: Exception) -> None:
        refused.append(str(error))

    return told


def test_a_node_can_do_nothing_else(secure_servers: NatsServers) -> None:
    async def scenario() -> None:
        broker = await Broker.open(connection(secure_servers, "node:secret-node"), "node", NODE_INBOXES)
        refused: list[str] = []
        broker.client._error_cb = told_to(refused)
        try:
            for subject in ("idg.news.>", "idg.rooms.>", "idg.work.>", "_INBOX.>", "idg.coordinator.>", ">"):
                await broker.client.subscribe(subject)
                await until(lambda subject=subject: any(subject.lower() in text for text in refused))  # type: ignore[misc]
            for subject in ("idg.work.x.people", "idg.cancel.x", "idg.coordinator.x.y", "$JS.API.STREAM.DELETE.IDG-people-x"):
                await broker.client.publish(subject, b"x")
                await until(lambda subject=subject: any(subject.lower() in text for text in refused))  # type: ignore[misc]
            with pytest.raises(nats.errors.Error):
                await broker.jetstream.add_stream(name="MINE", subjects=["mine"])
        finally:
            await broker.close()

    run(scenario())


def test_strangers_are_refused(secure_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.coordinator.cluster.broker.FIRST_CONNECT_SECONDS_MAX", 3.0)

    async def refused_with(settings: BrokerSettings, word: str) -> None:
        """Waits until a refusal says so: on a busy machine there may be no answer at all in time."""
        while True:
            with pytest.raises(BrokerUnreachable) as refused:
                await Broker.open(settings, "stranger")
            if word in str(refused.value).lower():
                return

    async def scenario() -> None:
        await refused_with(connection(secure_servers, "node:wrong"), "authorization")
        await refused_with(BrokerSettings(secure_servers.urls), "certificate")

    run(scenario())


def test_the_status_of_a_secure_cluster(secure_servers: NatsServers) -> None:
    """The watcher's user suffices for `idg cluster status`."""

    async def scenario() -> None:
        coordinator = await Broker.open(connection(secure_servers), "coordinator")
        pool = NatsPool(coordinator, pool_settings(workers=1), "c1", ENGINE)
        await pool.start()
        try:
            url = secure_servers.urls_of("watcher:secret-watcher")
            flags = ["--nats", url, "--nats-ca", secure_servers.security.ca]
            command = [sys.executable, "-m", "idg", "cluster", "status", *flags, "--json"]
            while True:
                process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                output, errors = await asyncio.wait_for(process.communicate(), HANG_SECONDS)
                assert (process.returncode, errors) == (1, b"")  # There is no node.
                told = json.loads(output)
                names = [news["name"] for news in told["coordinators"]]
                if (names, len(told["streams"]), told["problem"]) == (["c1"], 4, ""):
                    break  # Otherwise the machine was so busy that somebody was not heard in time.
        finally:
            await pool.close()
            await coordinator.close()

    run(scenario())


def test_whoever_is_let_in_no_more_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying on with the same password is of no use, so the process must know that it has to end."""
    monkeypatch.setattr("idg.coordinator.cluster.broker.REFUSED_SECONDS_MAX", 0.5)
    password = 'user: "node", password: "secret"'
    servers = NatsServers(1, None, NatsSecurity(authorization=password, user="node:secret"))

    async def story() -> None:
        broker = await Broker.open(BrokerSettings(servers.urls), "a node whose password is changed")
        try:
            configuration = servers.servers[0].configuration
            configuration.write_text(configuration.read_text().replace("secret", "another one"))
            servers.servers[0].send(signal.SIGHUP)
            await asyncio.wait_for(broker.refused.wait(), HANG_SECONDS)
            assert "authorization" in broker.refusal.lower()
        finally:
            await broker.close()
        assert not broker.connected

    try:
        asyncio.run(story())
    finally:
        servers.stop()


def test_whoever_closes_the_connection_is_not_refused() -> None:
    servers = NatsServers(1)

    async def story() -> None:
        broker = await Broker.open(BrokerSettings(servers.urls), "a node that ends")
        await broker.close()
        assert not broker.refused.is_set()

    try:
        asyncio.run(story())
    finally:
        servers.stop()
