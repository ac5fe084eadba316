"""Faults of the database: which errors are faults, how they are logged, and a check whether the store works.

A fault concerns the database and not what was asked of it. Everybody is told to try again later, and the log tells the fault once
and then from time to time, however many requests fail.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError

from idg.coordinator.store.records import StoreUnavailable

TOLD_AGAIN_SECONDS = 60.0
"""How often the log says that a fault goes on."""
CHECK_SECONDS = 1.0
"""How long the outcome of a check counts, so that those who ask often cost little."""
CHECK_SECONDS_MAX = 5.0
"""How long a check waits for the database."""

UNREACHABLE = "the database cannot be reached"
FULL = "the disk of the database is full"
READ_ONLY = "the database is read-only"
FAILING = "the database fails"

_SQLITE_REASONS = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_IOERR: "the file of the database cannot be read or written",
    sqlite3.SQLITE_CANTOPEN: "the file of the database cannot be opened",
    sqlite3.SQLITE_CORRUPT: "the file of the database is damaged",
    sqlite3.SQLITE_NOTADB: "the file of the database is damaged",
}
"""Primary error code of SQLite → what it says about the database."""
_POSTGRES_REASONS = {
    "08": UNREACHABLE,
    "25006": READ_ONLY,
    "28": "the database refuses the user",
    "3D": "the database does not exist any more",
    "53": "the database has no connection, memory or disk left",
    "53100": FULL,
    "57": "the database is being ended or started",
    "58": FAILING,
}
"""SQL state of PostgreSQL, or its class → what it says about the database."""

log = logging.getLogger("idg.store")


def sqlite_fault(error: BaseException) -> StoreUnavailable | None:
    """What an error of SQLite says about the database; None where it is about what was asked."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    reason = None if code is None else _SQLITE_REASONS.get(code & 0xFF)
    return None if reason is None else StoreUnavailable(reason, cause)


def postgres_fault(error: BaseException) -> StoreUnavailable | None:
    """What an error of asyncpg or of the connection says about the database; None where it is about what was asked."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None) or ""
    reason = _POSTGRES_REASONS.get(state) or _POSTGRES_REASONS.get(state[:2])
    if reason is None and (isinstance(cause, OSError) or (isinstance(error, DBAPIError) and error.connection_invalidated)):
        reason = UNREACHABLE
    return None if reason is None else StoreUnavailable(reason, f"{type(cause).__name__} {cause}")


class FaultLog:
    """Logs the beginning of a fault, that it goes on, and its end."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.failing = False
        self._by_writing = False
        """Whether something could not be written. Then only something that is written shows that the fault is over."""
        self._failures = 0
        self._begun = self._told = 0.0

    def failed(self, error: StoreUnavailable, writing: bool) -> None:
        now = self._clock()
        if not self.failing:
            self.failing, self._by_writing = True, False
            self._failures = 0
            self._begun = self._told = now
            log.error("the database cannot be used: %s", error)
        self._by_writing = self._by_writing or writing
        self._failures += 1
        if now - self._told >= TOLD_AGAIN_SECONDS:
            self._told = now
            log.error("the database still cannot be used: %s", error, extra={"failures": self._failures})

    def worked(self, writing: bool) -> None:
        if self.failing and (writing or not self._by_writing):
            self.failing = False
            seconds = round(self._clock() - self._begun, 1)
            log.warning("the database can be used again", extra={"failures": self._failures, "seconds": seconds})


class StoreCheck:
    """Tries whether the store can be written. Those who ask at about the same time share one try."""

    def __init__(self, write: Callable[[], Awaitable[None]], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._try: asyncio.Task[str] | None = None
        self._begun = 0.0

    async def problem(self) -> str:
        """What is wrong with the database, as a sentence; empty where it works."""
        if self._try is None or (self._try.done() and self._clock() - self._begun >= CHECK_SECONDS):
            self._begun = self._clock()
            self._try = asyncio.create_task(self._outcome())
        try:
            async with asyncio.timeout(CHECK_SECONDS_MAX):
                return await asyncio.shield(self._try)
        except TimeoutError:
            return f"the database has not answered for {CHECK_SECONDS_MAX:g} s"

    async def _outcome(self) -> str:
        try:
            await self._write()
        except StoreUnavailable as error:
            return error.reason
        except Exception:
            log.exception("the check of the database failed")
            return FAILING
        return ""
