"""Nobody can fill the disk: quotas a day, totals of tables, and deleting what nobody came back to."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.bounds import totals
from idg.coordinator.bounds.pruning import Pruned, Retention, prune
from idg.coordinator.bounds.quotas import DAY_SECONDS, PLAYERS_AN_ADDRESS, Quotas
from idg.coordinator.bounds.totals import ROW_BYTES, SHARES, Totals
from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.codes import new_token
from idg.coordinator.coordinator import Coordinator
from idg.coordinator.errors import ApiError
from idg.coordinator.rooms.judging.judging import ActingPlayer
from idg.coordinator.settings import Settings
from idg.coordinator.store import Event, IdleRoom, Store, StudyRecord
from idg.coordinator.store.schema import metadata
from idg.coordinator.web.models import ASSIGNED_MAX, AssignmentBody
from idg.levels import all_levels
from tests.support.servers.clients import COUNTING, Client, client
from tests.support.servers.coordinators import PoolInThisProcess, coordinating
from tests.support.study.six_participants import TOML

pytest_plugins = ["tests.support.servers.servers", "tests.support.servers.databases"]


def rows_of_logs(count: int) -> dict[str, Any]:
    return {"rows": [{"kind": "error", "time": 1.0, "body": {f"name {n}": "x" * 200 for n in range(20)}}] * count}


def test_a_day_has_its_quotas_and_the_tables_their_bounds(start_server: Any) -> None:
    """Rooms and programs without bound, and megabytes of a browser's logs."""
    flags = ("--players-a-day", "3", "--rooms-a-day", "2", "--programs-a-day", "1", "--stored-mb-a-day", "1", "--data-mb", "13")
    server = start_server("--rate-player", "0", "--rate-address", "0", *flags, "--workers", "1", "--log-level", "error")

    async def refused(asked: Client, path: str, body: Any, code: str) -> int:
        """Asks until that is refused; how often it was not."""
        for count in range(200):
            answer = await asked.post(path, body)
            if answer.status != 200:
                answer.refused(code)
                return count
        raise AssertionError("there is no bound")

    async def story() -> None:
        async with client(server.url) as ann, client(server.url) as bob, client(server.url) as cid, client(server.url) as dan:
            for person in (ann, bob, cid):
                await person.become()
            (await dan.post("/api/players", {})).refused("quota")
            (await dan.post("/api/rooms", {"level": "multiply"})).refused("quota")
            new_room = {"level": "multiply", "resume": False}
            assert await refused(ann, "/api/rooms", new_room, "quota") == 2
            assert (await ann.post("/api/rooms", {"level": "multiply"})).status == 200, "rooms that there are can be opened"
            (await ann.post("/api/programs", {"source": COUNTING})).ok()
            (await ann.post("/api/programs", {"source": COUNTING})).ok()
            (await ann.post("/api/programs", {"source": COUNTING + "\n"})).refused("quota")
            (await bob.post("/api/programs", {"source": COUNTING + "\n"})).ok()
            # A player's megabyte is used up, and then the share of the logs.
            assert 3 <= await refused(bob, "/api/logs", rows_of_logs(50), "quota") <= 6
            (await bob.post("/api/rooms", new_room)).refused("quota")
            assert (await bob.get("/api/rooms")).ok() == {"rooms": []}
            assert await refused(cid, "/api/logs", rows_of_logs(20), "storage-full") <= 3
            assert (await cid.post("/api/rooms", new_room)).status == 200, "other tables have place"
            figures = (await ann.get("/metrics")).text
            for name in ("players", "rooms", "programs", "bytes"):
                assert re.search(rf'idg_quota_refusals_total{{which="{name}"}} [1-9]', figures), name
            assert re.search(r'idg_storage_refusals_total{which="full"} 1.0', figures)
            assert re.search(r'idg_stored_rows{which="rooms"} 3.0', figures)

    asyncio.run(story())


