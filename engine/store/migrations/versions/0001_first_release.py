"""The tables of the first release: threads with their append-only logs, the user's entries, the run history, costs,
and what was learned of models.

Revisions are named by words; `schema_migration.py` lists the earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.exc import OperationalError

revision = "first_release"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "thread",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("title", sa.Text),
        sa.Column("system_forms", sa.Text),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("expires_at", sa.Float),
        sa.Column("owner", sa.Text, nullable=False, server_default="default"),
        sa.Column("persona", sa.String(64)),
        sa.Column("provider", sa.String(64)),
        sa.Column("model", sa.Text),
        sa.Column("workflow", sa.Text),
        sa.Column("searches_all", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("answers_from", sa.Text),
    )
    op.create_table(
        "event",
        *_of_thread(),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_index("event_by_thread", "event", ["thread_id", "seq"])
    op.create_table(
        "draft",
        *_of_thread(),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
    op.create_index("draft_by_thread", "draft", ["thread_id", "seq"])
    op.create_table(
        "message",
        *_of_thread(),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.UniqueConstraint("thread_id", "message_id", name="one_row_per_message"),
    )
    op.create_table(
        "compaction",
        *_of_thread(),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("cause", sa.String(16), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("tokens_before", sa.Integer, nullable=False),
        sa.Column("tokens_after", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.UniqueConstraint("thread_id", "id", name="one_row_per_compaction"),
    )
    op.create_table(
        "blob",
        *_of_thread(),
        sa.Column("sha256", sa.LargeBinary(32), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("thread_id", "sha256", name="one_row_per_blob"),
    )
    op.create_table(
        "request",
        *_of_thread(),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("message_id", sa.String(128), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("message_blobs", sa.Text, nullable=False),
        sa.Column("tools_blob", _sequence(), nullable=False),
        sa.Column("stages", sa.Text, nullable=False),
        sa.Column("estimated_tokens", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.Integer),
        sa.Column("cached_input_tokens", sa.Integer),
        sa.Column("output_tokens", sa.Integer),
        sa.Column("first_token_ms", sa.Float),
    )
    op.create_index("request_by_thread", "request", ["thread_id", "seq"])
    op.create_table(
        "cost",
        _seq(),
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
    op.create_table(
        "pin",
        *_of_thread(),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_index("pin_by_thread", "pin", ["thread_id", "seq"])
    op.create_table(
        "task",
        *_of_thread(),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("parent_task_id", sa.String(64)),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("inputs", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("messages", sa.LargeBinary),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float),
    )
    op.create_index("task_by_thread", "task", ["thread_id", "seq"])
    op.create_table(
        "own_entry",
        _seq(),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False, server_default="rules"),
        sa.Column("value", sa.Text, nullable=False, server_default=""),
        sa.Column("is_off", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("position", sa.Integer),
        sa.Column("is_repeated", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "made_run",
        _seq(),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("prompt_id", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("workflow", sa.Text, nullable=False),
        sa.UniqueConstraint("owner", "prompt_id"),
    )
    op.create_table(
        "turn_lease",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(16), nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.Column("stop", sa.Text),
    )
    op.create_table(
        "learned",
        sa.Column("kind", sa.String(64), primary_key=True),
        sa.Column("base_url", sa.String(1024), primary_key=True),
        sa.Column("model", sa.String(512), primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
    )
    _make_full_text_index()


def _sequence() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _seq() -> sa.Column[Any]:
    return sa.Column("seq", _sequence(), primary_key=True, autoincrement=True)


def _of_thread() -> Iterator[sa.Column[Any]]:
    yield _seq()
    yield sa.Column(
        "thread_id", sa.String(64), sa.ForeignKey("thread.id", ondelete="CASCADE"), nullable=False
    )


def _make_full_text_index() -> None:
    """Create the index: trigrams in SQLite 3.34 and newer, else words, else none; words in PostgreSQL."""
    dialect = op.get_context().dialect.name
    if dialect == "postgresql":
        op.execute(
            "CREATE INDEX message_words ON message USING gin (to_tsvector('simple', left(content, 200000)))"
        )
    if dialect != "sqlite":
        return
    for tokenizer in ("trigram", "unicode61"):
        try:
            op.execute(f"CREATE VIRTUAL TABLE message_search USING fts5(content, tokenize='{tokenizer}')")
        except OperationalError:
            continue
        return
