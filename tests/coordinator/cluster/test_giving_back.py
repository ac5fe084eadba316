"""A node gives back what it cannot carry out, so that another node gets it at once, and takes nothing while it cannot compute."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import cast

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.nodes.node import EngineNode
from idg.coordinator.cluster.nodes.pulling import Puller, SlotPuller
from idg.coordinator.cluster.nodes.run_node import run_node
from idg.coordinator.cluster.requests import nats_pool
from idg.coordinator.cluster.subjects import Priority, Subjects
from idg.coordinator.pool import workers
from idg.coordinator.pool.jobs import Failed, Job
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.pool.process import WorkerProcess
from idg.coordinator.pool.queueing.queue import Ticket
from idg.coordinator.settings import SettingError, Settings
from idg.engine.version import engine_version
from tests.support.servers.cluster.cluster_scenarios import a_coordinators_pool, a_node
from tests.support.servers.pool_scenarios import ROOT, full, job, pids, read_names, run, until

pytest_plugins = ["tests.support.servers.cluster.brokers"]


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request is given to another node because the first was silent: here nodes must give it back. None is given directly."""
    monkeypatch.setattr("idg.coordinator.cluster.requests.work.ACK_WAIT_SECONDS", 3600.0)
    monkeypatch.setattr("idg.coordinator.cluster.requests.nats_pool.PATIENCE_SECONDS", 3600.0)


async def occupy(node: EngineNode, folder: Path) -> list[Ticket]:
    """Has all workers of a node busy until there is a file `gate`."""
    count = node.pool.settings.workers
    held = [
        node.pool.submit(job("note", f"held{number}", name="held", log=str(folder / "log"), gate=str(folder / "gate")))
        for number in range(count)
    ]
    await until(lambda: read_names(folder / "log") == ["held"] * count)
    return held


def break_starts(node: EngineNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, no worker of this node can be used."""
    usable: property = vars(LocalPool)["usable"]
    monkeypatch.setattr(LocalPool, "usable", property(lambda pool: 0 if pool is node.pool else usable.__get__(pool)))


def test_what_no_worker_begins_is_given_to_another_node(
    nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers, workers=1) as broken, a_coordinators_pool(nats_servers) as pool:
            await occupy(broken, tmp_path)
            ticket = pool.submit(job("echo", n=1))
            await until(lambda: broken.pool.stats().queued == 1)
            break_starts(broken, monkeypatch)
            async with a_node(nats_servers, workers=1):
                assert await ticket.answer == {"n": 1}
                assert ticket.tries == 1, "to give it back is no try"
                await until(lambda: broken.news().running == ())

    run(scenario())


def test_a_node_without_workers_takes_nothing(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers) as broken, a_coordinators_pool(nats_servers) as pool, a_node(nats_servers) as healthy:
            await until(lambda: pool.stats().workers == 2 * broken.pool.settings.workers)
            break_starts(broken, monkeypatch)
            await until(lambda: not broken._puller.idle)
            await until(lambda: pool.stats().workers == healthy.pool.settings.workers)
            tickets = [pool.submit(job("echo", f"room{n}", n=n)) for n in range(20)]
            assert [await ticket.answer for ticket in tickets] == [{"n": n} for n in range(20)]
            assert {ticket.tries for ticket in tickets} == {1}
            assert (broken.answered, broken.pool.stats().done) == (0, 0)

    run(scenario())


def test_the_queue_of_a_node_has_places_for_all_slots(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers, workers=2, queue_max=1) as node, a_coordinators_pool(nats_servers) as pool:
            await occupy(node, tmp_path)
            tickets = [pool.submit(job("echo", f"room{n}", n=n)) for n in range(2)]
            await until(lambda: node.pool.stats().queued == 2)
            (tmp_path / "gate").touch()
            assert [await ticket.answer for ticket in tickets] == [{"n": 0}, {"n": 1}]
            assert node.pool.stats().busy_rejections == 0

    run(scenario())


def test_a_request_that_a_node_cannot_submit_is_given_back(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers, workers=1) as node, a_coordinators_pool(nats_servers) as pool:
            submit = node.pool.submit
            refused: list[Job] = []

            def refuse_once(given: Job) -> Ticket:
                if not refused:
                    refused.append(given)
                    raise RuntimeError("no memory for a ticket")
                return submit(given)

            monkeypatch.setattr(node.pool, "submit", refuse_once)
            ticket = pool.submit(job("echo", n=1))
            assert await ticket.answer == {"n": 1}
            assert (ticket.tries, len(refused)) == (1, 1)
            await until(lambda: not node.news().running)

    run(scenario())


def test_a_request_that_every_node_gives_back_is_given_up(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_pool, "RETURN_PAUSE_SECONDS", 0.01)

    async def scenario() -> None:
        async with a_node(nats_servers) as node, a_coordinators_pool(nats_servers) as pool:
            submit = node.pool.submit
            refused: list[Job] = []

            def refuse(given: Job) -> Ticket:
                refused.append(given)
                raise RuntimeError("no memory for a ticket")

            monkeypatch.setattr(node.pool, "submit", refuse)
            with pytest.raises(Failed, match="could not carry it out") as failed:
                await pool.ask(job("echo", n=1))
            assert failed.value.reason == "died"
            assert len(refused) == nats_pool.RETURNS_MAX + 1
            monkeypatch.setattr(node.pool, "submit", submit)
            assert await pool.ask(job("echo", n=2)) == {"n": 2}

    run(scenario())


def test_a_node_some_of_whose_workers_cannot_be_started_uses_the_others(
    nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One failed start made a whole node take nothing."""

    async def no_process(*_: object) -> None:
        raise OSError("no process can be started")

    async def scenario() -> None:
        async with a_node(nats_servers, workers=2) as node, a_coordinators_pool(nats_servers) as pool:
            await until(lambda: pool.stats().workers == 2)
            await full(node.pool)
            monkeypatch.setattr(WorkerProcess, "start", no_process)
            for pid in pids(node.pool)[:2]:
                os.kill(pid, signal.SIGKILL)
            await until(lambda: pool.stats().workers == 1)
            assert node.news().problem == ""
            answers = await asyncio.gather(*(pool.ask(job("echo", f"room{n}", n=n)) for n in range(10)))
            assert [answer["n"] for answer in answers] == list(range(10))
            os.kill(pids(node.pool)[0], signal.SIGKILL)
            await until(lambda: node.news().problem == "no worker can be started")
            waits = pool.submit(job("echo", n=11))
            monkeypatch.undo()
            monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))
            assert await waits.answer == {"n": 11}
            await until(lambda: node.news().slots == 2)

    run(scenario())