def test_quotas_fill_again_within_a_day() -> None:
    now = 0.0
    quotas = Quotas(Settings(rooms_a_day=2, stored_mb_a_day=1), Totals(None, 0), lambda: now)  # type: ignore[arg-type]
    for number in range(2 * PLAYERS_AN_ADDRESS):
        quotas.new_room("address", f"player {number}")
    with pytest.raises(ApiError) as refusal:
        quotas.new_room("address", "somebody new")
    assert 0 < (refusal.value.retry_after_seconds or 0) <= DAY_SECONDS / 2
    quotas.new_room("another", "somebody new")
    now += DAY_SECONDS / 2
    quotas.new_room("address", "somebody new")
    # What is stored counts for the player, and for the address from which they last did something.
    body = "x" * 600_000

    def store_once(player: str, address: str) -> None:
        quotas.admit(address, player)
        quotas.stored_events([Event(1, "room", 1, player, "judged", 0.0, "", "", None, None, body)])

    for _ in range(2):
        store_once("Ann", "home")
    with pytest.raises(ApiError):
        quotas.admit("elsewhere", "Ann")
    for number in range(16):
        store_once(f"player {number}", "home")
    with pytest.raises(ApiError):
        quotas.admit("home", "somebody")
    quotas.admit("elsewhere", "somebody")


def test_tables_are_measured_and_the_oldest_answers_deleted(database_url: str) -> None:
    async def story() -> None:
        store = await Store.open(database_url)
        try:
            assert set(SHARES) <= set(metadata.tables)
            assert sum(SHARES.values()) == pytest.approx(1)
            totals = Totals(store, 1)
            for number in range(30):
                await store.put_verdicts("engine", [(f"key {number}", "ä" * 5_000)], float(number))
            totals.sizes |= await store.sizes()
            assert (totals.sizes["verdicts"].rows, totals.sizes["verdicts"].bytes) == (30, 300_000)
            assert totals.bytes("verdicts") == 300_000 + 30 * ROW_BYTES
            trimmed = await totals.trim_verdicts()
            left = (await store.sizes())["verdicts"]
            assert trimmed.rows + left.rows == 30
            assert totals.bytes("verdicts") == left.bytes + left.rows * ROW_BYTES <= totals.limits["verdicts"]
        finally:
            await store.close()

    asyncio.run(story())


# Deleting what nobody came back to.

DAY = 24 * 3600.0
NOW = 1000 * DAY


class SetClock:
    """Says the time that it was set to."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


async def played(coordinator: Coordinator, name: str, days_ago: float, *, solved: bool = False, shared: bool = False) -> str:
    """A room of somebody new, in which something happened so many days ago for the last time."""
    assert isinstance(coordinator.clock, SetClock)
    coordinator.clock.now = NOW - days_ago * DAY
    player, _ = await coordinator.players.create(name, agent=False)
    actor = ActingPlayer(player.id)
    entry = CatalogEntry(COUNTING.replace("i < n", f"i < n & {days_ago:.0f} >= 0"), name)
    await coordinator.put_program(entry, actor)
    live = await coordinator.rooms.create(entry, actor, "code", shared=shared)
    await coordinator.rooms.propose(live, actor, 1, "i <= n", None)
    if solved:
        assert live.state.solved
    else:
        await coordinator.rooms.reset(live, actor)
    if shared:
        other, _ = await coordinator.players.create("Guest", agent=False)
        await coordinator.rooms.join(live, ActingPlayer(other.id))
    coordinator.open_rooms.forget(live.id)
    return live.id


def test_rooms_that_nobody_came_back_to_are_deleted(database_url: str) -> None:
    async def story() -> None:
        store = await Store.open(database_url)
        coordinator = Coordinator(Settings(), store, PoolInThisProcess(), SetClock(NOW - 500 * DAY))
        try:
            await coordinator.catalog.start(0.0)
            visitor, _ = await coordinator.players.create("a visitor", agent=False)
            await coordinator.players.new_code(visitor)
            old = await played(coordinator, "old", 100)
            kept = {
                await played(coordinator, "new", 5),
                await played(coordinator, "solved", 101, solved=True),
                await played(coordinator, "shared", 102, shared=True),
            }
            in_use = await played(coordinator, "in use", 103)
            before = await store.counts()
            events = {room: await store.events(room, 0, 100) for room in kept}
            told: list[IdleRoom] = []
            totals = Totals(store, 0)

            async def pruned(days: float, solved_days: float, dry_run: bool) -> Pruned:
                told.clear()
                retention = Retention(days, solved_days)
                is_open = in_use.__eq__
                return await prune(store, totals, retention, NOW, dry_run=dry_run, is_open=is_open, tell=told.append)

            assert await pruned(0, 0, dry_run=False) == Pruned(codes=1)
            dry = await pruned(90, 0, dry_run=True)
            assert [room.id for room in told] == [old]
            assert (await store.counts())["rooms"] == before["rooms"]
            done = await pruned(90, 0, dry_run=False)
            assert (done.rooms, done.events) == (dry.rooms, dry.events) == (1, told[0].last_event)
            # Programs and players that only the deleted room used go with it.
            assert (done.programs, done.players) == (1, 2)
            assert await store.room(old) is None
            assert await store.events(old, 0, 10) == []
            assert {room: await store.events(room, 0, 100) for room in kept} == events
            assert (await store.counts())["pruned"] == 1
            with pytest.raises(ApiError, match="no such room"):
                await coordinator.open_rooms.of_member(old, "anybody")
            # Solved and shared rooms have a time of their own.
            assert (await pruned(90, 101.5, dry_run=False)).rooms == 1
            assert [room.members for room in told] == [2]
            assert (await pruned(1, 1, dry_run=False)).rooms == 2
            assert set((await store.heads([*kept, in_use])).keys()) == {in_use}
            # Somebody opens a room of a program that was deleted after they had seen it.
            entry = CatalogEntry(COUNTING, "late")
            player, _ = await coordinator.players.create("late", agent=False)
            await coordinator.rooms.create(entry, ActingPlayer(player.id), "code", shared=False)
        finally:
            await coordinator.close()

    asyncio.run(story())


# Assignments


def test_an_assignment_is_one_write_and_changing_it_fills_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty programs were stored one after the other, each waiting for the disk; and each change counted as if it were new, so one
    client that changed an assignment again and again made the table seem full to all teachers."""

    async def story() -> None:
        async with coordinating(tmp_path) as (coordinator, _):
            school, totals = coordinator.school, coordinator.quotas.totals
            player, _ = await coordinator.players.create("Teacher", agent=False)
            row, _ = await school.classes.make("Class", "nickname", player, "address")
            entry = CatalogEntry(COUNTING, "own")
            await coordinator.put_program(entry, ActingPlayer(player.id))
            levels = [{"level": level.id} for level in all_levels()[: ASSIGNED_MAX - 1]]
            body = AssignmentBody.model_validate({"title": "A", "items": [*levels, {"program": entry.hash}]})
            writes = 0
            write = coordinator.store.write

            async def counted(unit: Any) -> Any:
                nonlocal writes
                writes += 1
                return await write(unit)

            monkeypatch.setattr(coordinator.store, "write", counted)
            assignment = await school.assignments.put(row, body)
            assert writes == 1
            before = totals.bytes("assigned_items")
            for _ in range(3):
                await school.assignments.put(row, body, assignment.number)
            assert totals.bytes("assigned_items") == before

    asyncio.run(story())


