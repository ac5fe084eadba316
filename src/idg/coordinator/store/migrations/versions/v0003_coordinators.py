"""Which coordinators there are, and which of them stored a proposal, so that no other one judges it meanwhile."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "coordinators",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("beat", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="coordinators_key"),
    )
    op.add_column("events", sa.Column("coordinator", sa.Text))


def downgrade() -> None:
    op.drop_column("events", "coordinator")
    op.drop_table("coordinators")
