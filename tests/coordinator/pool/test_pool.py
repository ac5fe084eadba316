"""The pool of engine workers, with real processes and calls that do what no call should."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

from idg.coordinator.pool import workers as pool_workers
from idg.coordinator.pool.jobs import Asker, CallError, Job, NotStarted, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.engine.version import engine_version
from tests.support.programs.known_levels import known_level
from tests.support.servers.pool_scenarios import (
    LINUX,
    ROOT,
    a_pool,
    children,
    full,
    job,
    pids,
    read_names,
    reason_of,
    run,
    still_works,
    until,
)
from tests.support.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets workers import the hostile calls and the package of this tree."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


# Answers.


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_answers(loop: str) -> None:
    async def scenario() -> None:
        async with a_pool() as pool:
            values = {"a": "ä\n\0\u2028", "b": [1, None, {"c": 0.5}], "n": "9" * 5000}
            assert await pool.ask(Job("echo", values, Asker("r"))) == values
            answers = await asyncio.gather(*(pool.ask(job("echo", f"room{n % 7}", n=n)) for n in range(50)))
            assert [answer["n"] for answer in answers] == list(range(50))
            assert (await pool.ask(job("long", length=5_000_000)))["text"] == "x" * 5_000_000
            assert len((await pool.ask(job("echo", text="y" * 5_000_000)))["text"]) == 5_000_000
            assert (await reason_of(pool, job("hang", deadline=0.3))).reason == "time"
            await still_works(pool)
            stats = pool.stats()
            assert (stats.busy, stats.queued, stats.done, stats.failed) == (0, 0, 57, {"time": 1, "memory": 0, "died": 0})
            assert stats.recent_median_seconds is not None

    if loop == "uvloop":
        uvloop = pytest.importorskip("uvloop")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(asyncio.wait_for(scenario(), HANG_SECONDS))
    else:
        run(scenario())


@pytest.mark.skipif(not LINUX, reason="other systems have no processes for batches")
def test_a_worker_does_not_interrupt_whoever_asks_it() -> None:
    async def scenario() -> None:
        async with a_pool() as pool:
            assert (await pool.ask(job("echo", n=1)))["n"] == 1
            assert [os.sched_getscheduler(pid) for pid in pids(pool)] == [os.SCHED_BATCH] * len(pids(pool))
            assert os.sched_getscheduler(0) == os.SCHED_OTHER

    run(scenario())


def test_a_call_that_raises_is_an_error_and_not_repeated() -> None:
    async def scenario() -> None:
        async with a_pool() as pool:
            expected = {
                "fail": ("ValueError", "no such thing"),
                "quit_politely": ("SystemExit", "3"),
                "not_json": ("TypeError", "Object of type set is not JSON serializable"),
                "no_dict": ("TypeError", "the call 'no_dict' answered with list, not with a dict"),
            }
            for call, (type_name, message) in expected.items():
                with pytest.raises(CallError) as raised:
                    await pool.ask(job(call))
                assert (raised.value.type_name, raised.value.message) == (type_name, message)
            with pytest.raises(CallError, match=r"no call 'nonsense'; there are .*echo"):
                await pool.ask(job("nonsense"))
            with pytest.raises(CallError, match="MemoryError: out of memory, bad_alloc"):
                await pool.ask(job("fail", message="MemoryError: out of memory, bad_alloc"))
            with pytest.raises(TypeError):
                pool.submit(job("echo", value={1}))
            assert "in fail" in (await asyncio.gather(pool.ask(job("fail")), return_exceptions=True))[0].traceback  # type: ignore[union-attr]
            stats = pool.stats()
            assert (stats.errors, stats.done, stats.repeated, stats.killed, stats.died) == (7, 7, 0, 0, 0)

    run(scenario())


def test_what_is_printed_does_not_reach_the_protocol() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            assert await pool.ask(job("junk")) == {"stdin": ""}
            await still_works(pool)
            assert pool.stats().killed == pool.stats().died == 0

    run(scenario())


def test_the_spare_is_started_with_the_first_job() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            assert pool.stats().spawned == 1
            await still_works(pool)
            await until(lambda: pool.stats().idle == 2)
            assert pool.stats().spawned == 2

    run(scenario())


def test_without_a_spare_a_lost_process_is_replaced_all_the_same() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, spares=0) as pool:
            await still_works(pool)
            assert pool.stats().spawned == 1
            assert (await reason_of(pool, job("hang", deadline=0.3))).reason == "time"
            await still_works(pool)
            assert pool.stats().spawned == 2

    run(scenario())


# Limits.


@pytest.mark.parametrize("call", ["hang", "backtrack", "close_all"])
def test_a_hang_is_killed_and_the_pool_goes_on(call: str) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, tries_max=1) as pool:
            await full(pool)
            failed = await reason_of(pool, job(call, deadline=0.5))
            assert (failed.reason, failed.tries) == ("died" if call == "close_all" else "time", 1)
            await still_works(pool)
            assert pool.stats().killed + pool.stats().died == 1
            await full(pool)
            assert len(children()) == 2 or not LINUX

    run(scenario())


@pytest.mark.skipif(not LINUX, reason="needs /proc")
@pytest.mark.parametrize("limit_addresses", [True, False])
def test_a_memory_eater_is_ended(limit_addresses: bool) -> None:
    """It is ended by its own limit, or by the pool's watch."""

    async def scenario() -> None:
        async with a_pool(workers=1, memory_mb=200, limit_addresses=limit_addresses) as pool:
            failed = await reason_of(pool, job("eat", deadline=HANG_SECONDS))
            assert (failed.reason, failed.tries) == ("memory", 1)
            await still_works(pool)
            assert pool.stats().failed == {"time": 0, "memory": 1, "died": 0}

    run(scenario())


