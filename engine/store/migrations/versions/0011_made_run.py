"""What was made: a row for each run that left a file."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "made_run"
down_revision = "searches_all"


def upgrade() -> None:
    op.create_table(
        "made_run",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
        ),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("prompt_id", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("workflow", sa.Text, nullable=False),
        sa.UniqueConstraint("owner", "prompt_id"),
    )
