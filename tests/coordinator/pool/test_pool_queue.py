"""The pool's queue, cancelling and closing: who comes next, who is refused, and that nothing is left."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from idg.coordinator.pool.jobs import Asker, Busy, Closed, Failed, Job
from idg.coordinator.pool.queueing.load import HALF_LIFE_SECONDS, REMEMBERED_MAX, Load
from idg.coordinator.pool.queueing.queue import AGENT_TURN, FairQueue, Ticket
from idg.coordinator.pool.queueing.shares import Shares
from idg.sip.record import replace
from tests.support.servers.pool_scenarios import (
    LINUX,
    ROOT,
    a_pool,
    children,
    full,
    is_worker,
    job,
    pids,
    read_names,
    run,
    still_works,
    until,
)
from tests.support.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets workers import the hostile calls and the package of this tree."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


# The queue.


def tickets(*described: str) -> list[Ticket]:
    """Makes tickets: `a` is a job of room a, with its own player and address, and `a*` is a job of an agent there; `x/p/a` is a job
    of room a, of player p at address x."""
    loop = asyncio.new_event_loop()
    result = [Ticket(n, job("echo", text.rstrip("*"), "*" in text), b"", loop.create_future()) for n, text in enumerate(described)]
    loop.close()
    return result


def idle() -> Load:
    """Nothing is running, and nothing was lately."""
    return Load(lambda: 0.0)


def order(*described: str, running: tuple[str, ...] = ()) -> str:
    queue = FairQueue(1000)
    for ticket in tickets(*described):
        queue.push(ticket)
    load = idle()
    for ticket in tickets(*running):
        load.begin(ticket.job.asker.path)
    picked = [queue.pop(load).job.asker for _ in described]
    with pytest.raises(IndexError):
        queue.pop(idle())
    assert len(queue) == queue.agents_length == queue.of_room("a") == 0
    return " ".join(asker.room + "*" * asker.agent for asker in picked)


def test_rooms_take_turns() -> None:
    assert order("a", "a", "a", "a", "b", "b", "c") == "a b c a b a a"


def test_people_come_before_agents_but_agents_come() -> None:
    assert order("x*", "a", "y*", "b", "a") == "a b a x* y*"
    picked = order("x*", *"a" * 20, "x*", "x*").split()
    assert [index for index, room in enumerate(picked) if room == "x*"] == [AGENT_TURN - 1, 2 * AGENT_TURN - 1, 22]


def test_addresses_take_turns_then_their_players_then_their_rooms() -> None:
    many = [f"x/p{n}/a{n}" for n in range(5)]
    assert order(*many, "y/q/b", "y/q/c") == "a0 b a1 c a2 a3 a4"
    assert order("x/p/a", "x/p/b", "x/p/c", "x/q/d") == "a d b c"
    assert order("x/p/a", "x/p/a", "x/p/b") == "a b a"
    assert order(*many, "y/q/b", "y/q/c", running=("y/r/z",)) == "a0 a1 a2 a3 a4 b c"
    assert order("x/p/a", "x/q/b", running=("x/p/z",)) == "b a"


def test_who_used_less_of_late_comes_first() -> None:
    now = 0.0
    load = Load(lambda: now)
    queue = FairQueue(1000)
    for path, seconds in (("x/p/a", 20.0), ("x/q/b", 1.0), ("y/r/c", 19.0)):
        [ticket] = tickets(path)
        load.begin(ticket.job.asker.path)
        load.end(ticket.job.asker.path, seconds)
        queue.push(ticket)
    queue.push(tickets("x/new/d")[0])
    queue.push(tickets("z/new/e")[0])
    assert [queue.pop(load).job.asker.room for _ in range(5)] == ["e", "c", "d", "b", "a"]
    now = 10 * HALF_LIFE_SECONDS
    assert 0 < load.used(("x",)) < 0.1
    for number in range(2 * REMEMBERED_MAX):
        load.begin((f"{number}",))
        load.end((f"{number}",), 1.0 + number)
    assert len(load._used) <= REMEMBERED_MAX
    assert load.used((f"{2 * REMEMBERED_MAX - 1}",)) > 0


def test_what_nobody_waits_for_goes_last_until_somebody_asks_again() -> None:
    waiting = {"a": True, "b": True, "x": True}

    def asked(room: str, agent: bool) -> Ticket:
        [ticket] = tickets(room + "*" * agent)
        asker = replace(ticket.job.asker, is_waiting=lambda: waiting[room])
        ticket.job = replace(ticket.job, asker=asker)
        return ticket

    queue = FairQueue(1000)
    for room, agent in (("a", False), ("a", False), ("b", False), ("x", True)):
        queue.push(asked(room, agent))
    waiting["a"] = False
    assert queue.pop(idle()).job.asker.room == "b"
    waiting["a"] = True
    assert queue.pop(idle()).job.asker.room == "a"
    waiting["a"] = False
    assert [queue.pop(idle()).job.asker.room for _ in range(2)] == ["x", "a"]
    assert len(queue) == queue.agents_length == queue.of_room("a") == 0


def test_nobody_waits_in_the_line_of_whoever_asked_first(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"

    async def scenario() -> None:
        async with a_pool(workers=1, queue_max=200) as pool:
            held = pool.submit(job("note", "held", name="held", log=str(log), gate=str(gate)))
            many = [pool.submit(job("note", "x/p/a", name=f"many{n}", log=str(log), gate=str(gate))) for n in range(10)]
            wanted = replace(job("note", "x/p/a", name="wanted", log=str(log), gate=str(gate)), key="wanted")
            shared = pool.submit(wanted)
            pool.join("wanted", Asker("b", "q", "y"))
            pool.join("wanted", Asker("b", "q", "y"))
            pool.join("unknown", Asker("b", "q", "y"))
            assert pool.stats().queued == 12
            gate.touch()
            await asyncio.gather(*(ticket.answer for ticket in (held, shared, *many)))
            names = read_names(log)
            assert names[:3] == ["held", "many0", "wanted"]
            assert sorted(names) == sorted(["held", "wanted", *(f"many{n}" for n in range(10))]), "each is computed once"
            gate.unlink()
            held = pool.submit(job("note", "held", name="held", log=str(log), gate=str(gate)))
            shared = pool.submit(replace(wanted, others=(Asker("b", "q", "y"),)))
            pool.cancel(shared)
            assert pool.stats().queued == 0, "cancelled in all lines"
            gate.touch()
            await held.answer

    run(scenario())


def test_somebody_who_holds_nothing_finds_a_place() -> None:
    shares = Shares(200)
    for number in range(1000):
        address = f"address {number % 9}"
        player = f"player {number}"
        if shares.admits(address, player):
            shares.take(address, player)
    assert shares.held < 200
    assert shares.admits("another", "player 5000")
    shares = Shares(200)
    while shares.admits("address", "one"):
        shares.take("address", "one")
    assert 60 <= shares.held <= 70
    while shares.admits("address", f"player {shares.held}"):
        shares.take("address", f"player {shares.held}")
    assert shares.held == 100


def test_rooms_without_a_running_job_come_first() -> None:
    assert order("a", "a", "b", "c", running=("a", "b")) == "c a b a"
    assert order("a", "b", running=("a", "a", "b")) == "b a"
    assert order("a", "x*", running=("a",)) == "x* a"
    assert order("a", "x*", running=("a", "x")) == "a x*"


def test_a_queue_forgets_what_is_removed_and_repeats_first() -> None:
    first, second, third, fourth = tickets("a", "a", "b", "a*")
    queue = FairQueue(1000)
    for ticket in (first, second, fourth):
        queue.push(ticket)
    queue.push_first(third)
    assert queue.remove(first)
    assert not queue.remove(first)
    assert (len(queue), queue.of_room("a"), queue.agents_length) == (3, 2, 1)
    assert set(queue) == {second, third, fourth}
    assert [queue.pop(idle()) for _ in range(3)] == [third, second, fourth]


def test_a_room_with_many_jobs_leaves_workers_to_others(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"

    def noted(name: str, room: str, gate: Path, agent: bool = False) -> Job:
        return job("note", room, agent, name=name, log=str(log), gate=str(gate))

    async def scenario() -> None:
        async with a_pool(workers=2, queue_max=200) as pool:
            held = [pool.submit(noted("held", f"held{n}", gate)) for n in range(2)]
            agents = [pool.submit(noted("agent", "other", gate, agent=True))]
            large_room = [pool.submit(noted(f"many{n}", "many", tmp_path / "never" if n == 0 else gate)) for n in range(50)]
            small_rooms = [pool.submit(noted(f"few{n}", f"few{n}", gate)) for n in range(3)]
            await until(lambda: len(read_names(log)) == 2)
            gate.touch()
            await asyncio.gather(*(ticket.answer for ticket in held + small_rooms + agents))
            names = read_names(log)
            assert [name for name in names if "many" not in name] == ["held", "held", "few0", "few1", "few2", "agent"]
            assert {name for name in names[: names.index("agent")] if "many" in name} <= {"many0"}
            (tmp_path / "never").touch()
            answers = await asyncio.gather(*(ticket.answer for ticket in large_room))
            assert [answer["name"] for answer in answers] == [f"many{n}" for n in range(50)]

    run(scenario())


def test_a_full_queue_says_busy(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def scenario() -> None:
        async with a_pool(workers=1, queue_max=8) as pool:
            waiting = job("note", "held", name="w", log=str(tmp_path / "log"), gate=str(gate))
            taken = [pool.submit(waiting)]
            taken += [pool.submit(job("echo", "x/p/a")) for _ in range(3)]
            with pytest.raises(Busy):
                pool.submit(job("echo", "x/p/b"))  # A player alone may hold a third of the queue,
            taken.append(pool.submit(job("echo", "x/q/c")))
            with pytest.raises(Busy):
                pool.submit(job("echo", "x/r/d"))  # and an address half of it.
            taken += [pool.submit(job("echo", f"x{n}", agent=True)) for n in range(2)]
            taken += [pool.submit(job("echo", f"b{n}")) for n in range(2)]
            with pytest.raises(Busy, match="try again in") as busy:
                pool.submit(job("echo", "c"))
            assert 0 < busy.value.retry_after_seconds <= 60
            assert (pool.stats().queued, pool.stats().busy_rejections) == (8, 3)
            gate.touch()
            await asyncio.gather(*(ticket.answer for ticket in taken))
            assert await pool.ask(job("echo", "c")) == {}
            gate.unlink()
            taken = [pool.submit(waiting), *(pool.submit(job("echo", f"x{n}", agent=True)) for n in range(6))]
            with pytest.raises(Busy):
                pool.submit(job("echo", "x", agent=True))  # Agents may hold three quarters of it.
            gate.touch()
            await asyncio.gather(*(ticket.answer for ticket in taken))

    run(scenario())


def test_without_a_queue_idle_workers_are_used(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, queue_max=0) as pool:
            await still_works(pool)
            gate = tmp_path / "gate"
            ticket = pool.submit(job("note", name="w", log=str(tmp_path / "log"), gate=str(gate)))
            with pytest.raises(Busy):
                pool.submit(job("echo"))
            gate.touch()
            await ticket.answer

    run(scenario())


# Cancelling.


def test_cancelling(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"

    def noted(name: str, gate: Path) -> Job:
        return job("note", name, name=name, log=str(log), gate=str(gate))

    async def scenario() -> None:
        async with a_pool(workers=1, cancel_grace_seconds=0.1) as pool:
            await full(pool)
            running = asyncio.create_task(pool.ask(noted("running", tmp_path / "never")))
            await until(lambda: read_names(log) == ["running"])
            queued, kept, withdrawn = (pool.submit(noted(name, gate)) for name in ("queued", "kept", "other"))
            pool.cancel(queued)
            pool.cancel(queued)
            withdrawn.answer.cancel()
            assert queued.answer.cancelled()
            running.cancel()
            gate.touch()
            assert (await kept.answer)["name"] == "kept"
            assert running.cancelled()
            assert read_names(log) == ["running", "kept"]
            stats = pool.stats()
            assert (stats.killed, stats.cancelled, stats.busy, stats.queued, stats.repeated) == (1, 3, 0, 0, 0)
            pool.cancel(kept)
            assert (pool.stats().cancelled, sum(pool.stats().failed.values())) == (3, 0)

    run(scenario())


def test_a_cancelled_job_that_ends_soon_costs_no_worker(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, cancel_grace_seconds=60) as pool:
            log, gate = tmp_path / "log", tmp_path / "gate"
            ticket = pool.submit(job("note", name="w", log=str(log), gate=str(gate)))
            await until(lambda: len(read_names(log)) == 1)
            pool.cancel(ticket)
            gate.touch()
            await still_works(pool)
            dying = pool.submit(job("leave"))
            pool.cancel(dying)
            at_once = pool.submit(job("echo"))
            at_once.answer.cancel()
            await until(lambda: pool.stats().busy == 0 and pool.stats().queued == 0)
            await still_works(pool)
            stats = pool.stats()
            assert (stats.killed, stats.cancelled, stats.repeated, stats.died, stats.done) == (0, 3, 0, 1, 8)

    run(scenario())


def test_a_shielded_job_outlives_its_first_waiter() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            ticket = pool.submit(job("sleep", seconds=0.2))

            async def wait() -> None:
                await asyncio.shield(ticket.answer)

            task = asyncio.create_task(wait())
            await asyncio.sleep(0)
            task.cancel()
            assert "pid" in await ticket.answer

    run(scenario())


# Closing.


@pytest.mark.parametrize("drain_seconds", [0, 30])
def test_closing(drain_seconds: float, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            log, gate = tmp_path / "log", tmp_path / "gate"
            running = pool.submit(job("note", name="w", log=str(log), gate=str(gate)))
            queued = pool.submit(job("echo"))
            await until(lambda: len(read_names(log)) == 1)
            closing = asyncio.create_task(pool.close(drain_seconds))
            with pytest.raises(Closed):
                await queued.answer
            gate.touch()
            if drain_seconds:
                assert (await running.answer)["name"] == "w"
            else:
                with pytest.raises(Closed):
                    await running.answer
            await closing
            assert not children()
            with pytest.raises(Closed):
                pool.submit(job("echo"))
            assert pool.stats().idle == pool.stats().busy == pool.stats().starting == 0

    run(scenario())


def test_closing_kills_hung_workers_and_those_that_start() -> None:
    async def scenario() -> None:
        async with a_pool(workers=2) as pool:
            hung = [pool.submit(job("hang", f"{n}")) for n in range(2)]
            await asyncio.sleep(0.1)
            for pid in pids(pool)[:1]:
                os.kill(pid, signal.SIGKILL)
            await pool.close()
            assert all(isinstance(ticket.answer.exception(), Closed | Failed) for ticket in hung)

    run(scenario())


COORDINATOR = """
import asyncio
from idg.coordinator.pool.jobs import Asker, Job, PoolSettings
from idg.coordinator.pool.local import LocalPool

