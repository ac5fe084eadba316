"""The pool of a cluster keeps the promises of the local pool: answers, limits, order, cancelling, closing."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest
from nats.aio.msg import Msg

from idg.coordinator.cluster.local.nats_servers import NatsServers
from idg.coordinator.cluster.members import Claim, fair_share
from idg.coordinator.cluster.nodes.pulling import SlotPuller
from idg.coordinator.cluster.requests import member_pool, nats_pool
from idg.coordinator.cluster.requests.nats_pool import NatsPool
from idg.coordinator.cluster.subjects import Priority
from idg.coordinator.pool.jobs import Asker, Busy, CallError, Closed, Failed, Job
from idg.sip.record import replace
from tests.support.servers.cluster.cluster_scenarios import ENGINE, a_cluster, a_coordinators_pool, a_node
from tests.support.servers.pool_scenarios import ROOT, job, read_names, run, until

pytest_plugins = ["tests.support.servers.cluster.brokers"]


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets workers import the hostile calls and the package of this tree."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


async def failed_of(pool: NatsPool, given_job: Job) -> Failed:
    with pytest.raises(Failed) as failed:
        await pool.ask(given_job)
    return failed.value


async def still_answers(pool: NatsPool) -> None:
    for number in range(4):
        assert await pool.ask(job("echo", number=number)) == {"number": number}


def noted(name: str, room: str, folder: Path, gate: str = "gate", agent: bool = False, key: str = "") -> Job:
    """A job that writes its name to a log, and ends when there is a file."""
    return replace(job("note", room, agent, name=name, log=str(folder / "log"), gate=str(folder / gate)), key=key)


def no_more_asking(patch: pytest.MonkeyPatch) -> set[SlotPuller]:
    """From now on no slot asks for a request. Returns the slots that have noticed: what they asked for before is over."""
    noticed: set[SlotPuller] = set()

    async def nothing_comes(slot: SlotPuller, priority: Priority, seconds: float) -> None:
        noticed.add(slot)
        await asyncio.sleep(seconds)

    patch.setattr(SlotPuller, "_pull", nothing_comes)
    return noticed


# Answers.


def test_answers(nats_servers: NatsServers) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, nodes=2, queue_max=200) as pool:
            values = {"a": "ä\n\0\u2028", "b": [1, None, {"c": 0.5}], "n": "9" * 5000}
            assert await pool.ask(Job("echo", values, Asker("r"))) == values
            answers = await asyncio.gather(*(pool.ask(job("echo", f"room{n % 7}", n=n)) for n in range(100)))
            assert [answer["n"] for answer in answers] == list(range(100))
            await until(lambda: pool.stats().busy == 0)  # The nodes say so a moment after the last answer.
            stats = pool.stats()
            assert (stats.queued, stats.done, stats.repeated) == (0, 101, 0)
            assert stats.recent_median_seconds is not None
            assert pool.problem() == ""

    run(scenario())


@pytest.mark.parametrize("length", [1_000_000, 1_048_576, 7_500_000])
def test_long_requests_and_answers_go_in_parts(nats_servers: NatsServers, length: int) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            assert len((await pool.ask(job("long", length=length)))["text"]) == length
            assert (await pool.ask(job("echo", text="y" * length)))["text"] == "y" * length
            await still_answers(pool)

    run(scenario())


def test_what_is_too_long_is_told(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.coordinator.cluster.requests.work.MESSAGE_BYTES_MAX", 3_000_000)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            request = await failed_of(pool, job("echo", text="y" * 3_000_000))
            answer = await failed_of(pool, job("long", length=3_000_000))
            assert request.reason == answer.reason == "memory"
            assert "too long for NATS" in request.detail
            assert "too long for NATS" in answer.detail
            await still_answers(pool)

    run(scenario())


def test_errors_and_limits_come_from_the_node(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, memory_mb=200) as pool:
            with pytest.raises(CallError) as raised:
                await pool.ask(job("fail"))
            assert (raised.value.type_name, raised.value.message) == ("ValueError", "no such thing")
            assert "in fail" in raised.value.traceback
            assert (await failed_of(pool, job("hang", deadline=0.3))).reason == "time"
            assert (await failed_of(pool, job("crash"))).reason == "died"
            assert (await failed_of(pool, job("eat_and_hide"))).reason == "memory"
            assert await pool.ask(job("crash_once", mark=str(tmp_path / "mark"))) == {"survived": True}
            await still_answers(pool)
            stats = pool.stats()
            assert (stats.errors, stats.failed) == (1, {"time": 1, "memory": 1, "died": 1})

    run(scenario())


def test_the_nodes_own_deadline_counts_where_it_is_shorter(nats_servers: NatsServers) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, deadline_seconds=0.4) as pool:
            failed = await failed_of(pool, job("hang"))
            assert failed.detail == "the analysis was ended after 0.4 s"

    run(scenario())


# Order.


def test_people_and_small_rooms_come_first(nats_servers: NatsServers, tmp_path: Path) -> None:
    """The queue is the coordinator's, so its order holds but for what is published already: one job more than slots."""

    async def scenario() -> None:
        async with a_cluster(nats_servers, workers=1, queue_max=200) as pool:
            first = [pool.submit(noted(f"held{n}", f"held{n}", tmp_path)) for n in range(2)]
            agent = pool.submit(noted("agent", "agent", tmp_path, agent=True))
            many = [pool.submit(noted(f"many{n}", "many", tmp_path)) for n in range(5)]
            few = [pool.submit(noted(f"few{n}", f"few{n}", tmp_path)) for n in range(3)]
            await until(lambda: read_names(tmp_path / "log") == ["held0"])
            assert pool.stats().queued == 9
            (tmp_path / "gate").touch()
            await asyncio.gather(*(ticket.answer for ticket in (*first, agent, *many, *few)))
            names = read_names(tmp_path / "log")
            assert names[:2] == ["held0", "held1"]
            assert names.index("few2") < names.index("many1")
            assert names.index("few2") < names.index("agent")

    run(scenario())


