"""Threads have an owner: the user of ComfyUI who began them. Those from before are the default user's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "owners"
down_revision = "threads"


def upgrade() -> None:
    op.add_column("thread", sa.Column("owner", sa.Text, nullable=False, server_default="default"))