async def main():
    pool = LocalPool(PoolSettings(workers=2, calls_module="tests.support.servers.hostile.hostile_calls", sandbox="off"))
    await pool.start()
    for call in ("hang", "sleep"):
        pool.submit(Job(call, {"seconds": 1000}, Asker(call)))
    while pool.stats().idle == 0:
        await asyncio.sleep(0.01)
    print(*(worker.pid for worker in pool._processes._members), flush=True)
    await asyncio.sleep(1000)

asyncio.run(main())
"""


@pytest.mark.skipif(not LINUX, reason="needs /proc; a native hang outlives its parent elsewhere")
def test_workers_end_when_the_coordinator_is_killed() -> None:
    """Idle workers end, sleeping ones, and one that hangs with the GIL held."""
    coordinator = subprocess.Popen([sys.executable, "-c", COORDINATOR], stdout=subprocess.PIPE, text=True)
    assert coordinator.stdout is not None
    workers = [int(pid) for pid in coordinator.stdout.readline().split()]
    assert len(workers) == 3
    assert all(map(is_worker, workers))
    coordinator.kill()
    coordinator.wait()
    coordinator.stdout.close()
    for _ in range(HANG_SECONDS * 100):
        if not any(map(is_worker, workers)):
            return
        time.sleep(0.01)
    raise AssertionError("workers are left")