def test_a_full_queue_says_busy(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, workers=1, queue_max=8) as pool:
            taken = [pool.submit(noted(f"held{n}", f"held{n}", tmp_path)) for n in range(2)]
            taken += [pool.submit(job("echo", "x/p/a")) for _ in range(3)]
            with pytest.raises(Busy, match="try again in"):
                pool.submit(job("echo", "x/p/b"))
            (tmp_path / "gate").touch()
            await asyncio.gather(*(ticket.answer for ticket in taken))
            assert pool.stats().busy_rejections == 1

    run(scenario())


def test_slots_are_divided() -> None:
    assert fair_share(0, [3]) == 0
    assert fair_share(8, []) == 8
    assert fair_share(8, [0, 0]) == 8, "who wants nothing gets nothing"
    assert fair_share(8, [3]) == 5
    assert fair_share(8, [100]) == 4
    assert fair_share(9, [100]) == 5
    assert fair_share(8, [1, 100]) == 4
    assert fair_share(2, [50, 50, 50]) == 1


def test_two_coordinators_share_the_slots(nats_servers: NatsServers, tmp_path: Path) -> None:
    """One has filled all slots; the other gets the next ones that are free, although the first has much more to do."""

    async def scenario() -> None:
        async with a_cluster(nats_servers, workers=2, queue_max=400) as first, a_coordinators_pool(nats_servers) as second:
            many = [first.submit(job("sleep", f"many{n}", seconds=0.1)) for n in range(180)]
            await until(lambda: second.stats().busy == 2)
            few = [second.submit(job("sleep", f"few{n}", seconds=0.1)) for n in range(6)]
            await asyncio.gather(*(ticket.answer for ticket in few))
            assert sum(ticket.answer.done() for ticket in many) < 120
            for ticket in many:
                first.cancel(ticket)
            await still_answers(second)

    run(scenario())


# The same question.


def test_two_coordinators_ask_the_same_once(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, nodes=2) as first, a_coordinators_pool(nats_servers) as second:
            wanted = noted("wanted", "a", tmp_path, key="k" * 64)
            one = first.submit(wanted)
            await until(lambda: read_names(tmp_path / "log") == ["wanted"])
            other = second.submit(wanted)
            await asyncio.sleep(0.2)
            (tmp_path / "gate").touch()
            assert (await one.answer)["pid"] == (await other.answer)["pid"]
            assert (await second.ask(wanted))["name"] == "wanted", "what was answered a moment ago is not asked again"
            assert read_names(tmp_path / "log") == ["wanted"]

    run(scenario())


def test_what_one_coordinator_cancels_another_still_gets(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers) as first, a_coordinators_pool(nats_servers) as second:
            wanted = noted("wanted", "a", tmp_path, key="k")
            one = first.submit(wanted)
            await until(lambda: read_names(tmp_path / "log") == ["wanted"])
            other = second.submit(wanted)
            await asyncio.sleep(0.2)
            first.cancel(one)
            await until(lambda: read_names(tmp_path / "log") == ["wanted", "wanted"])
            (tmp_path / "gate").touch()
            assert (await other.answer)["name"] == "wanted"

    run(scenario())


