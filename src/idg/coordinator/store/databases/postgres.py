"""Runs units of work on PostgreSQL, through asyncpg. Units run at the same time; those of one room wait for the lock of its row."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from asyncpg import PostgresError
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from idg.coordinator.store.faults import postgres_fault
from idg.coordinator.store.records import StoreBusy, StoreError
from idg.coordinator.store.units import Unit

T = TypeVar("T")

CONNECTIONS_MAX = 10
"""How many connections to the database are open at the same time, and so how many units run."""
CONNECTION_WAIT_SECONDS = 30
"""How long a unit waits for a free connection."""
CONNECT_SECONDS_MAX = 10
"""How long connecting may take."""
STATEMENT_SECONDS_MAX = 30
"""How long one statement may take. Without a limit, a database that is paused or behind a broken network would hold its callers for
ever."""
TRIES_MAX = 5
"""How often a unit is tried that the server asks to repeat."""
PAUSE_SECONDS = 0.02
"""The pause before the second try; each further pause is longer by as much."""
REPEATABLE_STATES = {"40001", "40P01"}
"""The SQL states of a serialization failure and of a deadlock: the server asks to repeat the transaction."""


class PostgresRunner:
    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(
            url,
            isolation_level="READ COMMITTED",
            pool_size=CONNECTIONS_MAX,
            max_overflow=0,
            pool_timeout=CONNECTION_WAIT_SECONDS,
            pool_pre_ping=True,
            connect_args={"timeout": CONNECT_SECONDS_MAX, "command_timeout": STATEMENT_SECONDS_MAX},
        )
        self._closed = False

    async def read(self, unit: Unit[T]) -> T:
        return await self._run(unit)

    async def write(self, unit: Unit[T]) -> T:
        return await self._run(unit)

    async def _run(self, unit: Unit[T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        for tries in range(1, TRIES_MAX + 1):
            try:
                async with self._engine.begin() as connection:
                    return await connection.run_sync(unit)
            except PoolTimeout as error:
                raise StoreBusy(f"no connection was free for {CONNECTION_WAIT_SECONDS} s; try again later") from error
            except (DBAPIError, PostgresError, OSError) as error:
                cause = error.orig if isinstance(error, DBAPIError) else error
                if getattr(cause, "sqlstate", None) not in REPEATABLE_STATES:
                    fault = postgres_fault(error)
                    if fault is None:
                        raise
                    raise fault from error
                if tries == TRIES_MAX:
                    raise StoreBusy(f"the database gave up {TRIES_MAX} times: {cause}; try again later") from error
            await asyncio.sleep(PAUSE_SECONDS * tries)
        raise AssertionError("the last try returns or raises")

    async def close(self) -> None:
        self._closed = True
        await self._engine.dispose()