def test_native_code_that_aborts_for_want_of_memory_is_told_from_a_crash() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            assert (await reason_of(pool, job("eat_and_hide"))).reason == "memory"
            assert pool.stats().repeated == 0

    run(scenario())


@pytest.mark.skipif(not LINUX, reason="needs /proc")
def test_a_worker_that_has_grown_is_replaced_before_it_hurts_another_job() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, memory_mb=200) as pool:
            first = (await pool.ask(job("swell", mb=150)))["pid"]
            assert (await pool.ask(job("swell", mb=150)))["pid"] != first
            assert pool.stats().recycled == 2

    run(scenario())


def test_an_answer_that_is_too_long_fails() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, answer_bytes_max=1_000_000) as pool:
            failed = await reason_of(pool, job("long", length=2_000_000))
            assert (failed.reason, failed.tries) == ("died", 1)
            assert "longer than 1000000 bytes" in failed.detail
            await still_works(pool)

    run(scenario())


# Deaths.


@pytest.mark.parametrize("call", ["leave", "crash"])
def test_a_job_that_kills_its_workers_is_given_up(call: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with a_pool(tries_max=3) as pool:
            failed = await reason_of(pool, job(call))
            assert (failed.reason, failed.tries) == ("died", 3)
            await still_works(pool)
            stats = pool.stats()
            assert (stats.died, stats.repeated, stats.failed["died"]) == (3, 2, 1)

    run(scenario())
    assert ("ended by signal 11 after 1 requests; it said: last words" if call == "crash" else "exited with 7") in caplog.text


@pytest.mark.parametrize("line", ["junk\n", "[1]\n", '{"id": 1, "answer": 5}\n', '{"id": 99, "answer": {}}\n', "{}\n{}\n"])
def test_nonsense_in_the_protocol_is_a_death(line: str) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            failed = await reason_of(pool, job("forge", line=line))
            assert (failed.reason, failed.tries) == ("died", 2)
            await still_works(pool)

    run(scenario())


def test_the_job_of_a_worker_that_dies_is_answered_by_another(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_pool() as pool:
            assert await pool.ask(job("crash_once", mark=str(tmp_path / "mark"))) == {"survived": True}
            log, gate = tmp_path / "log", tmp_path / "gate"
            ticket = pool.submit(job("note", name="a", log=str(log), gate=str(gate)))
            await until(lambda: len(read_names(log)) == 1)
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)
            gate.touch()
            assert (await ticket.answer)["name"] == "a"
            assert (pool.stats().died, pool.stats().repeated) == (2, 2)

    run(scenario())


def test_idle_workers_killed_all_at_once() -> None:
    async def scenario() -> None:
        async with a_pool() as pool:
            await full(pool)
            for _ in range(3):
                for pid in pids(pool):
                    os.kill(pid, signal.SIGKILL)
                await still_works(pool)
                await full(pool)
            assert pool.stats().died == 9
            assert pool.stats().failed["died"] == 0

    run(scenario())


def test_a_stopped_worker_counts_as_hung() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, deadline_seconds=0.5) as pool:
            await full(pool)
            for pid in pids(pool):
                os.kill(pid, signal.SIGSTOP)
            assert (await reason_of(pool, job("echo"))).reason == "time"
            assert (await reason_of(pool, job("echo"))).reason == "time"
            await until(lambda: pool.stats().idle > 0)
            await still_works(pool)

    run(scenario())


def test_nothing_is_lost_and_nothing_answered_twice_while_workers_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeded = random.Random(4)
    monkeypatch.setattr(pool_workers, "BACK_OFF_SECONDS_MAX", 0.2)

    async def scenario() -> None:
        async with a_pool(workers=3, queue_max=400, tries_max=100) as pool:
            answered: Counter[int] = Counter()

            async def ask_once(number: int) -> None:
                call = seeded.choice(["echo", "sleep"])
                answer = await pool.ask(job(call, f"room{number % 9}", number % 4 == 0, number=number, seconds=0.02))
                assert call == "sleep" or answer["number"] == number
                answered[number] += 1

            tasks = [asyncio.create_task(ask_once(number)) for number in range(200)]
            kills = 0
            # The kills are bounded, because on a busy machine workers start slowly and would all be killed before they are ready.
            while kills < 12 or (kills < 60 and not all(task.done() for task in tasks)):
                await asyncio.sleep(seeded.uniform(0.01, 0.2))
                if victims := pids(pool):
                    with contextlib.suppress(ProcessLookupError):  # It is gone, and the pool has not heard of that yet.
                        os.kill(seeded.choice(victims), signal.SIGKILL)
                    kills += 1
            await asyncio.gather(*tasks)
            assert answered == Counter(range(200))
            await full(pool)
            stats = pool.stats()
            assert (stats.done, stats.busy, stats.queued, sum(stats.failed.values())) == (200, 0, 0, 0)
            assert stats.spawned == 4 + stats.died

    run(scenario())


