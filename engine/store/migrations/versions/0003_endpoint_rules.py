"""How endpoints want their requests is kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "endpoint_rules"
down_revision = "owners"


def upgrade() -> None:
    op.create_table(
        "endpoint_rules",
        sa.Column("model_key", sa.String(1024), primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
