"""The store's databases: opening and migrations, crashes, group commit."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url, text

from idg.coordinator.store import NewEvent, Store, StoreBusy, StoreError, UnitRefused, store
from idg.coordinator.store.databases import writer
from idg.coordinator.store.migrate import BASE, HEAD, config, migrate, revision_of
from idg.coordinator.store.migrations.versions import (
    v0001_tables,
    v0002_pruning,
    v0003_coordinators,
    v0004_studies,
    v0005_classes,
    v0006_secrets,
    v0007_lti,
)
from idg.coordinator.store.schema import metadata
from idg.sip.record import replace
from tests.support.servers.store_examples import ROOM, fill, judged, proposed
from tests.support.waiting import HANG_SECONDS
from tools import ROOT

pytest_plugins = ["tests.support.servers.databases"]

WRITER = """
    import asyncio, sys
    from idg.coordinator.store import Store
    from tests.support.servers.store_examples import fill, proposed

    async def main():
        store = await Store.open(sys.argv[1])
        await fill(store)

        async def write(first):
            for at in range(first, 10**9, 8):
                [event] = await store.append("room", [proposed(str(at))])
                print(event.number, event.request, flush=True)

        await asyncio.gather(*map(write, range(8)))

    asyncio.run(main())
"""
ACKNOWLEDGED_BEFORE_KILL = 300
"""Events that the writing process has acknowledged when it is killed."""


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


# Opening and migrations


def test_migrations_lead_to_the_schema_and_back(database_url: str) -> None:
    async def run() -> None:
        opened = await Store.open(database_url)
        assert await opened.write(differences) == []
        assert await opened.write(revision_of) == HEAD
        await fill(opened)
        await opened.write(lambda connection: migrate(connection, BASE))
        assert await opened.write(revision_of) is None
        missing = await opened.write(differences)
        assert len([difference for difference in missing if isinstance(difference, tuple) and difference[0] == "add_table"]) == len(
            metadata.tables
        )
        await opened.write(migrate)
        assert await opened.write(differences) == []
        await fill(opened)
        await opened.close()

    asyncio.run(run())


def test_the_newest_migration_is_known() -> None:
    assert ScriptDirectory.from_config(config()).get_heads() == [HEAD] == [v0007_lti.revision]
    assert v0002_pruning.down_revision == v0001_tables.revision
    assert v0007_lti.down_revision == v0006_secrets.revision
    assert v0006_secrets.down_revision == v0005_classes.revision
    assert v0004_studies.down_revision == v0003_coordinators.revision
    assert v0005_classes.down_revision == v0004_studies.revision


def test_many_open_an_empty_database_at_once(database_url: str) -> None:
    opening = "import asyncio, sys; from idg.coordinator.store import Store; asyncio.run(Store.open(sys.argv[1]))"

    async def run() -> None:
        processes = [subprocess.Popen([sys.executable, "-c", opening, database_url], stderr=subprocess.PIPE) for _ in range(3)]
        stores = await asyncio.gather(*(Store.open(database_url) for _ in range(3)))
        for process in processes:
            _, complaint = process.communicate(timeout=HANG_SECONDS)
            assert process.returncode == 0, complaint.decode()
        await fill(stores[0])
        for opened in stores:
            assert (await opened.counts())["events"] == 1
            await opened.close()

    asyncio.run(run())


def test_a_database_of_a_newer_idg_is_refused(database_url: str) -> None:
    async def run() -> None:
        opened = await Store.open(database_url)
        await opened.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
        await opened.close()
        with pytest.raises(StoreError, match=r"revision 9999 .* newer IDG wrote it; upgrade"):
            await Store.open(database_url)

    asyncio.run(run())


def test_what_is_stored_is_there_when_opened_again(database_url: str) -> None:
    async def run() -> None:
        opened = await Store.open(database_url)
        await fill(opened)
        await opened.append("room", [proposed("a"), proposed("b")])
        await opened.judge("room", 0, '{"n": 1}', [judged(2)])
        await opened.close()
        again = await Store.open(database_url)
        assert [event.number for event in await again.events("room", 0, 10)] == [1, 2, 3, 4]
        assert [event.request for event in await again.unanswered(99.0, 10)] == ["b"]
        await again.close()
        await again.close()
        with pytest.raises(StoreError, match="closed"):
            await again.counts()

    asyncio.run(run())


def test_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(url: str) -> str:
        with pytest.raises(StoreError) as error:
            await Store.open(url)
        return str(error.value)

    async def run() -> None:
        monkeypatch.chdir(tmp_path)
        for url in (str(tmp_path / "bare 100%.db"), f"sqlite:///{tmp_path}/absolute.db", "sqlite:///relative.db"):
            await (await Store.open(url)).close()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["absolute.db", "bare 100%.db", "relative.db"]
        (tmp_path / "letter.db").write_text("Dear Ann, this is no database, and it is long enough to show that. " * 9)
        assert "letter.db cannot be opened as a database" in await refused(str(tmp_path / "letter.db"))
        assert "does not exist" in await refused(str(tmp_path / "none" / "idg.db"))
        for url in ("mysql://host/db", "sqlite://", "sqlite:///:memory:"):
            assert "expected a path, sqlite:////folder/idg.db, or postgresql" in await refused(url)
        assert "cannot be reached" in await refused(f"postgresql://idg@/idg?host={tmp_path}")

    asyncio.run(run())
    url = store._for_asyncpg(make_url("postgresql://ann:secret@host:5433/idg?sslmode=require"))
    assert url.render_as_string(hide_password=False) == "postgresql+asyncpg://ann:secret@host:5433/idg?ssl=require"


# Crashes


def test_what_was_acknowledged_survives_a_kill(database_url: str, tmp_path: Path) -> None:
    script = tmp_path / "writer.py"
    script.write_text(textwrap.dedent(WRITER))
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(script), database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(ACKNOWLEDGED_BEFORE_KILL)]
        process.send_signal(signal.SIGKILL)
        lines += [line for line in process.stdout if line.endswith("\n")]
    acknowledged = {int(number): request for number, request in map(str.split, lines)}

    async def run() -> None:
        opened = await Store.open(database_url)
        events = (await opened.events("room", 0, 1_000_000))[1:]
        stored = {event.number: event.request for event in events}
        assert acknowledged.items() <= stored.items()
        assert list(stored) == list(range(2, len(stored) + 2))
        unanswered = await opened.unanswered(99.0, 1_000_000)
        assert [event.number for event in unanswered] == list(stored)
        assert len(await opened.append("room", [proposed("after")])) == 1
        await opened.close()

    if database_url.startswith("sqlite"):
        with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
    asyncio.run(run())


# Transactions of the runners


def test_a_failing_unit_stores_nothing_and_spoils_no_other(database_url: str) -> None:
    def fail_late(connection: Connection) -> None:
        connection.execute(text("UPDATE rooms SET state = 'spoilt', last_event = last_event + 100"))
        raise LookupError("on purpose")

    async def run() -> None:
        opened = await Store.open(database_url)
        await fill(opened)
        units = []
        for number in range(90):
            units.append(opened.append("room", [proposed(str(number))]))
            if number % 10 == 3:
                units.append(opened.write(fail_late))  # type: ignore[arg-type]
            if number % 10 == 7:
                units.append(opened.append("room", [proposed(f"never {number}"), NewEvent("judged", 1.0, answers=1)] * 2))
        results = await asyncio.gather(*units, return_exceptions=True)
        assert len([result for result in results if isinstance(result, LookupError)]) == 9
        assert len([result for result in results if isinstance(result, UnitRefused)]) == 9
        events = await opened.events("room", 0, 1000)
        assert [event.number for event in events] == list(range(1, 92))
        assert {event.request for event in events[1:]} == {str(number) for number in range(90)}
        assert await opened.room("room") == replace(ROOM, last_event=91)
        await opened.close()

    asyncio.run(run())


def test_waiting_units_share_a_transaction(sqlite_url: str) -> None:
    async def run() -> None:
        opened = await Store.open(sqlite_url)
        await fill(opened)
        sent: list[str] = []
        session = opened._runner._writing  # type: ignore[attr-defined]
        session._driver.set_trace_callback(sent.append)
        await asyncio.gather(*(opened.append("room", [proposed(str(number))]) for number in range(100)))
        assert sent.count("COMMIT") < 20
        assert sent.count("SAVEPOINT unit") == sent.count("RELEASE unit") > 80
        sent.clear()
        await opened.append("room", [proposed("alone")])
        assert [statement.split()[0] for statement in sent] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]
        await opened.close()

    asyncio.run(run())


def test_a_unit_that_ends_the_transaction_does_not_lose_the_others(sqlite_url: str) -> None:
    """SQLite does this by itself when the disk is full: it rolls back all that the group did, so the others must run again."""

    def roll_back(connection: Connection) -> None:
        connection.exec_driver_sql("ROLLBACK")
        raise LookupError("disk full")

    async def run() -> None:
        opened = await Store.open(sqlite_url)
        await fill(opened)
        appends = [opened.append("room", [proposed(str(number))]) for number in range(6)]
        results = await asyncio.gather(*appends[:3], opened.write(roll_back), *appends[3:], return_exceptions=True)
        assert [type(result) for result in results] == [list] * 3 + [LookupError] + [list] * 3
        assert [event.number for event in await opened.events("room", 0, 100)] == list(range(1, 8))
        await opened.close()

    asyncio.run(run())


def test_settings_of_sqlite(sqlite_url: str) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": writer.BUSY_TIMEOUT_SECONDS * 1000}

    def settings(connection: Connection) -> dict[str, object]:
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in expected}

    async def run() -> None:
        opened = await Store.open(sqlite_url)
        assert await opened.write(settings) == await opened.read(settings) == expected
        await opened.close()

    asyncio.run(run())


def test_a_database_that_stays_locked_is_busy(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BUSY_TIMEOUT_SECONDS", 0.05)

    async def run() -> None:
        opened = await Store.open(sqlite_url)
        await fill(opened)
        holder = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="try again later"):
            await opened.append("room", [proposed("a")])
        assert len(await opened.events("room", 0, 10)) == 1, "reading goes on meanwhile"
        holder.execute("ROLLBACK")
        holder.close()
        assert len(await opened.append("room", [proposed("a")])) == 1
        monkeypatch.setattr(writer, "WAITING_UNITS_MAX", 0)
        with pytest.raises(StoreBusy, match="units wait"):
            await opened.append("room", [proposed("b")])
        await opened.close()

    asyncio.run(run())


def test_closing_does_first_what_was_asked_before(sqlite_url: str) -> None:
    async def run() -> None:
        opened = await Store.open(sqlite_url)
        await fill(opened)
        appends = [asyncio.ensure_future(opened.append("room", [proposed(str(number))])) for number in range(200)]
        given_up = asyncio.ensure_future(opened.append("room", [proposed("given up")]))
        await asyncio.sleep(0)
        given_up.cancel()
        await opened.close()
        assert [(await append)[0].request for append in appends] == [str(number) for number in range(200)]
        again = await Store.open(sqlite_url)
        assert await again.heads(["room"]) in ({"room": 201}, {"room": 202})
        await again.close()

    asyncio.run(run())
