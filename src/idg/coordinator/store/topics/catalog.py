"""Units of work on programs, cached verdicts and clients' logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Insert,
    LargeBinary,
    Select,
    Table,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from idg.coordinator.store.databases.statements import Statement
from idg.coordinator.store.records import Log, NewLog, PlacedLog, ProgramRow, Size
from idg.coordinator.store.schema import logs, metadata, participants, players, programs, secrets, verdicts
from idg.coordinator.store.topics.history import ROWS_MAX


def _once(table: Table) -> dict[str, Insert]:
    """For each dialect, an insertion that does nothing where a row with the same key exists."""
    return {
        "sqlite": sqlite.insert(table).on_conflict_do_nothing(),
        "postgresql": postgresql.insert(table).on_conflict_do_nothing(),
    }


_ROWS_MAX: BindParameter[int] = bindparam("rows_max")
_PUT_PROGRAM = _once(programs)
_PROGRAM = select(programs).where(programs.c.hash == bindparam("by_hash"))
_PUT_VERDICT = _once(verdicts)
_VERDICT = Statement[str](select(verdicts.c.answer).where(verdicts.c.key == bindparam("by_key")))
_VERDICT_KEYS = select(verdicts.c.key).where(verdicts.c.key > bindparam("after_key")).order_by(verdicts.c.key).limit(_ROWS_MAX)
_FORGET = delete(verdicts).where(verdicts.c.engine != bindparam("kept"))
_FORGET_KEYS = delete(verdicts).where(verdicts.c.key.in_(bindparam("keys", expanding=True)))
_PUT_SECRET = _once(secrets)
_SECRET = select(secrets.c.value).where(secrets.c.name == bindparam("by_name"))
LONG_TEXTS = {
    "programs": "source", "rooms": "state", "events": "body", "verdicts": "answer", "logs": "body", "hand_ins": "certificate",
    "assigned_items": "text", "class_messages": "text",
}  # fmt: skip
"""Table → the column that makes its rows long."""
_PUT_LOGS = insert(logs)
_LOGS_OF = (
    select(logs)
    .where(logs.c.player == bindparam("of_player"), logs.c.id > bindparam("after_id"))
    .order_by(logs.c.id)
    .limit(_ROWS_MAX)
)
_ALL_LOGS: Select[Any] = (
    select(logs, participants.c.study, participants.c.number, participants.c.pid, participants.c.arm, players.c.agent)
    .outerjoin(participants, participants.c.player == logs.c.player)
    .outerjoin(players, players.c.id == logs.c.player)
    .where(logs.c.id > bindparam("after_id"))
    .order_by(logs.c.id)
    .limit(_ROWS_MAX)
)
_COUNTS = select(*(select(func.count()).select_from(table).scalar_subquery().label(table.name) for table in metadata.sorted_tables))


def put_program(connection: Connection, program: ProgramRow) -> None:
    """Stores a program, unless one with the same hash is stored already."""
    values: dict[str, object] = {field: getattr(program, field) for field in program.__match_args__}
    connection.execute(_PUT_PROGRAM[connection.dialect.name], values)


def program(connection: Connection, program_hash: str) -> ProgramRow | None:
    row = connection.execute(_PROGRAM, {"by_hash": program_hash}).first()
    return ProgramRow(*row) if row else None


def put_verdicts(connection: Connection, engine: str, answers: Sequence[tuple[str, str]], time: float) -> None:
    """Stores answers with their keys, except those whose key is stored already."""
    values = [{"key": key, "engine": engine, "answer": answer, "time": time} for key, answer in answers]
    connection.execute(_PUT_VERDICT[connection.dialect.name], values)


def verdict(connection: Connection, key: str) -> str | None:
    return _VERDICT.value(connection, {"by_key": key})


def verdict_keys(connection: Connection, after: str, limit: int) -> list[str]:
    """Keys of stored answers in their order, from the one after this one on."""
    return list(connection.execute(_VERDICT_KEYS, {"after_key": after, "rows_max": limit}).scalars())


def forget_verdicts(connection: Connection, engine_other_than: str) -> int:
    """Deletes the answers of other versions of the engine; returns how many there were."""
    return connection.execute(_FORGET, {"kept": engine_other_than}).rowcount


def forget_oldest_verdicts(connection: Connection, count: int) -> Size:
    """Deletes so many of the oldest answers; returns how many there were, and their bytes."""
    length = _text_bytes(connection, verdicts.c.answer)
    oldest = connection.execute(select(verdicts.c.key, length).order_by(verdicts.c.time).limit(count)).all()
    connection.execute(_FORGET_KEYS, {"keys": [key for key, _ in oldest]})
    return Size(len(oldest), sum(size for _, size in oldest))


def sizes(connection: Connection) -> dict[str, Size]:
    """How large each table is."""
    measured: dict[str, Size] = {}
    for table in metadata.sorted_tables:
        text = LONG_TEXTS.get(table.name)
        size = literal(0) if text is None else func.coalesce(func.sum(_text_bytes(connection, table.c[text])), 0)
        rows, total = connection.execute(select(func.count(), size).select_from(table)).one()
        measured[table.name] = Size(rows, int(total))
    return measured


def _text_bytes(connection: Connection, text: Column[Any]) -> ColumnElement[int]:
    if connection.dialect.name == "sqlite":
        return func.length(cast(text, LargeBinary))  # The length of a text would be counted in characters.
    return func.octet_length(text)


def secret(connection: Connection, name: str, new: str) -> str:
    """The secret of this name. Whoever asks first, of all coordinators, gives it its value."""
    connection.execute(_PUT_SECRET[connection.dialect.name], {"name": name, "value": new})
    return str(connection.execute(_SECRET, {"by_name": name}).scalar_one())


def secret_if_there(connection: Connection, name: str) -> str | None:
    """The secret of this name; None where nobody has asked for it yet."""
    value: str | None = connection.execute(_SECRET, {"by_name": name}).scalar()
    return value


def put_logs(connection: Connection, player: str, session: str, rows: Sequence[NewLog]) -> None:
    values = [{"player": player, "session": session, "time": row.time, "kind": row.kind, "body": row.body} for row in rows]
    if values:
        connection.execute(_PUT_LOGS, values)


def logs_of(connection: Connection, player: str, after_id: int = 0, limit: int = ROWS_MAX) -> list[Log]:
    rows = connection.execute(_LOGS_OF, {"of_player": player, "after_id": after_id, "rows_max": limit})
    return [Log(*row) for row in rows]


def all_logs(connection: Connection, after_id: int, limit: int) -> list[PlacedLog]:
    """All lines in the order in which they were stored, for export."""
    rows = connection.execute(_ALL_LOGS, {"after_id": after_id, "rows_max": limit})
    return [PlacedLog(Log(*fields), study, number, pid, arm, bool(agent)) for *fields, study, number, pid, arm, agent in rows]


def counts(connection: Connection) -> dict[str, int]:
    """The number of rows of each table."""
    return dict(connection.execute(_COUNTS).one()._mapping)