def test_workers_are_recycled() -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, recycle_after=5) as pool:
            served: Counter[int] = Counter()
            for _ in range(30):
                served[(await pool.ask(job("process")))["pid"]] += 1
            assert max(served.values()) <= 10
            assert len(served) >= 3
            assert pool.stats().recycled >= 2
            assert pool.stats().killed == pool.stats().died == 0

    run(scenario())


# Starting.


def test_a_pool_whose_calls_cannot_be_imported_does_not_start() -> None:
    async def scenario() -> None:
        pool = LocalPool(PoolSettings(calls_module="no_such_calls"))
        with pytest.raises(NotStarted, match="No module named 'no_such_calls'"):
            await pool.start()
        await pool.close()
        assert not children()

    run(scenario())


@pytest.mark.parametrize(("how", "says"), [("hang", "was not ready after 0.5 s"), ("talk", "spoke nonsense")])
def test_a_worker_that_does_not_become_ready_is_no_worker(how: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_HOSTILE_WARM", how)

    async def scenario() -> None:
        pool = LocalPool(
            PoolSettings(
                calls_module="tests.support.servers.hostile.hostile_calls", start_seconds_max=0.5 if how == "hang" else 60.0
            )
        )
        with pytest.raises(NotStarted, match=says):
            await pool.start()
        assert not children()

    run(scenario())


def test_workers_that_cannot_be_started_for_a_while(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Jobs wait, the statistics say so, and the pool goes on by itself."""
    monkeypatch.setattr(pool_workers, "BACK_OFF_SECONDS", 0.01)

    async def scenario() -> None:
        async with a_pool(workers=1, tries_max=5) as pool:
            await full(pool)
            monkeypatch.setenv("PYTHON_HOSTILE_WARM", f"until:{tmp_path / 'now'}")
            for pid in pids(pool):
                os.kill(pid, signal.SIGKILL)
            await until(lambda: pool.stats().start_failures_in_a_row >= 4)
            ticket = pool.submit(job("echo", still="there"))
            assert (pool.stats().idle, pool.stats().queued) == (0, 1)
            (tmp_path / "now").touch()
            assert await ticket.answer == {"still": "there"}
            assert pool.stats().start_failures_in_a_row == 0
            await full(pool)

    run(scenario())


def test_a_system_that_refuses_processes_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_workers, "BACK_OFF_SECONDS", 0.01)
    real = sys.executable

    async def scenario() -> None:
        async with a_pool(workers=1) as pool:
            await full(pool)
            monkeypatch.setattr(sys, "executable", str(ROOT / "no-such-python"))
            for pid in pids(pool):
                os.kill(pid, signal.SIGKILL)
            await until(lambda: pool.stats().start_failures_in_a_row >= 3)
            monkeypatch.setattr(sys, "executable", real)
            await still_works(pool)
            assert pool.stats().start_failures >= 3
            assert pool.stats().start_failures_in_a_row == 0

    run(scenario())


def test_workers_with_another_engine_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine was replaced by an upgrade: what such a worker answers would be told as the answer of this process's engine."""
    monkeypatch.setattr(pool_workers, "BACK_OFF_SECONDS", 0.01)

    async def scenario() -> None:
        async with a_pool(workers=2) as pool:
            await full(pool)
            monkeypatch.setattr(pool_workers, "engine_version", lambda: "ours")
            for pid in pids(pool)[:2]:
                os.kill(pid, signal.SIGKILL)
            await until(lambda: pool.other_engine == engine_version())
            assert (pool.usable, pool.problem()) == (1, ""), "the old worker still has our engine"
            await still_works(pool)
            for pid in pids(pool):
                os.kill(pid, signal.SIGKILL)
            await until(lambda: pool.usable == 0)
            assert f"was replaced by version {engine_version()} while this process, of version ours, runs" in pool.problem()
            monkeypatch.undo()  # As if the old engine had been put back.
            monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))
            await still_works(pool)
            assert (pool.other_engine, pool.problem()) == ("", "")

    run(scenario())


# The real calls.


def test_the_engine_answers_within_its_memory() -> None:
    """The worker has much less memory than by default. One that swells is replaced in between."""
    level = known_level("int-square-root")

    async def scenario() -> None:
        async with a_pool(workers=1, calls_module="idg.coordinator.pool.computing.analyses", memory_mb=256) as pool:
            books = (await pool.ask(job("start", source=level.source)))["books"]
            for fact in level.solution:
                proposal = job("propose", source=level.source, books=books, expression=fact.expr, loop=fact.loop)
                answered = await pool.ask(proposal)
                books = answered["books"]
            assert json.loads(answered["feedback"])["solved"] is True
            assert pool.stats().died == pool.stats().killed == 0

    run(scenario())
