"""The provider of each chat, and the model that was chosen of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "thread_provider"
down_revision = "costs"


def upgrade() -> None:
    op.add_column("thread", sa.Column("provider", sa.String(64)))
    op.add_column("thread", sa.Column("model", sa.Text))
