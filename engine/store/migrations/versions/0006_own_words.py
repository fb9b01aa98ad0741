"""What the person tells the assistant beside rules, its order, what is switched off; the persona of each chat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "own_words"
down_revision = "draft_pieces"


def upgrade() -> None:
    op.rename_table("own_rule", "own_entry")
    for column in (
        sa.Column("kind", sa.String(16), nullable=False, server_default="rules"),
        sa.Column("value", sa.Text, nullable=False, server_default=""),
        sa.Column("is_mark", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("is_off", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("position", sa.Integer),
    ):
        op.add_column("own_entry", column)
    op.execute("UPDATE own_entry SET is_mark = is_forgotten")
    op.add_column("thread", sa.Column("persona", sa.String(64)))
