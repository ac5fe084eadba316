"""Judging inside of a coordinator: priorities, proposals that another one left, and what a second coordinator sees."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from idg.coordinator.coordinator import Coordinator
from idg.coordinator.pool.jobs import Failed, Job
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging import judging
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.store import Event, NewEvent
from idg.engine.wire.codec import Json, decode
from idg.engine.wire.events import Proposed, RoomEvent
from tests.support.servers.coordinators import coordinating, room_of
from tests.support.servers.pool_scenarios import until
from tests.support.waiting import HANG_SECONDS


async def left_by_another(coordinator: Coordinator, live: LiveRoom, actor: ActingPlayer) -> None:
    """Stores a proposal without a verdict, as a coordinator does that is killed before it has judged."""
    body = record_text(Proposed("cnt <= m", 1, "cnt <= m"))
    await coordinator.store.append(live.id, [NewEvent("proposed", 1.0, actor.player, "", "code", "request-1", body=body)])
    await coordinator.open_rooms.reload(live)


@pytest.mark.parametrize("agent", [True, False])
def test_a_repeated_request_keeps_the_priority_of_who_asks(agent: bool, tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, pool):
            live, actor = await room_of(coordinator, agent)
            await left_by_another(coordinator, live, actor)
            pool.jobs.clear()
            judged = await coordinator.rooms.propose(live, actor, 1, "cnt <= m", "request-1")
            assert json.loads(judged.event.body)["kind"] == "inductive"
            assert [(job.call, job.asker.agent) for job in pool.jobs] == [("propose", agent)]

    asyncio.run(story())


def test_the_engine_begins_while_the_proposal_is_being_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer waits for both. A second proposal that comes meanwhile is not begun, because the books may change before it."""
    monkeypatch.setattr(judging, "QUICK_SECONDS", 0.0)

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, pool):
            live, actor = await room_of(coordinator)
            pool.jobs.clear()
            append, may_store = coordinator.store.append, asyncio.Event()

            async def slow_append(room: str, new: list[NewEvent], by: str) -> list[Event]:
                await may_store.wait()
                return await append(room, new, by)

            monkeypatch.setattr(coordinator.store, "append", slow_append)
            texts = ("cnt <= m", "cnt >= 0")
            proposing = [asyncio.create_task(coordinator.rooms.propose(live, actor, 1, text, None)) for text in texts]
            await until(lambda: bool(pool.jobs))
            assert len(await coordinator.store.events(live.id, 0, 10)) == 1, "only that the room was opened is stored"
            assert not any(task.done() for task in proposing)
            assert [job.arguments["expression"] for job in pool.jobs] == ["cnt <= m"]
            may_store.set()
            kinds = [json.loads((await task).event.body)["kind"] for task in proposing]
            assert kinds == ["inductive", "inductive"]
            assert [job.arguments["expression"] for job in pool.jobs if job.call == "propose"] == list(texts)

    asyncio.run(story())


def test_a_proposal_with_a_quick_analysis_waits_for_the_disk_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            written = units_of(coordinator, monkeypatch)
            monkeypatch.setattr(judging, "QUICK_SECONDS", HANG_SECONDS)
            quick = await coordinator.rooms.propose(live, actor, 1, "cnt <= m", "request-1")
            assert (json.loads(quick.event.body)["kind"], quick.event.answers) == ("inductive", 2)
            assert written == ["propose_and_judge"]
            monkeypatch.setattr(judging, "QUICK_SECONDS", 0.0)
            await coordinator.rooms.propose(live, actor, 1, "cnt >= 0", "request-2")
            assert written[1:] == ["append", "judge"]
            assert [event.kind for event in await coordinator.store.events(live.id, 1, 10)] == ["proposed", "judged"] * 2
            assert not coordinator.judging.admitted.of_player(actor.player)

    asyncio.run(story())


