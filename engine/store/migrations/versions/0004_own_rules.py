"""Rules that the person had the assistant remember, or forget, for all chats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "own_rules"
down_revision = "endpoint_rules"


def upgrade() -> None:
    op.create_table(
        "own_rule",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
        ),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("is_forgotten", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
