"""Rooms can be deleted as a whole; what was deleted is remembered. Indexes for deleting."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEXES = (("verdicts_time", "verdicts", "time"), ("rooms_owner", "rooms", "owner"), ("tokens_player", "tokens", "player"))


def upgrade() -> None:
    op.create_table(
        "pruned",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("level", sa.Text),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("last", sa.Double, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("room", name="pruned_key"),
    )
    for name, table, column in INDEXES:
        op.create_index(name, table, [column])
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_no_delete")
        op.execute(
            "CREATE TRIGGER events_no_delete BEFORE DELETE ON events "
            "WHEN NOT EXISTS (SELECT 1 FROM pruned WHERE pruned.room = OLD.room) "
            "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
        )
        return
    op.execute("DROP TRIGGER events_no_change ON events")
    op.execute(
        "CREATE TRIGGER events_no_change BEFORE UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(
        "CREATE FUNCTION refuse_unless_pruned() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN IF NOT EXISTS (SELECT FROM pruned WHERE pruned.room = OLD.room) THEN "
        "RAISE EXCEPTION '% are append-only', TG_TABLE_NAME; END IF; RETURN OLD; END $$"
    )
    op.execute("CREATE TRIGGER events_no_delete BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_unless_pruned()")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_no_delete")
        op.execute(
            "CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
        )
    else:
        op.execute("DROP TRIGGER events_no_delete ON events")
        op.execute("DROP FUNCTION refuse_unless_pruned()")
        op.execute("DROP TRIGGER events_no_change ON events")
        op.execute(
            "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    for name, table, _ in INDEXES:
        op.drop_index(name, table)
    op.drop_table("pruned")
