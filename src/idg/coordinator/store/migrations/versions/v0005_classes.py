"""Classes: their teachers, students, assignments, hand-ins and messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _in_class(table: str, *key: str) -> tuple[sa.Column[str] | sa.Constraint, ...]:
    """The class to which a row belongs, and the key of the table, of which it is a part."""
    return (
        sa.Column("class_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("class_id", *key, name=f"{table}_key"),
        sa.ForeignKeyConstraint(["class_id"], ["classes.id"], name=f"{table}_class_id_in_classes"),
    )


def upgrade() -> None:
    op.create_table(
        "teachers",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", name="teachers_key"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="teachers_player_in_players"),
    )
    op.create_index("teachers_code", "teachers", ["code"], unique=True)
    op.create_table(
        "classes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("joining", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("archived", sa.Double),
        sa.PrimaryKeyConstraint("id", name="classes_key"),
    )
    op.create_index("classes_code", "classes", ["code"], unique=True)
    op.create_index("classes_secret", "classes", ["secret"], unique=True)
    op.create_table(
        "class_teachers",
        *_in_class("class_teachers", "player"),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="class_teachers_player_in_players"),
    )
    op.create_index("class_teachers_player", "class_teachers", ["player"])
    op.create_table(
        "class_students",
        *_in_class("class_students", "number"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("code", sa.Text),
        sa.Column("time", sa.Double),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="class_students_player_in_players"),
    )
    op.create_index("class_students_name", "class_students", ["class_id", "name_key"], unique=True)
    op.create_index("class_students_player", "class_students", ["player"], unique=True)
    op.create_index("class_students_code", "class_students", ["code"], unique=True)
    _create_assignments()


def _create_assignments() -> None:
    op.create_table(
        "assignments",
        *_in_class("assignments", "number"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("pairs", sa.Boolean, nullable=False),
        sa.Column("hints", sa.Boolean, nullable=False),
        sa.Column("opens", sa.Double),
        sa.Column("due", sa.Double),
        sa.Column("gem", sa.Integer, nullable=False),
        sa.Column("medal", sa.Integer, nullable=False),
        sa.Column("effort", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
    )
    op.create_table(
        "assigned_items",
        *_in_class("assigned_items", "assignment", "number"),
        sa.Column("assignment", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("level", sa.Text),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["program"], ["programs.hash"], name="assigned_items_program_in_programs"),
    )
    op.create_index("assigned_items_program", "assigned_items", ["program"])
    op.create_table(
        "hand_ins",
        *_in_class("hand_ins", "assignment", "item", "student"),
        sa.Column("assignment", sa.Integer, nullable=False),
        sa.Column("item", sa.Integer, nullable=False),
        sa.Column("student", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("late", sa.Boolean, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("certificate", sa.Text, nullable=False),
    )
    op.create_table(
        "class_messages",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("class_id", sa.Text, nullable=False),
        sa.Column("student", sa.Integer),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="class_messages_key"),
        sa.ForeignKeyConstraint(["class_id"], ["classes.id"], name="class_messages_class_id_in_classes"),
    )
    op.create_index("class_messages_class", "class_messages", ["class_id"])


def downgrade() -> None:
    for table in (
        *("class_messages", "hand_ins", "assigned_items", "assignments"),
        *("class_students", "class_teachers", "classes", "teachers"),
    ):
        op.drop_table(table)
