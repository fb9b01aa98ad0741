"""Threads, their append-only event log, and the draft of the step that is being streamed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    sequence = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "thread",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("title", sa.Text),
        sa.Column("system_forms", sa.Text),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("seq", sequence, primary_key=True, autoincrement=True),
        sa.Column("thread_id", sa.String(64), sa.ForeignKey("thread.id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_index("event_by_thread", "event", ["thread_id", "seq"])
    op.create_table(
        "draft",
        sa.Column(
            "thread_id", sa.String(64), sa.ForeignKey("thread.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("draft", "event", "thread"):
        op.drop_table(table)