# Studies


def test_what_is_logged_of_participants_counts(tmp_path: Path) -> None:
    """Whoever answered the questions at the beginning again and again, or opened a level again and again, filled the disk."""

    async def story() -> None:
        async with coordinating(tmp_path, stored_mb_a_day=1) as (coordinator, _):
            questions = "\n".join(f'[[question]]\nid = "q{n}"\ntext = "?"\nkind = "text"\nwhen = "start"\n' for n in range(30))
            await coordinator.store.put_study(StudyRecord("six", TOML + questions, 0.0))
            quotas, studies = coordinator.quotas, coordinator.studies
            while True:
                _, token = await studies.enrol("six", new_token(9), "1", None, "home")
                player = (await coordinator.players.of_token(token or "")).id
                if (taking_part := await studies.participation(player)) and taking_part.arm.variant == "trace":
                    break
            actor = ActingPlayer(player, address="home")

            async def open_again() -> None:
                quotas.admit("home", player)
                await coordinator.table_games.open(taking_part, actor, 1, tutorial=False)

            async def answer_again_and_again() -> None:
                for _ in range(100):
                    quotas.admit("home", player)
                    await studies.background(player, "", "six", {f"q{n}": "x" * 1_000 for n in range(30)})

            rows = quotas.totals.sizes["logs"].rows
            await open_again()
            assert quotas.totals.sizes["logs"].rows == rows + 1
            with pytest.raises(ApiError) as refusal:
                await answer_again_and_again()
            assert refusal.value.code == "quota"
            quotas.totals.limits["logs"] = 1
            with pytest.raises(ApiError) as refusal:
                await studies.background(player, "", "six", {})
            assert refusal.value.code == "storage-full"

    asyncio.run(story())


def test_all_lines_of_logs_are_stored_in_one_way() -> None:
    callers = {
        path.name for path in Path(totals.__file__).parents[1].rglob("*.py") if ".put_logs(" in path.read_text(encoding="utf-8")
    }
    assert callers == {"client_logs.py"}
