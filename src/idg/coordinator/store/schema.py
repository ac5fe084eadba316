"""The tables as they are now. The migrations lead here; a test compares the two."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text, text

metadata = MetaData(
    naming_convention={"pk": "%(table_name)s_key", "fk": "%(table_name)s_%(column_0_name)s_in_%(referred_table_name)s"}
)

RowId = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite numbers rows by itself only where the type is exactly INTEGER."""

programs = Table(
    "programs",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("player", Text),
    Column("time", Double, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("agent", Boolean, nullable=False),
    Column("time", Double, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("expires", Double),
    Column("time", Double, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text),
    Column("program", Text, ForeignKey("programs.hash"), nullable=False),
    Column("level", Text),
    Column("variant", Text, nullable=False),
    Column("owner", Text, ForeignKey("players.id"), nullable=False),
    Column("engine", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("last_event", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("time", Double, nullable=False),
    Index("rooms_code", "code", unique=True),
    Index("rooms_program", "program"),
)

members = Table(
    "members",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), primary_key=True),
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("time", Double, nullable=False),
    Column("left", Double),
    Index("members_player", "player"),
)


def _where(condition: str) -> dict[str, Any]:
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


# Append-only: triggers (in the migrations) refuse to change or delete a row.
events = Table(
    "events",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("room", Text, ForeignKey("rooms.id")),
    Column("number", Integer),
    Column("player", Text),
    Column("kind", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("session", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("request", Text),
    Column("answers", Integer),
    Column("body", Text, nullable=False),
    Index("events_number", "room", "number", unique=True),
    Index("events_request", "room", "player", "request", unique=True, **_where("request IS NOT NULL")),
    Index("events_answers", "room", "answers", unique=True, **_where("answers IS NOT NULL")),
    Index("events_proposed", "time", **_where("kind = 'proposed'")),
    Index("events_player", "player", "kind"),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("key", Text, primary_key=True),
    Column("engine", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("time", Double, nullable=False),
)

logs = Table(
    "logs",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("player", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("logs_player", "player"),
)
