"""Which chats the person lets look into the others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "searches_all"
down_revision = "thread_workflow"


def upgrade() -> None:
    op.add_column("thread", sa.Column("searches_all", sa.Boolean, nullable=False, server_default=sa.false()))
