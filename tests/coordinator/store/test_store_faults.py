"""Faults of the database are told as they are: gone, full, read-only. Nothing is lost, and afterwards everything goes on."""

from __future__ import annotations

import asyncio
import logging
import re
import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from idg.coordinator.store import Store, StoreUnavailable, faults
from idg.coordinator.store.faults import CHECK_SECONDS, TOLD_AGAIN_SECONDS, UNREACHABLE, FaultLog, StoreCheck, postgres_fault
from idg.coordinator.web.socket import TRY_LATER
from tests.support.servers.clients import Client, Json, client, closed_with
from tests.support.servers.store_examples import fill, proposed

pytest_plugins = ["tests.support.servers.databases", "tests.support.servers.servers"]

FLAGS = ("--rate-player", "0", "--rate-address", "0", "--log-level", "warning")
EXPRESSIONS = ["sqr = (cnt+1)^2", "odd = 2*cnt + 1", "cnt >= 0", "sqr >= cnt", "n >= cnt * cnt", "cnt < 3", "odd > 0", "sqr > 0"]


# The store.


FAULTS = {
    "the disk of the database is full": ("max_page_count=1", "max_page_count=1000000"),
    "the database is read-only": ("query_only=ON", "query_only=OFF"),
}
"""Reason → the settings of SQLite that make such a fault and end it. SQLite then raises what it raises for a real one."""


@pytest.mark.parametrize("reason", FAULTS)
def test_a_store_that_cannot_be_written_says_why_and_recovers(
    sqlite_url: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        store = await Store.open(sqlite_url)
        await fill(store)
        assert await store.problem() == ""
        begin, end = FAULTS[reason]
        set_pragma = store._runner._writing.send  # type: ignore[attr-defined]
        set_pragma(f"PRAGMA {begin}")
        appends = [store.append("room", [proposed(f"{number} " + "x" * 5_000)]) for number in range(100)]
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, StoreUnavailable)]
        assert {failure.reason for failure in failures} == {reason}
        stored = len(outcomes) - len(failures)
        assert stored <= 1, "a page of the file may have been free"
        assert len(await store.events("room", 0, 200)) == 1 + stored, "reading goes on"
        assert len(caplog.records) == 1
        await asyncio.sleep(CHECK_SECONDS)
        if reason != "the disk of the database is full":  # Writing a row again needs no new page.
            assert await store.problem() == reason
        set_pragma(f"PRAGMA {end}")
        assert len(await store.append("room", [proposed("a" * 5_000)])) == 1
        await asyncio.sleep(CHECK_SECONDS)
        assert await store.problem() == ""
        await store.close()

    with caplog.at_level(logging.WARNING, "idg.store"):
        asyncio.run(run())
    first, last = caplog.records[0], caplog.records[-1]
    assert first.getMessage().startswith(f"the database cannot be used: {reason}: ")
    assert last.getMessage() == "the database can be used again"


def test_a_fault_is_logged_once_and_then_from_time_to_time(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    faults = FaultLog(lambda: now)
    for number in range(3_000):
        now = number / 10
        faults.failed(StoreUnavailable("a reason", "details"), writing=number == 7)
    assert len(caplog.records) == 1 + (now // TOLD_AGAIN_SECONDS)
    assert vars(caplog.records[-1])["failures"] == 10 * int(now // TOLD_AGAIN_SECONDS * TOLD_AGAIN_SECONDS) + 1
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        faults.worked(writing=False)
        assert not caplog.records, "that something can be read does not show that something can be written"
        faults.worked(writing=True)
        faults.worked(writing=True)
    assert [record.getMessage() for record in caplog.records] == ["the database can be used again"]
    assert vars(caplog.records[0])["failures"] == 3_000


def test_a_check_is_shared_and_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.coordinator.store.faults.CHECK_SECONDS_MAX", 0.05)

    async def run() -> None:
        now, tries = 0.0, 0
        answers = asyncio.Event()

        async def write() -> None:
            nonlocal tries
            tries += 1
            await answers.wait()

        check = StoreCheck(write, lambda: now)
        problems = await asyncio.gather(*(check.problem() for _ in range(20)))
        assert set(problems) == {"the database has not answered for 0.05 s"}
        answers.set()
        assert [await check.problem() for _ in range(20)] == [""] * 20
        assert tries == 1
        now = CHECK_SECONDS
        assert await check.problem() == ""
        assert tries == 2

    asyncio.run(run())


class _Refusal(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__("what PostgreSQL says")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (sqlite3.SQLITE_FULL, faults.FULL),
        (sqlite3.SQLITE_IOERR_WRITE, "the file of the database cannot be read or written"),
        (sqlite3.SQLITE_READONLY, faults.READ_ONLY),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, None),
    ],
)
def test_the_codes_of_sqlite(code: int, reason: str | None) -> None:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    fault = faults.sqlite_fault(error)
    assert (fault and fault.reason) == reason


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("53100", "the disk of the database is full"),
        ("25006", "the database is read-only"),
        ("57P01", "the database is being ended or started"),
        ("08006", "the database cannot be reached"),
        ("53300", "the database has no connection, memory or disk left"),
        ("42P01", None),  # There is no such table: a mistake of ours.
        ("22021", None),  # A character that cannot be stored: a mistake of the caller's.
    ],
)
def test_the_states_of_postgresql(state: str, reason: str | None) -> None:
    for error in (_Refusal(state), DBAPIError("SELECT 1", None, _Refusal(state))):
        fault = postgres_fault(error)
        assert (None if fault is None else fault.reason) == reason