def test_what_comes_to_the_same_node_twice_is_begun_once(
    nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its beats came late, so JetStream gave it to another slot, of the same node."""
    monkeypatch.setattr("idg.coordinator.cluster.requests.work.ACK_WAIT_SECONDS", 0.5)
    monkeypatch.setattr("idg.coordinator.cluster.requests.work.DELIVERIES_MAX", 100)
    monkeypatch.setattr("idg.coordinator.cluster.nodes.node.BEAT_SECONDS", 3600.0)
    came = []
    carry_out = EngineNode._carry_out

    async def noted(node: EngineNode, priority: Priority, message: Msg) -> None:
        came.append(message.metadata.sequence.stream)
        await carry_out(node, priority, message)

    monkeypatch.setattr(EngineNode, "_carry_out", noted)

    async def scenario() -> None:
        async with a_node(nats_servers, workers=2) as node, a_coordinators_pool(nats_servers) as pool:
            ticket = pool.submit(job("note", name="once", log=str(tmp_path / "log"), gate=str(tmp_path / "gate")))
            await until(lambda: len(came) >= 3)
            (tmp_path / "gate").touch()
            assert (await ticket.answer)["name"] == "once"
            assert read_names(tmp_path / "log") == ["once"]
            assert len(set(came)) == 1
            await until(lambda: node.news().running == ())

    run(scenario())


# An engine that is replaced while the node runs.


def test_a_node_whose_engine_was_replaced_drains_and_says_so(
    nats_servers: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its new workers would answer with another engine, under the version of the old one."""
    nodes: list[EngineNode] = []

    def replace_engine(node: EngineNode) -> None:
        nodes.append(node)
        monkeypatch.setattr(workers, "engine_version", lambda: "the old one")
        for pid in pids(node.pool):
            os.kill(pid, signal.SIGKILL)

    async def scenario() -> None:
        settings = Settings(nats=nats_servers.url, data=str(tmp_path), workers=1, sandbox="off")
        with pytest.raises(
            SettingError, match=f"replaced by version {engine_version()} while .* the old one, runs: start it again"
        ):
            await run_node(settings, "outdated", 0, replace_engine)
        assert nodes[0].news().draining
        assert nodes[0].news().slots == 0

    run(scenario())


# Requests that come when their slot waits no more.


class StubClient:
    """In place of a connection to NATS: whoever asks for people gets what comes late, a request of an agent."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.came: Msg | None = None
        self.slot: SlotPuller | None = None

    def new_inbox(self) -> str:
        return "_INBOX.slot"

    async def publish(self, subject: str, body: bytes, reply: str) -> None:
        self.asked.append(subject)
        assert self.slot is not None
        assert self.came is not None
        await self.slot.arrived(self.came)


def test_a_late_request_keeps_its_priority() -> None:
    async def scenario() -> None:
        client, subjects = StubClient(), Subjects("0123")
        late: list[tuple[Priority, Msg]] = []
        puller = Puller(cast(Client, client), subjects, lambda priority, message: late.append((priority, message)))
        client.slot = SlotPuller(puller, cast(Client, client), subjects)
        client.came = Msg(cast(Client, client), subjects.work("agents"), data=b"{}")
        assert await client.slot.next() == ("agents", client.came)
        assert client.asked == [subjects.next("people")]
        await client.slot.arrived(client.came)
        assert late == puller.late == [("agents", client.came)]
        assert await client.slot.next() == ("agents", client.came)

    run(scenario())


def test_late_requests_are_beaten_and_given_back_at_the_end(nats_servers: NatsServers) -> None:
    async def scenario() -> None:
        async with a_coordinators_pool(nats_servers) as pool:
            async with a_node(nats_servers, workers=1) as node:
                await until(lambda: pool.stats().workers == 1)
                slot = await node._puller.new_slot()
                # Nobody else asks any more, and this slot does not wait for what it asked for.
                node._puller.ended = True
                await asyncio.gather(*node._slots)
                node._puller.ended = False
                await slot._client.publish(slot._subjects.next("people"), b'{"batch":1}', reply=f"{slot.inbox}.1")
                ticket = pool.submit(job("echo", n=1))
                await until(lambda: len(node._puller.late) == 1)
                assert len(node.news().running) == 1
                await node.drain()
                assert node.news().running == ()
            async with a_node(nats_servers, workers=1):
                assert await ticket.answer == {"n": 1}
                assert ticket.tries == 1

    run(scenario())
