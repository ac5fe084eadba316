"""Statements that run for every proposal. On SQLite, they go to the driver without SQLAlchemy's way through a statement.

That way costs about 0.1 ms for each statement, more than SQLite itself needs. SQLAlchemy still writes the text, once, so that
there is one statement for both databases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Select, UpdateBase
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

T = TypeVar("T", int, str)


class Statement(Generic[T]):
    """Returns at most one value. Its parameters are plain texts, numbers and None, which the driver takes as they are.

    `columns`: for an insertion, the columns for which values are given.
    """

    def __init__(self, statement: UpdateBase | Select[Any], columns: Sequence[str] | None = None) -> None:
        self.statement = statement
        compiled = statement.compile(dialect=sqlite.dialect(), column_keys=columns)
        assert isinstance(compiled, SQLCompiler)
        assert compiled.positiontup is not None
        self._text = str(compiled)
        self._names = tuple(compiled.positiontup)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        """Values that stand in the statement itself, such as the 1 of `version + 1`."""

    def value(self, connection: Connection, values: Mapping[str, Any]) -> T | None:
        """The value that the statement returns; None where no row is concerned."""
        if connection.dialect.name != "sqlite":
            value: T | None = connection.execute(self.statement, dict(values)).scalar()
            return value
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        given = {**self._fixed, **values}
        try:
            rows = driver.execute(self._text, tuple([given[name] for name in self._names])).fetchall()
        except sqlite3.IntegrityError as error:
            raise IntegrityError(self._text, None, error) from error
        return rows[0][0] if rows else None