# Servers.


async def _story(server: Any, begin: Callable[[], None], end: Callable[[], None], reason: str) -> None:
    """A player goes on proposing while the database fails, and sends everything again when it works."""
    async with client(server.url) as ann:
        await ann.become("Ann")
        room = (await ann.open("int-square-root"))["room"]["room"]
        first = (await _propose(ann, room, 0)).ok()
        assert (await ann.get("/api/health")).ok()["problem"] == ""
        begin()
        await asyncio.sleep(CHECK_SECONDS)
        health = await ann.get("/api/health")
        assert (health.status, health.json["status"], health.json["database"]) == (503, "failing", False)
        assert health.json["problem"] == reason
        for _ in range(5):
            for answer in await asyncio.gather(*(_propose(ann, room, number) for number in range(1, len(EXPRESSIONS)))):
                assert answer.refused("store-unavailable")["message"].endswith(reason)
            (await ann.post("/api/players", {"name": "Bob"})).refused("store-unavailable")
        if reason == UNREACHABLE:
            async with ann.watch(room) as socket:
                assert await closed_with(socket) == TRY_LATER
        end()
        while (await ann.get("/api/health")).status != 200:
            await asyncio.sleep(0.1)
        again = [(await _propose(ann, room, number)).ok() for number in range(len(EXPRESSIONS))]
        assert again[0]["event"] == first["event"]
        events = await ann.events(room)
        for kind in ("proposed", "judged"):
            assert len([event for event in events if event["kind"] == kind]) == len(EXPRESSIONS), "each is carried out once"
    server.stop()
    messages = [line.split(" ", 2)[2] for line in server.complaints]
    # Whoever comes first may hear that PostgreSQL is being ended.
    assert messages[0].startswith("the database cannot be used: the ")
    assert re.match(r"the database can be used again (request=\w+ )?failures=", messages[-1])
    assert len(messages) == 2, messages


async def _propose(player: Client, room: str, number: int) -> Any:
    body: Json = {"expression": EXPRESSIONS[number], "request": f"request-{number}"}
    return await player.post(f"/api/rooms/{room}/proposals", body)


def test_a_full_disk(start_server: Any, tmp_path: Path) -> None:
    """No file of the server may grow beyond one byte. SQLite is told so by the same failing writes as on a full disk."""
    server = start_server(*FLAGS, data=tmp_path)

    def limit(size_bytes: int) -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size_bytes, resource.RLIM_INFINITY))

    reason = "the file of the database cannot be read or written"
    asyncio.run(_story(server, lambda: limit(1), lambda: limit(resource.RLIM_INFINITY), reason))


def test_postgresql_is_killed_and_started_again(start_server: Any, postgres_server: Any, postgresql_url: str) -> None:
    server = start_server(*FLAGS, "--database", postgresql_url)
    asyncio.run(_story(server, postgres_server.crash, postgres_server.start, UNREACHABLE))


def test_postgresql_becomes_read_only(start_server: Any, postgres_server: Any, postgresql_url: str) -> None:
    server = start_server(*FLAGS, "--database", postgresql_url)
    name = postgresql_url.partition("@/")[2].partition("?")[0]

    def read_only(value: str) -> None:
        """Holds for new connections, so the present ones are ended."""
        postgres_server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        postgres_server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    asyncio.run(_story(server, lambda: read_only("on"), lambda: read_only("off"), "the database is read-only"))
