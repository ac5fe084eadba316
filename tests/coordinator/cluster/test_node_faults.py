"""Nodes that are killed, frozen, drained or of another version, and NATS servers that are lost, while analyses are under way."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.msg import Msg

from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.requests import nats_pool, work
from idg.coordinator.cluster.requests.nats_pool import NatsPool
from idg.coordinator.pool.jobs import Failed, Job
from idg.sip.record import replace
from tests.support.servers.cluster.cluster_scenarios import (
    ENGINE,
    NodeProcess,
    a_coordinators_pool,
    a_node,
    appears,
    leader_of,
    runs_at,
)
from tests.support.servers.pool_scenarios import ROOT, job, read_names, run, until
from tests.support.volume import LONG, volume

pytest_plugins = ["tests.support.servers.cluster.brokers"]
# The library does not close the socket of a connection that it could not make. It is closed when it is collected.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests of silent nodes are given to others after four seconds. The streams are made by the pools of this process."""
    monkeypatch.setattr(work, "ACK_WAIT_SECONDS", 4.0)


def noted(name: str, folder: Path, gate: str = "gate", key: str = "") -> Job:
    return replace(job("note", name, name=name, log=str(folder / "log"), gate=str(folder / gate)), key=key)


@asynccontextmanager
async def pool_and_processes(servers: NatsServers, folder: Path, count: int) -> AsyncIterator[tuple[NatsPool, list[NodeProcess]]]:
    """A coordinator's pool and nodes in processes of their own."""
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(a_coordinators_pool(servers))
        nodes = [NodeProcess(servers, folder) for _ in range(count)]
        try:
            await appears(pool, *nodes)
            yield pool, nodes
        finally:
            for node in nodes:
                node.thaw()
                node.kill()


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_the_request_of_a_lost_node_is_answered_by_another(nats_servers: NatsServers, tmp_path: Path, fault: str) -> None:
    async def scenario() -> None:
        async with pool_and_processes(nats_servers, tmp_path, 2) as (pool, nodes):
            ticket = pool.submit(noted("wanted", tmp_path))
            victim = await runs_at(pool, *nodes)
            getattr(victim, fault)()
            # Meanwhile the other node serves others: the lost request does not take its slot for long.
            for number in range(3):
                assert await pool.ask(job("echo", f"room{number}", n=number)) == {"n": number}
            (tmp_path / "gate").touch()
            assert (await ticket.answer)["name"] == "wanted"
            assert read_names(tmp_path / "log") == ["wanted", "wanted"]
            assert ticket.tries == 2
            if fault == "freeze":
                # It comes back, with an answer that nobody needs any more.
                victim.thaw()
                await until(lambda: all(not news.running for news in pool.members.nodes(ENGINE)))
                await appears(pool, victim)
            for number in range(10):
                assert await pool.ask(job("echo", n=number)) == {"n": number}
            assert sum(pool.stats().failed.values()) == 0

    run(scenario())