def units_of(coordinator: Coordinator, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the units of work that store proposals and verdicts, as they happen from now on."""
    written: list[str] = []

    def noted(name: str) -> Callable[..., Awaitable[object]]:
        unit: Callable[..., Awaitable[object]] = getattr(coordinator.store, name)

        async def note(*given: object) -> object:
            written.append(name)
            return await unit(*given)

        return note

    for name in ("propose_and_judge", "append", "judge"):
        monkeypatch.setattr(coordinator.store, name, noted(name))
    return written


def test_a_request_that_comes_twice_while_its_analysis_begins_is_stored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "QUICK_SECONDS", HANG_SECONDS)

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, pool):
            live, actor = await room_of(coordinator)
            ask, may_answer = pool.ask, asyncio.Event()

            async def slow_ask(job: Job) -> Json:
                await may_answer.wait()
                return await ask(job)

            monkeypatch.setattr(pool, "ask", slow_ask)
            twice = [asyncio.create_task(coordinator.rooms.propose(live, actor, 1, "cnt <= m", "request-1")) for _ in range(2)]
            await until(lambda: bool(coordinator.judging._begun_early))
            may_answer.set()
            numbers = {(await task).event.number for task in twice}
            assert numbers == {3}
            assert [event.kind for event in await coordinator.store.events(live.id, 1, 10)] == ["proposed", "judged"]
            assert not coordinator.judging.admitted.of_player(actor.player)

    asyncio.run(story())


def test_where_the_engine_fails_early_the_proposal_is_stored_and_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "QUICK_SECONDS", HANG_SECONDS)

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, pool):
            live, actor = await room_of(coordinator)

            async def failing(job: Job) -> Json:
                raise Failed("memory", 1, "the analysis needs more than it may have")

            monkeypatch.setattr(pool, "ask", failing)
            written = units_of(coordinator, monkeypatch)
            judged = await coordinator.rooms.propose(live, actor, 1, "cnt <= m", None)
            assert json.loads(judged.event.body)["kind"] == "unknown"
            assert written == ["append", "judge"]

    asyncio.run(story())


def test_what_cannot_be_resumed_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the database is upset")

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            await left_by_another(coordinator, live, actor)
            monkeypatch.setattr(coordinator.open_rooms, "live", broken)
            assert await coordinator.judging.resume(2.0) == 0
            monkeypatch.undo()
            [record] = caplog.records
            assert (record.levelno, record.__dict__["room"]) == (logging.ERROR, live.id)
            assert "the database is upset" in caplog.text
            assert await coordinator.judging.resume(2.0) == 1, "later it is judged"
            caplog.clear()
            monkeypatch.setattr(coordinator.judging, "resume", broken)
            await coordinator._resume()
            assert "the database is upset" in caplog.text

    asyncio.run(story())


def test_a_second_coordinator_shows_the_code_of_a_shared_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (first, _), coordinating(tmp_path) as (second, _):
            live, actor = await room_of(first)
            second_view = await second.open_rooms.fresh(live.id, actor.player)
            assert second_view.answer().code is None
            code = await first.rooms.share(live)
            refreshed = await second.open_rooms.fresh(live.id, actor.player)
            assert refreshed is second_view
            assert refreshed.answer().code == code
            assert await second.rooms.share(refreshed) == code

    asyncio.run(story())


def test_a_second_coordinator_shows_the_hints_of_the_first(tmp_path: Path) -> None:
    async def story() -> None:
        async def balance() -> int:
            return 0

        async with coordinating(tmp_path) as (first, _), coordinating(tmp_path) as (second, _):
            live, actor = await room_of(first)
            second_view = await second.open_rooms.fresh(live.id, actor.player)
            event = await first.rooms.hint(live, actor, balance)
            await second.open_rooms.catch_up(second_view)
            assert second_view.head == event.number
            assert second_view.answer().hints == live.answer().hints != ()

    asyncio.run(story())


def test_the_memory_of_a_room_is_free_as_soon_as_it_is_forgotten(tmp_path: Path) -> None:
    """Cycles would wait for a full collection, which a server makes rarely: ten thousand rooms left 57 MB."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, _actor = await room_of(coordinator)
            await coordinator.questions.settled()
            remembered = weakref.ref(live)
            gc.disable()
            try:
                coordinator.open_rooms.forget(live.id)
                del live
                assert remembered() is None
            finally:
                gc.enable()

    asyncio.run(story())


def test_events_are_written_as_they_are_described(tmp_path: Path) -> None:
    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            await coordinator.rooms.propose(live, actor, 1, "cnt <= m", "request-1")
            await coordinator.rooms.propose_many(live, actor, [(1, "res = n * cnt"), (1, "cnt <= 3")], None)
            await coordinator.rooms.reset(live, actor)
            history = await coordinator.open_rooms.history(live, 0, 100)
            events = [decode(RoomEvent, json.loads(text)) for _, text in history]
            kinds = ["loaded", "proposed", "judged", "proposed", "judged", "solved", "reset"]
            assert [event.kind for event in events] == kinds
            assert (events[1].request, events[2].answers) == ("request-1", 2)

    asyncio.run(story())


def test_the_store_is_not_asked_for_answers_that_it_cannot_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        asked: list[str] = []

        async def known_after(coordinator: Coordinator) -> None:
            await coordinator.questions.stored_keys.load(coordinator.store)
            look = coordinator.store.verdict

            async def noted(key: str) -> str | None:
                asked.append(key)
                return await look(key)

            monkeypatch.setattr(coordinator.store, "verdict", noted)

        async with coordinating(tmp_path) as (coordinator, _):
            await known_after(coordinator)
            live, actor = await room_of(coordinator)
            await coordinator.rooms.propose(live, actor, 1, "cnt <= m", None)
            assert not asked
        # After a restart it is asked for what was stored, and for nothing else.
        async with coordinating(tmp_path) as (coordinator, pool):
            await known_after(coordinator)
            live, actor = await room_of(coordinator)
            pool.jobs.clear()
            await coordinator.rooms.propose(live, actor, 1, "cnt <= m", None)
            assert asked
            assert not pool.jobs, "it was stored"
            asked.clear()
            await coordinator.rooms.propose(live, actor, 1, "cnt >= 0", None)
            assert not asked
            # Where another coordinator lives, or has lived, it may have stored anything.
            coordinator.limits.share(2)
            await coordinator.rooms.propose(live, actor, 1, "res >= 0", None)
            coordinator.limits.share(1)
            await coordinator.rooms.propose(live, actor, 1, "n >= 0 & cnt >= 0", None)
            assert len(asked) == 2

    asyncio.run(story())


def test_what_the_crowd_has_proposed_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look read the last five hundred events again, which may have a megabyte each, and so did all who looked at once."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            live, actor = await room_of(coordinator)
            for text in ("cnt <= m", "cnt >= 0", "res = n * cnt"):
                await coordinator.rooms.propose(live, actor, 1, text, None)
            read: list[int] = []
            events_of_program = coordinator.store.events_of_program

            async def noted(program: str, kinds: list[str], limit: int, after: int) -> list[Event]:
                events = await events_of_program(program, kinds, limit, after)
                read.extend(event.id for event in events)
                return events

            monkeypatch.setattr(coordinator.store, "events_of_program", noted)
            asker = actor.asking("crowd")
            views = await asyncio.gather(*(coordinator.crowd.view(live.entry, asker) for _ in range(5)))
            assert {view.proposals for view in views} == {3}
            await coordinator.rooms.propose(live, actor, 1, "res >= 0", None)
            assert (await coordinator.crowd.view(live.entry, asker)).proposals == 4
            assert len(read) == len(set(read)) == 4

    asyncio.run(story())
