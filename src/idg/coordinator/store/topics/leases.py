"""Units of work on the coordinators that use the database. Their signs of life are timed by the database's own clock."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Double, bindparam, cast, delete, func, insert, select, update
from sqlalchemy.sql.elements import ColumnElement

from idg.coordinator.store.records import CoordinatorRow
from idg.coordinator.store.schema import coordinators

JULIAN_DAY_OF_EPOCH = 2440587.5
"""The Julian day on which 1970 began. SQLite counts time in Julian days."""
DAY_SECONDS = 86400.0
"""How many seconds a day has."""

_NOW: dict[str, ColumnElement[float]] = {
    "sqlite": (func.julianday("now") - JULIAN_DAY_OF_EPOCH) * DAY_SECONDS,
    "postgresql": cast(func.extract("epoch", func.clock_timestamp()), Double),
}
"""Dialect → the seconds since the epoch by the database's clock."""
_THIS = coordinators.c.id == bindparam("by_id")
_BEAT = {dialect: update(coordinators).where(_THIS).values(beat=now) for dialect, now in _NOW.items()}
_ENTER = {
    dialect: insert(coordinators).values(id=bindparam("new_id"), machine=bindparam("on"), process=bindparam("as"), beat=now)
    for dialect, now in _NOW.items()
}
_ALL = {
    dialect: select(coordinators.c.id, coordinators.c.machine, coordinators.c.process, now - coordinators.c.beat).order_by(
        coordinators.c.id
    )
    for dialect, now in _NOW.items()
}
_DELETE = delete(coordinators).where(coordinators.c.id.in_(bindparam("ids", expanding=True)))


def beat(connection: Connection, coordinator: str, machine: str, process: str) -> list[CoordinatorRow]:
    """A sign of life of a coordinator; returns all that there are."""
    dialect = connection.dialect.name
    if not connection.execute(_BEAT[dialect], {"by_id": coordinator}).rowcount:
        connection.execute(_ENTER[dialect], {"new_id": coordinator, "on": machine, "as": process})
    return coordinators_known(connection)


def coordinators_known(connection: Connection) -> list[CoordinatorRow]:
    """All coordinators that did not end in order, whether they live or not."""
    return [CoordinatorRow(*row) for row in connection.execute(_ALL[connection.dialect.name])]


def forget_coordinators(connection: Connection, ids: Sequence[str]) -> int:
    """These coordinators have ended. One that has not after all comes back with its next sign of life. Returns how many were
    known until now."""
    return connection.execute(_DELETE, {"ids": ids}).rowcount