def test_who_joined_a_question_cannot_cancel_it(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, cancel_grace_seconds=0) as first, a_coordinators_pool(nats_servers) as second:
            wanted = noted("wanted", "a", tmp_path, key="k")
            one = first.submit(wanted)
            await until(lambda: read_names(tmp_path / "log") == ["wanted"])
            other = second.submit(wanted)
            await until(lambda: [asked.is_joined for asked in second._asked.values()] == [True])
            second.cancel(other)
            await until(lambda: not second._asked)
            await still_answers(second)  # The node would have heard of it before these.
            (tmp_path / "gate").touch()
            assert (await one.answer)["name"] == "wanted"
            assert read_names(tmp_path / "log") == ["wanted"]

    run(scenario())


def test_a_question_that_failed_is_asked_again(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            mark = tmp_path / "mark"
            for tries in (1, 2, 3):
                hanging = replace(job("hang", deadline=0.2), key="hangs")
                assert (await failed_of(pool, hanging)).reason == "time"
                assert pool.stats().failed["time"] == tries
            mark.touch()
            assert await pool.ask(replace(job("crash_once", mark=str(mark)), key="hangs")) == {"survived": True}

    run(scenario())


def test_a_question_that_failed_thrice_is_published_a_fourth_time(
    nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server names the first request each time, and the last kept answer is about a later one. Nobody may wait for the first:
    it is over."""

    async def no_node_takes_it(*_: object) -> bool:
        return False

    monkeypatch.setattr(nats_pool, "give", no_node_takes_it)
    monkeypatch.setattr(nats_pool, "UNSEEN_SECONDS_MAX", 3600.0)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            for agent in (False, False, False, True, False, True):
                hanging = replace(job("hang", agent=agent, deadline=0.2), key="hangs")
                assert (await failed_of(pool, hanging)).reason == "time"
            assert await pool.ask(replace(job("echo", n=1), key="hangs")) == {"n": 1}

    run(scenario())


def test_a_request_that_is_gone_is_found_out_although_no_node_takes_it_directly(
    nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trying to give it directly is no sign of it. After a while without one, it is published again."""
    tried = []

    async def no_node_takes_it(*_: object) -> bool:
        tried.append(True)
        return False

    monkeypatch.setattr(nats_pool, "give", no_node_takes_it)
    monkeypatch.setattr(nats_pool, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(nats_pool, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(nats_pool, "UNSEEN_SECONDS_MAX", 2.5)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            with monkeypatch.context() as patch:
                # The node takes nothing, and the request is deleted.
                noticed = no_more_asking(patch)
                await until(lambda: len(noticed) == pool.settings.workers)
                ticket = pool.submit(replace(job("echo", n=1), key="gone"))
                await until(lambda: bool(tried))
                await pool.broker.jetstream.purge_stream(pool.work.subjects.work_stream("people"))
            assert await ticket.answer == {"n": 1}

    run(scenario())


def test_time_in_which_we_hear_nobody_says_nothing_about_a_request(
    nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a connection, every request seemed to be lost after a while, and was given up after three times."""
    monkeypatch.setattr(nats_pool, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(nats_pool, "PATIENCE_SECONDS", 3600.0)
    monkeypatch.setattr(nats_pool, "UNSEEN_SECONDS_MAX", 0.2)
    monkeypatch.setattr(member_pool, "DEAF_SECONDS", -1.0)
    looks: list[float] = []
    deaf_seconds = NatsPool._deaf_seconds

    def noted_look(pool: NatsPool, now: float) -> float:
        looks.append(now)
        return deaf_seconds(pool, now)

    monkeypatch.setattr(NatsPool, "_deaf_seconds", noted_look)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            with monkeypatch.context() as patch:
                noticed = no_more_asking(patch)
                await until(lambda: len(noticed) == pool.settings.workers)
                ticket = pool.submit(job("echo", n=1))
                await until(lambda: [bool(asked.sequence) for asked in pool._asked.values()] == [True])
                [asked] = pool._asked.values()
                await pool.broker.jetstream.purge_stream(pool.work.subjects.work_stream("people"))
                before = len(looks)
                await until(lambda: len(looks) >= before + 4)
                assert asked.losses == 0
                assert asked.unseen_since == looks[-1], "nothing of the time counts"
                patch.setattr(member_pool, "DEAF_SECONDS", 3600.0)
                await until(lambda: asked.losses > 0)
            assert await ticket.answer == {"n": 1}

    run(scenario())


# Cancelling and closing.


def test_cancelling_reaches_the_node(nats_servers: NatsServers, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_node(nats_servers, workers=1, cancel_grace_seconds=0.05) as node, a_coordinators_pool(nats_servers) as pool:
            running = asyncio.create_task(pool.ask(noted("running", "a", tmp_path, "never")))
            await until(lambda: read_names(tmp_path / "log") == ["running"])
            published = pool.submit(noted("published", "b", tmp_path))
            queued = pool.submit(noted("queued", "c", tmp_path))
            # Otherwise the node might hear that the first is cancelled before it hears that the second is.
            await until(lambda: [bool(asked.sequence) for asked in pool._asked.values()] == [True, True])
            for ticket in (published, queued):
                pool.cancel(ticket)
            running.cancel()
            (tmp_path / "gate").touch()
            assert (await pool.ask(noted("kept", "d", tmp_path)))["name"] == "kept"
            assert read_names(tmp_path / "log") == ["running", "kept"]
            assert running.cancelled()
            await until(lambda: node.pool.stats().killed == 1)
            await until(lambda: pool.stats().busy == 0)
            assert (pool.stats().cancelled, pool.stats().queued) == (3, 0)

    run(scenario())


def test_what_is_cancelled_is_given_to_no_node(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request waits in the stream, and no node confirms its end. It is cancelled again, and is over after a while."""
    monkeypatch.setattr(nats_pool, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(nats_pool, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(nats_pool, "ABANDONED_SECONDS_MAX", 3600.0)
    no_more_asking(monkeypatch)
    cancelled: list[bytes] = []
    given: list[Claim] = []

    async def heard(message: Msg) -> None:
        cancelled.append(message.data)

    async def no_node_takes_it(_client: object, _subjects: object, _nodes: object, claim: Claim, _body: bytes) -> bool:
        given.append(claim)
        return False

    monkeypatch.setattr(nats_pool, "give", no_node_takes_it)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            await pool.broker.client.subscribe(pool.work.subjects.cancel, cb=heard)
            ticket = pool.submit(job("echo"))
            await until(lambda: [bool(asked.sequence) for asked in pool._asked.values()] == [True])
            pool.cancel(ticket)
            given.clear()
            await until(lambda: len(cancelled) > 1)
            assert list(pool._asked), "it still counts as under way"
            monkeypatch.setattr(nats_pool, "ABANDONED_SECONDS_MAX", 0.0)
            await until(lambda: not pool._asked)
            assert given == []
            assert len(set(cancelled)) == 1

    run(scenario())


@pytest.mark.parametrize("drain_seconds", [0, 30])
def test_closing(nats_servers: NatsServers, tmp_path: Path, drain_seconds: float) -> None:
    async def scenario() -> None:
        async with a_cluster(nats_servers, workers=1) as pool:
            running = pool.submit(noted("running", "a", tmp_path, key="k"))
            await until(lambda: read_names(tmp_path / "log") == ["running"])
            waiting = [pool.submit(job("echo", f"room{n}")) for n in range(3)]
            closing = asyncio.create_task(pool.close(drain_seconds))
            await asyncio.sleep(0)
            with pytest.raises(Closed):
                pool.submit(job("echo"))
            for ticket in waiting[1:]:
                with pytest.raises(Closed):
                    await ticket.answer
            if not drain_seconds:
                with pytest.raises(Closed):
                    await running.answer
            (tmp_path / "gate").touch()
            if drain_seconds:
                assert (await running.answer)["name"] == "running"
            await closing
            # The node has gone on, and whoever asks the same gets its answer.
            async with a_coordinators_pool(nats_servers) as other:
                assert (await other.ask(noted("running", "a", tmp_path, key="k")))["name"] == "running"
            assert Counter(read_names(tmp_path / "log"))["running"] == 1

    run(scenario())


def test_jobs_wait_for_the_first_node(nats_servers: NatsServers) -> None:
    async def scenario() -> None:
        async with a_coordinators_pool(nats_servers) as pool:
            ticket = pool.submit(job("echo", still="there"))
            assert pool.problem() == f"no engine node of version {ENGINE} is there; analyses wait for one"
            async with a_node(nats_servers, engine="another"):
                await until(lambda: "; 1 of other versions are there" in pool.problem())
                assert not ticket.answer.done()
                async with a_node(nats_servers):
                    assert await ticket.answer == {"still": "there"}
                    assert pool.problem() == ""
                    readings = {name: values for name, _, values in pool.readings()}
                    assert readings["idg_cluster"]["nodes"] == readings["idg_cluster"]["nodes_of_other_versions"] == 1

    run(scenario())


def test_trouble_is_over_when_the_streams_answer(nats_servers: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to ask anything for that."""
    monkeypatch.setattr(member_pool, "LAG_SECONDS", 0.05)

    async def scenario() -> None:
        async with a_cluster(nats_servers) as pool:
            pool.work.trouble = "no leader"
            assert pool.problem() == "NATS does not take requests: no leader"
            await until(lambda: pool.problem() == "")

    run(scenario())
