"""The first tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Nothing is imported from schema.py, because a migration must stay what it was when it was written.
ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def refers(column: str, name: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=name)


def key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"{table}_key")


def index(name: str, table: str, columns: list[str], unique: bool = False, where: str | None = None) -> None:
    condition = sa.text(where) if where else None
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


def upgrade() -> None:
    create_players()
    create_rooms()
    create_events()
    create_records()
    protect_events()


def create_players() -> None:
    op.create_table(
        "programs",
        required("hash", sa.Text),
        required("source", sa.Text),
        required("title", sa.Text),
        sa.Column("player", sa.Text),
        required("time", sa.Double),
        key("programs", "hash"),
    )
    op.create_table(
        "players",
        required("id", sa.Text),
        required("name", sa.Text),
        required("agent", sa.Boolean),
        required("time", sa.Double),
        key("players", "id"),
    )
    op.create_table(
        "tokens",
        required("hash", sa.Text),
        required("player", sa.Text),
        required("kind", sa.Text),
        sa.Column("expires", sa.Double),
        required("time", sa.Double),
        key("tokens", "hash"),
        refers("player", "tokens_player_in_players", "players.id"),
    )


def create_rooms() -> None:
    op.create_table(
        "rooms",
        required("id", sa.Text),
        sa.Column("code", sa.Text),
        required("program", sa.Text),
        sa.Column("level", sa.Text),
        required("variant", sa.Text),
        required("owner", sa.Text),
        required("engine", sa.Text),
        required("version", sa.Integer),
        required("last_event", sa.Integer),
        required("state", sa.Text),
        required("time", sa.Double),
        key("rooms", "id"),
        refers("program", "rooms_program_in_programs", "programs.hash"),
        refers("owner", "rooms_owner_in_players", "players.id"),
    )
    index("rooms_code", "rooms", ["code"], unique=True)
    index("rooms_program", "rooms", ["program"])
    op.create_table(
        "members",
        required("room", sa.Text),
        required("player", sa.Text),
        required("time", sa.Double),
        sa.Column("left", sa.Double),
        key("members", "room", "player"),
        refers("room", "members_room_in_rooms", "rooms.id"),
        refers("player", "members_player_in_players", "players.id"),
    )
    index("members_player", "members", ["player"])


def create_events() -> None:
    op.create_table(
        "events",
        required("id", ROW_ID),
        sa.Column("room", sa.Text),
        sa.Column("number", sa.Integer),
        sa.Column("player", sa.Text),
        required("kind", sa.Text),
        required("time", sa.Double),
        required("session", sa.Text),
        required("variant", sa.Text),
        sa.Column("request", sa.Text),
        sa.Column("answers", sa.Integer),
        required("body", sa.Text),
        key("events", "id"),
        refers("room", "events_room_in_rooms", "rooms.id"),
    )
    index("events_number", "events", ["room", "number"], unique=True)
    index("events_request", "events", ["room", "player", "request"], unique=True, where="request IS NOT NULL")
    index("events_answers", "events", ["room", "answers"], unique=True, where="answers IS NOT NULL")
    index("events_proposed", "events", ["time"], where="kind = 'proposed'")
    index("events_player", "events", ["player", "kind"])


def create_records() -> None:
    op.create_table(
        "verdicts",
        required("key", sa.Text),
        required("engine", sa.Text),
        required("answer", sa.Text),
        required("time", sa.Double),
        key("verdicts", "key"),
    )
    op.create_table(
        "logs",
        required("id", ROW_ID),
        required("player", sa.Text),
        required("session", sa.Text),
        required("time", sa.Double),
        required("kind", sa.Text),
        required("body", sa.Text),
        key("logs", "id"),
    )
    index("logs_player", "logs", ["player"])


def protect_events() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER events_no_{action.lower()} BEFORE {action} ON events "
                "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% are append-only', TG_TABLE_NAME; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )


def downgrade() -> None:
    # The triggers go with their table.
    for table in ("logs", "verdicts", "events", "members", "rooms", "tokens", "players", "programs"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_change()")
