"""The origin that answers each chat, by which it is noticed when another one is sent all of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "answers_from"
down_revision = "made_run"


def upgrade() -> None:
    op.add_column("thread", sa.Column("answers_from", sa.Text))
