"""Runs units of work on SQLite: one thread writes and a few threads read.

A unit goes to its thread once, however many statements it has. Units that wait at the same time share one transaction, because each
COMMIT waits for the disk. Within it, each unit has a savepoint, so that one that fails does not spoil the others. Nobody hears of
success before COMMIT has succeeded.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from idg.coordinator.store.faults import sqlite_fault
from idg.coordinator.store.records import StoreBusy, StoreError
from idg.coordinator.store.units import Unit

T = TypeVar("T")

GROUP_UNITS_MAX = 64
"""How many units share one transaction at most, so that the first of them does not wait for too many others."""
WAITING_UNITS_MAX = 20_000
"""How many units may wait to be written, and how many to be read; further ones are refused, so that memory is bounded."""
CACHE_KB = 512
"""How many kilobytes of the file each connection keeps in memory. The system keeps the file's pages, too, so more of them here
would only be a second copy."""
READERS = 3
"""How many threads read."""
BUSY_TIMEOUT_SECONDS = 10
"""How long SQLite waits while another process holds the file."""
WAL_TRIES_MAX = 100
"""How often we try to switch the file to write-ahead logging."""
WAL_PAUSE_SECONDS = 0.1
"""The pause between two of these tries."""


def sqlite_engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite+pysqlite:///{path}",
        poolclass=NullPool,
        connect_args={"timeout": BUSY_TIMEOUT_SECONDS, "check_same_thread": False, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
        connection.execute("PRAGMA recursive_triggers=ON")  # Without this, REPLACE would delete events without their trigger.

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switches the file to write-ahead logging. SQLite refuses that, without waiting, while another process opens the file."""
    for tries_left in reversed(range(WAL_TRIES_MAX)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            time.sleep(WAL_PAUSE_SECONDS)


class _SqliteConnection:
    """A connection whose transactions are begun and ended here. SQLAlchemy is left in autocommit and sends no BEGIN or COMMIT."""

    def __init__(self, engine: Engine) -> None:
        self.connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        driver = self.connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        self._driver = driver
        self.send = driver.execute

    @property
    def in_transaction(self) -> bool:
        return self._driver.in_transaction

    def run(self, unit: Unit[T], begin: str) -> T:
        self.send(begin)
        try:
            result = unit(self.connection)
            self.send("COMMIT")
            return result
        finally:
            self.end()

    def end(self) -> None:
        """Rolls back a transaction that is still open. After some failures, such as a full disk, SQLite has done so itself."""
        if self.in_transaction:
            self.send("ROLLBACK")

    def close(self) -> None:
        self.connection.close()


class _PendingUnit:
    """A unit that waits for its thread, and what came of it."""

    __slots__ = ("error", "future", "result", "unit")

    def __init__(self, unit: Unit[Any], future: asyncio.Future[Any]) -> None:
        self.unit = unit
        self.future = future
        self.result: Any = None
        self.error: Exception | None = None

    def attempt(self, run: Callable[[], Any]) -> None:
        try:
            self.result, self.error = run(), None
        except Exception as error:  # It is raised where the unit is awaited.
            self.result, self.error = None, error

    def settle(self) -> None:
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class SqliteRunner:
    """Is made in a thread, because opening the file may wait for another process; it is used in `loop`."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._engine = sqlite_engine(path)
        self._to_write: SimpleQueue[_PendingUnit | None] = SimpleQueue()
        self._to_read: SimpleQueue[_PendingUnit | None] = SimpleQueue()
        self._closed = False
        # Everything is opened and started here. What is opened later can fail for want of descriptors or threads.
        self._writing = _SqliteConnection(self._engine)
        self._reading = [_SqliteConnection(self._engine) for _ in range(READERS)]
        for connection in self._reading:
            connection.run(lambda opened: opened.exec_driver_sql("SELECT * FROM sqlite_master"), "BEGIN")  # This opens the log.
        self._threads = [threading.Thread(target=self._write_all, name="idg-store-writer", daemon=True)]
        for connection in self._reading:
            self._threads.append(threading.Thread(target=self._read_all, args=(connection,), name="idg-store-reader", daemon=True))
        for thread in self._threads:
            thread.start()

    async def read(self, unit: Unit[T]) -> T:
        return await self._run(unit, self._to_read)

    async def write(self, unit: Unit[T]) -> T:
        return await self._run(unit, self._to_write)

    async def _run(self, unit: Unit[T], waiting: SimpleQueue[_PendingUnit | None]) -> T:
        self._require_open()
        if waiting.qsize() >= WAITING_UNITS_MAX:
            raise StoreBusy(f"{WAITING_UNITS_MAX} units wait for the database; try again later")
        future: asyncio.Future[T] = self._loop.create_future()
        waiting.put(_PendingUnit(unit, future))
        return await _named(future)

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    async def close(self) -> None:
        """Ends after all units that were given before are done."""
        if self._closed:
            return
        self._closed = True
        self._to_write.put(None)
        for _ in self._reading:
            self._to_read.put(None)
        await self._loop.run_in_executor(None, self._end)

    def _end(self) -> None:
        for thread in self._threads:
            thread.join()
        for connection in (*self._reading, self._writing):
            connection.close()
        self._engine.dispose()

    def _read_all(self, connection: _SqliteConnection) -> None:
        while (pending := self._to_read.get()) is not None:
            if not pending.future.cancelled():
                pending.attempt(partial(connection.run, pending.unit, "BEGIN"))
                self._tell([pending])

    def _write_all(self) -> None:
        while True:
            pending = self._to_write.get()
            group = []
            while pending is not None:
                if not pending.future.cancelled():
                    group.append(pending)
                if len(group) == GROUP_UNITS_MAX:
                    break
                try:
                    pending = self._to_write.get_nowait()
                except Empty:
                    break
            if group:
                self._write_group(group)
                self._tell(group)
            if pending is None:
                return

    def _write_group(self, group: Sequence[_PendingUnit]) -> None:
        connection = self._writing
        if len(group) > 1:
            try:
                connection.run(partial(self._share, group), "BEGIN IMMEDIATE")
                return
            except sqlite3.Error:
                # Nothing of the group is stored. Each unit is run alone now, and succeeds or fails by itself.
                pass
        for pending in group:
            pending.attempt(partial(connection.run, pending.unit, "BEGIN IMMEDIATE"))

    def _share(self, group: Sequence[_PendingUnit], connection: Connection) -> None:
        send = self._writing.send
        for pending in group:
            send("SAVEPOINT unit")
            pending.attempt(partial(pending.unit, connection))
            if pending.error is not None:
                send("ROLLBACK TO unit")
            send("RELEASE unit")

    def _tell(self, group: Sequence[_PendingUnit]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_settle, group)


def _settle(group: Sequence[_PendingUnit]) -> None:
    for pending in group:
        pending.settle()


async def _named(future: asyncio.Future[T]) -> T:
    """The future's result. Errors of SQLite that concern the file, and not the unit, become errors of the store."""
    try:
        return await future
    except (sqlite3.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"another process held the database for {BUSY_TIMEOUT_SECONDS} s; try again later") from error
        fault = sqlite_fault(error)
        if fault is not None:
            raise fault from error
        if isinstance(error, sqlite3.Error | OperationalError):
            raise StoreError(f"the database failed: {cause}") from error
        raise
