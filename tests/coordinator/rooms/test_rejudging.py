"""Books of another engine are not believed: rooms are judged again from their logs, and the players are told what fell."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import update

from idg.coordinator.coordinator import Coordinator
from idg.coordinator.players.progress import export_progress, import_progress
from idg.coordinator.pool.jobs import Failed, Job
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.rooms.judging.replay import replay
from idg.coordinator.settings import Settings
from idg.coordinator.store import NewEvent, RoomRow, Store
from idg.coordinator.store.schema import rooms
from idg.coordinator.web.models import Progress
from idg.engine.results import Kind
from idg.engine.version import engine_version
from idg.engine.wire.codec import Json, decode
from idg.engine.wire.events import JudgedAgain, Proposed
from tests.support.servers.clients import client, next_message
from tests.support.servers.coordinators import PoolInThisProcess
from tests.support.waiting import HANG_SECONDS

pytest_plugins = ["tests.support.servers.servers", "tests.support.servers.databases"]

WRONG = "cnt <= 5"
"""Not an invariant of the level 'multiply': a run refutes it."""
RIGHT = "res = n * cnt"
"""Inductive, but it does not prove the level alone."""
ENGINE_BEFORE = "3"


@contextlib.asynccontextmanager
async def coordinating(url: str) -> AsyncIterator[tuple[Coordinator, PoolInThisProcess]]:
    pool = PoolInThisProcess()
    coordinator = Coordinator(Settings(database=url), await Store.open(url), pool)
    await coordinator.catalog.start(0.0)
    try:
        yield coordinator, pool
    finally:
        await coordinator.close()


async def played(coordinator: Coordinator) -> tuple[str, ActingPlayer]:
    """A room of the level 'multiply' in which nothing was proposed."""
    player, _ = await coordinator.players.create("Ann", False)
    actor = ActingPlayer(player.id)
    entry = coordinator.catalog.level("multiply")
    assert entry is not None
    return (await coordinator.rooms.create(entry, actor, "code", shared=False)).id, actor


async def plant(store: Store, room: str, player: str, *, logged: bool = True) -> None:
    """Makes the room one that a wrong engine of another version has judged: WRONG was called inductive, RIGHT was displaced by it,
    and the room was solved. Where it is not `logged`, the books have WRONG although nobody proposed it."""
    row = await room_row(store, room)
    feedback = {"solved": True, "potential_suffices": False, "state": None, "message": "Solved: the guarantee is proved."}
    for text, kind in ((WRONG, "inductive"), (RIGHT, "displaced")) if logged else ():
        body = record_text(Proposed(text, 1, text))
        [proposed] = await store.append(room, [NewEvent("proposed", 1.0, player, "", "code", body=body)])
        inductive = [{"loop": 1, "expression": WRONG}]
        verdict: Json = {"expression": text, "loop": 1, "kind": kind, "promoted": [], "removed": [], "inductive": inductive}
        verdict |= {"potential": [], "solved": True, "feedback": feedback, "message": "wrong"}
        await store.append(room, [NewEvent("judged", 1.0, player, "", "code", answers=proposed.number, body=dumps(verdict))])
    state = json.loads(row.state)
    state["books"]["loops"][0] = {"inductive": [WRONG], "potential": []}
    state["feedback"] = feedback
    state["authors"] = {f"1: {WRONG}": player}
    part = {"ruled_out": {"1": "ffff"}, "expressions": [f"1: {WRONG}"], "spent": 0, "gem": True, "medals": ["no-hint"]}
    state["tally"] |= {"proposals": 2, "solved": True, "known": {"1": "ffff"}, "states": {"1": 16}, "parts": {player: part}}
    values = {"state": dumps(state), "engine": ENGINE_BEFORE}
    await store.write(lambda connection: connection.execute(update(rooms).where(rooms.c.id == room).values(values)))


async def room_row(store: Store, room: str) -> RoomRow:
    row = await store.room(room)
    assert row is not None
    return row


async def told(coordinator: Coordinator, room: str) -> JudgedAgain:
    """What the players were told when the room was judged again."""
    async with asyncio.timeout(HANG_SECONDS):
        while (event := await coordinator.store.last_of_kind(room, "rejudged")) is None:
            await asyncio.sleep(0.01)
    return decode(JudgedAgain, json.loads(event.body))


def test_a_wrong_fact_falls_and_what_it_displaced_comes_back(database_url: str) -> None:
    async def story() -> None:
        async with coordinating(database_url) as (coordinator, _):
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player)
        async with coordinating(database_url) as (coordinator, pool):
            live = await coordinator.open_rooms.fresh(room, actor.player)
            first = live.answer()
            assert (first.solved, first.judging_again, first.engine) == (False, True, ENGINE_BEFORE)
            assert [owned.text for owned in first.inductive] == [WRONG], "the room can be read meanwhile"
            assert not first.feedback.solved
            assert "judged again" in first.feedback.message
            again = await told(coordinator, room)
            assert all(job.asker.agent for job in pool.jobs), "people come first"
            assert (again.engine_before, again.engine) == (ENGINE_BEFORE, engine_version())
            assert (again.was_solved, again.solved, again.kept) == (True, False, 0)
            [fallen] = again.fallen
            assert (fallen.text, fallen.was, fallen.kind) == (WRONG, "inductive", Kind.NON_INVARIANT)
            assert "not an invariant" in fallen.message
            assert [fact.text for fact in again.gained] == [owned.text for owned in again.inductive] == [RIGHT]
            async with live.turn:
                answer = live.answer()
            assert (answer.solved, answer.judging_again, answer.engine) == (False, False, engine_version())
            assert [(owned.text, owned.player) for owned in answer.inductive] == [(RIGHT, actor.player)]
            assert answer.feedback.state is not None
            score = await coordinator.earnings.score(actor.player, live)
            honest, player = await played(coordinator)
            honest_live = await coordinator.open_rooms.fresh(honest, player.player)
            for text in (WRONG, RIGHT):
                await coordinator.rooms.propose(honest_live, player, 1, text, None)
            assert score == await coordinator.earnings.score(player.player, honest_live)
            assert not score.gem
            row = await room_row(coordinator.store, room)
            assert row.state == live.state.text()
            assert row.state.replace(actor.player, player.player) == honest_live.state.text(), "as if this engine had judged it"
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_a_fact_that_nobody_proposed_falls_too(database_url: str) -> None:
    async def story() -> None:
        async with coordinating(database_url) as (coordinator, _):
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player, logged=False)
        async with coordinating(database_url) as (coordinator, pool):
            await coordinator.open_rooms.fresh(room, actor.player)
            again = await told(coordinator, room)
            assert [(fact.text, fact.kind) for fact in again.fallen] == [(WRONG, Kind.NON_INVARIANT)]
            assert (again.inductive, again.potential, again.solved) == ((), (), False)
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_a_move_has_the_room_judged_again_first(database_url: str) -> None:
    async def story() -> None:
        async with coordinating(database_url) as (coordinator, _):
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player)
        async with coordinating(database_url) as (coordinator, pool):
            # The background has not come to it yet; the move itself has the room judged again first.
            coordinator.open_rooms.judge_again = lambda room: None
            live = await coordinator.open_rooms.of_member(room, actor.player)
            judged = await coordinator.rooms.propose(live, actor, 1, "cnt <= m", None)
            verdict = json.loads(judged.event.body)
            assert (verdict["kind"], verdict["solved"]) == ("inductive", True)
            assert [fact["expression"] for fact in verdict["inductive"]] == [RIGHT, "cnt <= m"]
            assert live.answer().solved
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_two_coordinators_judge_a_room_again_once(database_url: str) -> None:
    async def story() -> None:
        async with coordinating(database_url) as (coordinator, _):
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player)
        async with coordinating(database_url) as (first, _), coordinating(database_url) as (second, _):
            lives = [await coordinator.open_rooms.fresh(room, actor.player) for coordinator in (first, second)]
            await asyncio.gather(first.rejudging.settle(lives[0]), second.rejudging.settle(lives[1]))
            assert {live.engine for live in lives} == {engine_version()}
            assert lives[0].state.text() == lives[1].state.text() == (await room_row(first.store, room)).state
            events = await first.store.events(room, 0, 100)
            assert [event.kind for event in events].count("rejudged") == 1
            assert first.rejudging.judged + second.rejudging.judged == 1

    asyncio.run(story())


def test_what_stays_is_told_too(sqlite_url: str) -> None:
    async def story() -> None:
        async with coordinating(sqlite_url) as (coordinator, _):
            room, actor = await played(coordinator)
            live = await coordinator.open_rooms.fresh(room, actor.player)
            for text in (RIGHT, "cnt <= m", "res >= n * cnt"):
                await coordinator.rooms.propose(live, actor, 1, text, None)
            await coordinator.rooms.another_state(live, actor)
            before = live.state.text()
            await set_engine(coordinator.store, ENGINE_BEFORE)
        async with coordinating(sqlite_url) as (coordinator, pool):
            await coordinator.open_rooms.fresh(room, actor.player)
            again = await told(coordinator, room)
            assert (again.was_solved, again.solved, again.fallen, again.kept, again.gained) == (True, True, (), 2, ())
            assert (await room_row(coordinator.store, room)).state == before
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_every_sitting_counts_and_hints_stay_paid(sqlite_url: str) -> None:
    async def story() -> None:
        async def balance() -> int:
            return 100

        async with coordinating(sqlite_url) as (coordinator, _):
            room, actor = await played(coordinator)
            live = await coordinator.open_rooms.fresh(room, actor.player)
            await coordinator.rooms.propose_many(live, actor, [(1, RIGHT), (1, "cnt <= m")], None)
            await coordinator.rooms.reset(live, actor)
            await coordinator.rooms.hint(live, actor, balance)
            await coordinator.rooms.propose(live, actor, 1, RIGHT, None)
            tally, hints = live.state.tally.as_json(), live.state.hints.given
            await set_engine(coordinator.store, ENGINE_BEFORE)
        async with coordinating(sqlite_url) as (coordinator, pool):
            live = await coordinator.open_rooms.fresh(room, actor.player)
            await coordinator.rejudging.settle(live)
            assert (live.state.tally.as_json(), live.state.hints.given) == (tally, hints)
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_where_a_limit_ends_the_second_judgement_the_fact_is_unknown(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with coordinating(sqlite_url) as (coordinator, _):
            room, actor = await played(coordinator)
            live = await coordinator.open_rooms.fresh(room, actor.player)
            for text in (RIGHT, "cnt <= m"):
                await coordinator.rooms.propose(live, actor, 1, text, None)
            await set_engine(coordinator.store, ENGINE_BEFORE)
            await coordinator.questions.settled()
            await coordinator.store.forget_verdicts("none")
        async with coordinating(sqlite_url) as (coordinator, pool):
            compute = pool.ask

            async def slow(job: Job) -> Json:
                if job.call == "propose" and job.arguments["expression"] == RIGHT:
                    raise Failed("time", 1, "it took too long")
                return await compute(job)

            monkeypatch.setattr(pool, "ask", slow)
            await coordinator.open_rooms.fresh(room, actor.player)
            again = await told(coordinator, room)
            assert [(fact.text, fact.kind) for fact in again.fallen] == [(RIGHT, Kind.UNKNOWN)]
            assert [ended.limit for ended in again.limited] == ["time"]
            assert not again.solved
            monkeypatch.undo()
            assert (await replay(coordinator.store, pool, room)).same

    asyncio.run(story())


def test_lists_scores_and_files_have_rooms_judged_again(database_url: str) -> None:
    async def story() -> None:
        async with coordinating(database_url) as (coordinator, _):
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player)
        async with coordinating(database_url) as (coordinator, _):
            player = await coordinator.store.player(actor.player)
            assert player is not None
            [exported] = (await export_progress(coordinator, player)).rooms
            assert (exported.solved, exported.engine) == (False, ENGINE_BEFORE)
            assert (await told(coordinator, room)).fallen
            scores = await coordinator.earnings.all_scores(actor.player)
            assert (scores.total.gems, scores.total.medals) == (0, 0)
            [exported] = (await export_progress(coordinator, player)).rooms
            assert ([fact.expression for fact in exported.facts], exported.engine) == ([RIGHT], engine_version())

    asyncio.run(story())


def test_an_imported_file_is_judged_and_not_believed(database_url: str) -> None:
    async def story() -> None:
        fact = {"loop": 1, "kind": "inductive"}
        facts = [fact | {"expression": text} for text in (WRONG, RIGHT)]
        saved = {"level": "multiply", "solved": True, "engine": ENGINE_BEFORE, "facts": facts}
        file = Progress.model_validate({"format": "idg-progress", "version": 1, "engine": ENGINE_BEFORE, "rooms": [saved]})
        async with coordinating(database_url) as (coordinator, _):
            player, _ = await coordinator.players.create("Bob", False)
            _, [imported] = await import_progress(coordinator, ActingPlayer(player.id), file)
            assert [judged.kind for judged in imported.kinds] == [Kind.NON_INVARIANT, Kind.INDUCTIVE]
            assert not imported.solved
            # A room of the player's own that another engine has judged is judged again before the facts of the file are.
            room, actor = await played(coordinator)
            await plant(coordinator.store, room, actor.player)
        async with coordinating(database_url) as (coordinator, _):
            _, [imported] = await import_progress(coordinator, actor, file)
            assert (imported.room, imported.solved) == (room, False)
            assert [judged.kind for judged in imported.kinds] == [Kind.NON_INVARIANT, Kind.DISPLACED]
            row = await room_row(coordinator.store, room)
            assert row.engine == engine_version()
            assert json.loads(row.state)["books"]["loops"] == [{"inductive": [RIGHT], "potential": []}]
            assert not json.loads(row.state)["tally"]["solved"]

    asyncio.run(story())


async def set_engine(store: Store, engine: str) -> None:
    await store.write(lambda connection: connection.execute(update(rooms).values(engine=engine)))


def test_the_players_are_told_by_the_socket(database_url: str, start_server: Any) -> None:
    async def story() -> None:
        flags = ("--rate-player", "0", "--rate-address", "0", "--database", database_url)
        server = start_server(*flags)
        async with client(server.url) as ann:
            token = (await ann.become("Ann"))["token"]
            room = await ann.room("multiply")
            player = (await ann.get("/api/players/me")).ok()["player"]
        server.stop()
        store = await Store.open(database_url)
        await plant(store, room, player)
        await store.close()
        server = start_server(*flags)
        async with client(server.url, token) as ann, ann.watch(room) as socket:
            events: list[Json] = []
            while not events or events[-1]["kind"] != "rejudged":
                message = await next_message(socket)
                events += [message["event"]] if message["type"] == "event" else []
            assert (events[-1]["player"], events[-1]["body"]["engine"]) == (None, (await ann.get("/api/health")).ok()["engine"])
            [fallen] = events[-1]["body"]["fallen"]
            assert (fallen["expression"], fallen["kind"]) == (WRONG, "non-invariant")
            now = (await ann.get(f"/api/rooms/{room}")).ok()
            assert (now["solved"], [fact["expression"] for fact in now["inductive"]]) == (False, [RIGHT])
            assert "judging_again" not in now
            [listed] = (await ann.get("/api/rooms")).ok()["rooms"]
            assert listed["solved"] is False
            assert (await ann.get("/api/players/me/scores")).ok()["total"]["gems"] == 0

    asyncio.run(story())