@pytest.mark.usefixtures("_impatient")
def test_a_request_that_takes_two_nodes_with_it_is_given_up(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pool_and_processes(nats_servers, tmp_path, 3) as (pool, nodes):
            ticket = pool.submit(noted("deadly", tmp_path, key="deadly"))
            left = list(nodes)
            for _ in range(2):
                victim = await runs_at(pool, *left)
                left.remove(victim)
                victim.kill()
            with pytest.raises(Failed) as failed:
                await ticket.answer
            assert (failed.value.reason, failed.value.tries) == ("died", 2)
            assert read_names(tmp_path / "log") == ["deadly", "deadly"]
            assert await pool.ask(job("echo", still="there")) == {"still": "there"}

    run(scenario())


def test_an_analysis_longer_than_the_patience_stays_where_it_is(
    nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node beats. It is not asked twice, although it takes longer than a silent node would be given."""
    ack_wait, beat = 2.0, 0.2
    monkeypatch.setattr(work, "ACK_WAIT_SECONDS", ack_wait)
    monkeypatch.setattr("idg.coordinator.cluster.nodes.node.BEAT_SECONDS", beat)
    beats: list[float] = []
    in_progress = Msg.in_progress

    async def noted_beat(message: Msg) -> None:
        beats.append(time.monotonic())
        await in_progress(message)

    monkeypatch.setattr(Msg, "in_progress", noted_beat)

    async def tried(pool: NatsPool, number: int) -> bool:
        """Whether it stayed where it was; true, too, where this machine stood still for so long that nobody could beat."""
        ticket = pool.submit(noted(f"long{number}", tmp_path, f"gate{number}"))
        await until(lambda: f"long{number}" in read_names(tmp_path / "log"))
        beats[:] = [time.monotonic()]
        while beats[-1] - beats[0] < 2 * ack_wait:
            await asyncio.sleep(beat)
        (tmp_path / f"gate{number}").touch()
        await ticket.answer
        stood_still = max(later - earlier for earlier, later in itertools.pairwise(beats)) > ack_wait / 2
        return (ticket.tries, read_names(tmp_path / "log").count(f"long{number}")) == (1, 1) or stood_still

    async def scenario() -> None:
        async with a_node(nats_servers), a_node(nats_servers), a_coordinators_pool(nats_servers) as pool:
            assert all([await tried(pool, number) for number in range(volume(1, 3))])

    run(scenario())


def test_a_node_drains(nats_servers: NatsServers, tmp_path: Path) -> None:
    """It answers what it has taken, and takes nothing new."""

    async def scenario() -> None:
        async with pool_and_processes(nats_servers, tmp_path, 1) as (pool, (node,)):
            ticket = pool.submit(noted("taken", tmp_path))
            await runs_at(pool, node)
            node.ask_to_end()
            await until(lambda: [news.slots for news in pool.members.nodes(ENGINE)] == [0])
            later = pool.submit(noted("later", tmp_path))
            assert "no engine node" in pool.problem()
            (tmp_path / "gate").touch()
            assert (await ticket.answer)["name"] == "taken"
            await until(lambda: not node.running)
            assert node.process is not None
            assert node.process.returncode == 0, node.last_words()
            assert not later.answer.done()
            async with a_node(nats_servers):
                assert (await later.answer)["name"] == "later"
            assert ticket.tries == later.tries == 1

    run(scenario())


def test_versions_work_side_by_side(nats_servers: NatsServers, tmp_path: Path) -> None:
    """A rolling upgrade: coordinators and nodes of a new version beside those of the old one. Nobody answers the others."""

    async def scenario() -> None:
        old, new = "0" * 16, "f" * 16
        async with (
            a_node(nats_servers, "old", old) as old_node,
            a_coordinators_pool(nats_servers, old) as old_pool,
            a_coordinators_pool(nats_servers, new) as new_pool,
        ):
            waits = new_pool.submit(replace(job("echo", version="new"), key="same"))
            assert await old_pool.ask(replace(job("echo", version="old"), key="same")) == {"version": "old"}
            await until(lambda: "1 of other versions" in new_pool.problem())
            assert not waits.answer.done()
            async with a_node(nats_servers, "new", new):
                assert await waits.answer == {"version": "new"}
                assert await old_pool.ask(job("echo", still="old")) == {"still": "old"}
                await old_node.drain()
                assert await new_pool.ask(job("echo", still="new")) == {"still": "new"}

    run(scenario())


def test_streams_of_old_versions_are_forgotten(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with a_coordinators_pool(nats_servers, "0" * 16), a_coordinators_pool(nats_servers, "f" * 16) as pool:

            async def engines_left(*used: str) -> set[str]:
                await pool.work.forget_old_streams(used)
                return {(info.config.name or "").rpartition("-")[2] for info in await pool.broker.jetstream.streams_info()}

            assert await engines_left() == {"0" * 16, "f" * 16}, "young ones are kept"
            monkeypatch.setattr(work, "OLD_STREAM_DAYS", 0.0)
            assert await engines_left("0" * 16) == {"0" * 16, "f" * 16}, "somebody has this version"
            assert await engines_left() == {"f" * 16}

    run(scenario())


def test_streams_that_were_lost_are_made_again(nats_servers: NatsServers) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers), a_coordinators_pool(nats_servers) as pool:
            assert await pool.ask(job("echo", n=1)) == {"n": 1}
            for info in await pool.broker.jetstream.streams_info():
                await pool.broker.jetstream.delete_stream(info.config.name or "")
            assert await pool.ask(job("echo", n=2)) == {"n": 2}

    run(scenario())


# NATS.


def test_the_only_server_is_lost_and_comes_back(nats_servers: NatsServers, tmp_path: Path) -> None:
    """The answer is given while there is no server, so it must be published again. New questions wait."""

    async def scenario() -> None:
        async with a_node(nats_servers), a_coordinators_pool(nats_servers) as pool:
            ticket = pool.submit(noted("wanted", tmp_path))
            await until(lambda: read_names(tmp_path / "log") == ["wanted"])
            nats_servers.servers[0].kill()
            await until(lambda: pool.problem() == "NATS cannot be reached")
            (tmp_path / "gate").touch()
            during = pool.submit(job("echo", asked="during"))
            await asyncio.sleep(1)
            nats_servers.servers[0].start()
            assert (await ticket.answer)["name"] == "wanted"
            assert await during.answer == {"asked": "during"}
            await until(lambda: pool.problem() == "")
            assert read_names(tmp_path / "log") == ["wanted"]

    run(scenario())


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_nothing_is_lost_with_a_leader(three_nats_servers: NatsServers, tmp_path: Path, fault: str) -> None:
    """Each question gets its right answer, while the leaders of the streams are lost one after the other.

    In `make test`, the leader of one stream is killed and that of the other one freezes; in `make soak`, both happen to both."""
    servers = three_nats_servers

    async def scenario() -> None:
        async with a_node(servers), a_node(servers), a_coordinators_pool(servers, queue_max=2000) as pool:
            await until(lambda: pool.stats().workers == 4)
            assert await pool.ask(job("echo", n=-1)) == {"n": -1}

            async def ask(number: int) -> int:
                await asyncio.sleep(number * 0.01)
                return int((await pool.ask(job("echo", f"room{number}", n=number)))["n"])

            asking = asyncio.gather(*(ask(number) for number in range(500)))
            streams = {"kill": pool.work.subjects.work_stream("people"), "freeze": pool.work.subjects.answers_stream}
            for stream in streams.values() if LONG else (streams[fault],):
                await asyncio.sleep(0.5)
                leader = await leader_of(servers, pool, stream)
                getattr(leader, fault)()
                assert await pool.ask(job("echo", after=stream)) == {"after": stream}
                if fault == "kill":
                    leader.start()
                else:
                    leader.thaw()
                await asyncio.to_thread(servers.wait_until_ready)
            assert await asking == list(range(500))
            assert sum(pool.stats().failed.values()) == 0

    run(scenario())


def test_without_jetstream_requests_are_given_to_nodes_directly(
    nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The streams are gone and are not made again, as if their servers had no leader or no room on their disks."""
    monkeypatch.setattr(nats_pool, "PATIENCE_SECONDS", 0.2)  # Of no use here, and each request would wait for so long.

    async def scenario() -> None:
        async with pool_and_processes(nats_servers, tmp_path, 2) as (pool, nodes):
            pool.work._makes_streams = False
            for info in await pool.broker.jetstream.streams_info():
                await pool.broker.jetstream.delete_stream(info.config.name or "")
            assert await pool.ask(job("echo", n=1)) == {"n": 1}
            assert (await reason_of(pool, job("hang", deadline=0.3))) == "time"
            cancelled = pool.submit(noted("cancelled", tmp_path, "never"))
            await runs_at(pool, *nodes)
            pool.cancel(cancelled)
            ticket = pool.submit(noted("wanted", tmp_path))
            await until(lambda: "wanted" in read_names(tmp_path / "log"))
            (await runs_at(pool, *nodes)).kill()
            (tmp_path / "gate").touch()
            assert (await ticket.answer)["name"] == "wanted"
            assert "NATS does not take requests" in pool.problem()
            await pool.work.set_up()
            assert await pool.ask(job("echo", n=2)) == {"n": 2}
            await until(lambda: pool.problem() == "")

    run(scenario())


async def reason_of(pool: NatsPool, given_job: Job) -> str:
    with pytest.raises(Failed) as failed:
        await pool.ask(given_job)
    return failed.value.reason


def test_an_answer_that_was_not_heard_is_looked_for(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coordinator never hears an answer when it is given, as if all of them were lost on their way."""

    async def deaf(pool: NatsPool, message: object) -> None: ...

    monkeypatch.setattr(NatsPool, "_hear_answer", deaf)

    async def scenario() -> None:
        async with a_node(nats_servers), a_coordinators_pool(nats_servers) as pool:
            assert await pool.ask(job("echo", lost="no")) == {"lost": "no"}

    run(scenario())


def test_a_request_that_vanished_is_published_again(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_pool, "UNSEEN_SECONDS_MAX", 2.0)

    async def scenario() -> None:
        async with a_coordinators_pool(nats_servers) as pool:
            async with a_node(nats_servers) as node:
                await until(lambda: pool.stats().workers == 2)
                await node.drain()  # Nobody takes it, but the coordinator does not know that yet.
                monkeypatch.setattr(pool, "_slots", lambda: 2)
                ticket = pool.submit(job("echo", vanished="no"))
                await until(lambda: any(asked.sequence for asked in pool._asked.values()))
                await pool.broker.jetstream.purge_stream(pool.work.subjects.work_stream("people"))
            async with a_node(nats_servers):
                assert await ticket.answer == {"vanished": "no"}

    run(scenario())
