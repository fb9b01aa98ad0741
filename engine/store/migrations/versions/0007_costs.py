"""What requests were billed, apart from their threads; those that were kept so far are in it, without a price."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "costs"
down_revision = "own_words"


def upgrade() -> None:
    op.create_table(
        "cost",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
        ),
        sa.Column("thread_id", sa.String(64), sa.ForeignKey("thread.id", ondelete="SET NULL")),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("cached_input_tokens", sa.Integer),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("is_counted", sa.Boolean, nullable=False),
        sa.Column("dollars", sa.Float),
    )
    op.create_index("cost_by_day", "cost", ["day"])
    op.create_index("cost_by_thread", "cost", ["thread_id"])
    op.create_index("cost_by_answer", "cost", ["message_id"])
    columns = (
        "thread_id, {owner}, message_id, {kind}, model, created_at, {day}, input_tokens, cached_input_tokens,"
    )
    columns += " output_tokens, {is_counted}"
    kept = columns.format(
        owner="(SELECT owner FROM thread WHERE id = thread_id)",
        kind="'answer'",
        day=_day(),
        is_counted="false",
    )
    into = columns.format(owner="owner", kind="kind", day="day", is_counted="is_counted")
    op.execute(
        f"INSERT INTO cost ({into}) SELECT {kept} FROM request"  # noqa: S608 - names of our own
        " WHERE input_tokens IS NOT NULL AND output_tokens IS NOT NULL ORDER BY seq"
    )


def _day() -> str:
    if op.get_context().dialect.name == "sqlite":
        return "date(created_at, 'unixepoch', 'localtime')"
    return "to_char(to_timestamp(created_at), 'YYYY-MM-DD')"
