"""Units of work: functions on a database connection that happen as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

T = TypeVar("T")
Unit = Callable[[Connection], T]


class Runner(Protocol):
    """Runs units of work, each as one transaction."""

    async def read(self, unit: Unit[T]) -> T: ...

    async def write(self, unit: Unit[T]) -> T: ...

    async def close(self) -> None: ...


class Conflict(Exception):
    """A rule of the database was broken within a unit, perhaps because what it wanted to store is stored already.

    `explain` is another unit. It raises the error that says what was in the way, and raises nothing where it finds nothing. It runs
    after the transaction has ended, because PostgreSQL answers no more questions in a transaction that has failed.
    """

    def __init__(self, error: IntegrityError, explain: Unit[None]) -> None:
        super().__init__(str(error.orig))
        self.error = error
        self.explain = explain


def fields(record: Any) -> dict[str, object]:
    """A record as a row: column → value."""
    return {name: getattr(record, name) for name in record.__match_args__}
