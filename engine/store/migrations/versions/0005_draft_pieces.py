"""A draft is kept in pieces, so that one that grows is not written anew each time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "draft_pieces"
down_revision = "own_rules"


def upgrade() -> None:
    op.rename_table("draft", "whole_draft")
    op.create_table(
        "draft",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
        ),
        sa.Column("thread_id", sa.String(64), sa.ForeignKey("thread.id", ondelete="CASCADE"), nullable=False),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
    op.create_index("draft_by_thread", "draft", ["thread_id", "seq"])
    op.execute(
        "INSERT INTO draft (thread_id, message_id, payload, updated_at) "
        "SELECT thread_id, message_id, payload, updated_at FROM whole_draft"
    )
    op.drop_table("whole_draft")
