"""The workflow file that each chat is about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "thread_workflow"
down_revision = "thread_provider"


def upgrade() -> None:
    op.add_column("thread", sa.Column("workflow", sa.Text))
