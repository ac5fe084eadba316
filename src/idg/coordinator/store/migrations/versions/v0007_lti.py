"""LTI 1.3: registered platforms, the classes, students, teachers and assignments that they know, and scores to be sent to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _in_class(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["class_id"], ["classes.id"], name=f"{table}_class_id_in_classes")


def upgrade() -> None:
    op.create_table(
        "lti_platforms",
        *_texts("name", "issuer", "client", "login_url", "token_url", "keys_url", "audience", "deployments", "hosts"),
        sa.Column("time", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", name="lti_platforms_key"),
    )
    op.create_index("lti_platforms_client", "lti_platforms", ["issuer", "client"], unique=True)
    op.create_table(
        "lti_courses",
        *_texts("class_id", "platform", "deployment", "context"),
        *_texts("members_url", nullable=True),
        sa.PrimaryKeyConstraint("class_id", name="lti_courses_key"),
        _in_class("lti_courses"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.name"], name="lti_courses_platform_in_lti_platforms"),
    )
    op.create_index("lti_courses_context", "lti_courses", ["platform", "deployment", "context"], unique=True)
    op.create_table(
        "lti_students",
        *_texts("class_id", "subject"),
        sa.Column("student", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("class_id", "subject", name="lti_students_key"),
        _in_class("lti_students"),
    )
    op.create_index("lti_students_student", "lti_students", ["class_id", "student"], unique=True)
    op.create_table(
        "lti_teachers",
        *_texts("platform", "subject", "player"),
        sa.PrimaryKeyConstraint("platform", "subject", name="lti_teachers_key"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.name"], name="lti_teachers_platform_in_lti_platforms"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="lti_teachers_player_in_players"),
    )
    op.create_index("lti_teachers_player", "lti_teachers", ["player"])
    op.create_table(
        "lti_links",
        *_texts("class_id", "link"),
        sa.Column("assignment", sa.Integer, nullable=False),
        *_texts("item_url", "items_url", nullable=True),
        sa.PrimaryKeyConstraint("class_id", "link", name="lti_links_key"),
        _in_class("lti_links"),
    )
    op.create_table(
        "lti_scores",
        *_texts("class_id"),
        sa.Column("assignment", sa.Integer, nullable=False),
        sa.Column("student", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("tries", sa.Integer, nullable=False),
        *_texts("problem"),
        sa.PrimaryKeyConstraint("class_id", "assignment", "student", name="lti_scores_key"),
        _in_class("lti_scores"),
    )
    op.create_index("lti_scores_due", "lti_scores", ["due"])
    op.create_table(
        "lti_used",
        *_texts("nonce"),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("nonce", name="lti_used_key"),
    )


def downgrade() -> None:
    for table in (*("lti_used", "lti_scores", "lti_links", "lti_teachers"), *("lti_students", "lti_courses", "lti_platforms")):
        op.drop_table(table)
