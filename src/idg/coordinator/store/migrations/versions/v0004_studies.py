"""Studies and their participants; what a room was made for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("opened", sa.Double, nullable=False),
        sa.Column("closed", sa.Double),
        sa.PrimaryKeyConstraint("name", name="studies_key"),
    )
    op.create_table(
        "participants",
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("pid", sa.Text),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("arm", sa.Text, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("consent", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("code", sa.Text),
        sa.Column("withdrawn", sa.Double),
        sa.PrimaryKeyConstraint("study", "number", name="participants_key"),
        sa.ForeignKeyConstraint(["study"], ["studies.name"], name="participants_study_in_studies"),
    )
    op.create_index("participants_pid", "participants", ["study", "pid"], unique=True)
    op.create_index("participants_player", "participants", ["player"], unique=True)
    op.add_column("rooms", sa.Column("purpose", sa.Text))


def downgrade() -> None:
    op.drop_column("rooms", "purpose")
    op.drop_table("participants")
    op.drop_table("studies")
