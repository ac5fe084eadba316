"""Running units of work on SQLite: one writer thread with group commit, a few reader threads.

A unit runs in one hop to a thread, whatever number of statements it has. Units that wait at the same time share a transaction, each
within a savepoint, so that one that fails does not spoil the others; nobody hears of success before COMMIT has succeeded.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from idg.coordinator.store.records import StoreBusy, StoreError

T = TypeVar("T")
Unit = Callable[[Connection], T]

GROUP_UNITS_MAX = 64
WAITING_UNITS_MAX = 20_000
READERS = 3
BUSY_TIMEOUT_SECONDS = 10
WAL_TRIES_MAX = 100
WAL_PAUSE_SECONDS = 0.1


class Runner(Protocol):
    """Runs units of work, each as one transaction."""

    async def read(self, unit: Unit[T]) -> T: ...

    async def write(self, unit: Unit[T]) -> T: ...

    async def close(self) -> None: ...


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
        connection.execute("PRAGMA recursive_triggers=ON")  # else REPLACE deletes events past their trigger

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """WAL for the file. The change needs the file alone and does not wait by itself while another process opens it."""
    for tries_left in reversed(range(WAL_TRIES_MAX)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            time.sleep(WAL_PAUSE_SECONDS)


class _Session:
    """A connection whose transactions are begun and ended here: SQLAlchemy, left in autocommit, sends nothing of its own."""

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
        """Rolls back what is still open: SQLite itself has done so after some failures, such as a full disk."""
        if self.in_transaction:
            self.send("ROLLBACK")

    def close(self) -> None:
        self.connection.close()


class _Job:
    __slots__ = ("error", "future", "result", "unit")

    def __init__(self, unit: Unit[Any], future: asyncio.Future[Any]) -> None:
        self.unit = unit
        self.future = future
        self.result: Any = None
        self.error: Exception | None = None

    def attempt(self, run: Callable[[], Any]) -> None:
        try:
            self.result, self.error = run(), None
        except Exception as error:  # handed to whoever waits for the unit
            self.result, self.error = None, error

    def settle(self) -> None:
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class SqliteRunner:
    """Opening the file may wait for another process, so make it in a thread; `loop` is where it is used."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._engine = sqlite_engine(path)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._local = threading.local()
        self._reading: list[_Session] = []
        self._readers = ThreadPoolExecutor(READERS, "idg-store-reader", self._start_reader)
        self._writing = _Session(self._engine)
        self._writer = threading.Thread(target=self._write_all, name="idg-store-writer", daemon=True)
        self._writer.start()

    def _start_reader(self) -> None:
        self._local.session = _Session(self._engine)
        self._reading.append(self._local.session)

    def _read(self, unit: Unit[T]) -> T:
        session: _Session = self._local.session
        return session.run(unit, "BEGIN")

    async def read(self, unit: Unit[T]) -> T:
        self._require_open()
        return await _named(self._loop.run_in_executor(self._readers, self._read, unit))

    async def write(self, unit: Unit[T]) -> T:
        self._require_open()
        if self._jobs.qsize() >= WAITING_UNITS_MAX:
            raise StoreBusy(f"{WAITING_UNITS_MAX} units wait for the database; try again later")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(unit, future))
        return await _named(future)

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    async def close(self) -> None:
        """What was asked before is done first."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._end)

    def _end(self) -> None:
        self._writer.join()
        self._readers.shutdown()
        for session in (*self._reading, self._writing):
            session.close()
        self._engine.dispose()

    def _write_all(self) -> None:
        while True:
            job = self._jobs.get()
            group = []
            while job is not None:
                if not job.future.cancelled():
                    group.append(job)
                if len(group) == GROUP_UNITS_MAX:
                    break
                try:
                    job = self._jobs.get_nowait()
                except Empty:
                    break
            if group:
                self._write_group(group)
                self._tell(group)
            if job is None:
                return

    def _write_group(self, group: Sequence[_Job]) -> None:
        session = self._writing
        if len(group) > 1:
            try:
                session.run(partial(self._share, group), "BEGIN IMMEDIATE")
                return
            except sqlite3.Error:
                # Nothing of the group is stored. Alone, each unit meets its own success or failure.
                pass
        for job in group:
            job.attempt(partial(session.run, job.unit, "BEGIN IMMEDIATE"))

    def _share(self, group: Sequence[_Job], connection: Connection) -> None:
        send = self._writing.send
        for job in group:
            send("SAVEPOINT unit")
            job.attempt(partial(job.unit, connection))
            if job.error is not None:
                send("ROLLBACK TO unit")
            send("RELEASE unit")

    def _tell(self, group: Sequence[_Job]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_settle, group)


def _settle(group: Sequence[_Job]) -> None:
    for job in group:
        job.settle()


async def _named(future: asyncio.Future[T]) -> T:
    """The future's result; what SQLite says about the file, and not about a unit, as the store's own errors."""
    try:
        return await future
    except (sqlite3.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"another process held the database for {BUSY_TIMEOUT_SECONDS} s; try again later") from error
        if isinstance(error, sqlite3.Error | OperationalError):
            raise StoreError(f"the database failed: {cause}; look for disk space and permissions") from error
        raise
