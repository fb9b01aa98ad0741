"""The tables. The Alembic revisions in `migrations/` bring a database to this schema.

Rows that belong to a thread refer to it and are deleted with it. Costs stay, without their thread, and a lease on a
turn stays until it expires. Rows with an order have a `seq`, since clocks can be set back. On SQLite there is also
the full-text index `message_search`, which `message_rows.py` describes.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from ..base.caller import DEFAULT_USER

metadata = MetaData()
_Sequence = BigInteger().with_variant(Integer, "sqlite")


def _seq() -> Column[Any]:
    return Column("seq", _Sequence, primary_key=True, autoincrement=True)


def _thread_id() -> Column[Any]:
    return Column("thread_id", String(64), ForeignKey("thread.id", ondelete="CASCADE"), nullable=False)


thread = Table(
    "thread",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text),
    Column("system_forms", Text),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("expires_at", Float),
    Column("owner", Text, nullable=False, server_default=DEFAULT_USER),
    Column("persona", String(64)),
    Column("provider", String(64)),
    Column("model", Text),
    Column("workflow", Text),
    Column("searches_all", Boolean, nullable=False, server_default=false()),
    Column("answers_from", Text),
)

event = Table(
    "event",
    metadata,
    _seq(),
    _thread_id(),
    Column("kind", String(16), nullable=False),
    Column("message_id", String(128), nullable=False),
    Column("payload", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Index("event_by_thread", "thread_id", "seq"),
)

draft = Table(
    "draft",
    metadata,
    _seq(),
    _thread_id(),
    Column("message_id", String(128), nullable=False),
    Column("payload", Text, nullable=False),
    Column("updated_at", Float, nullable=False),
    Index("draft_by_thread", "thread_id", "seq"),
)

message = Table(
    "message",
    metadata,
    _seq(),
    _thread_id(),
    Column("message_id", String(128), nullable=False),
    Column("role", String(16), nullable=False),
    Column("content", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    UniqueConstraint("thread_id", "message_id", name="one_row_per_message"),
)

compaction = Table(
    "compaction",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("cause", String(16), nullable=False),
    Column("state", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("tokens_before", Integer, nullable=False),
    Column("tokens_after", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    UniqueConstraint("thread_id", "id", name="one_row_per_compaction"),
)

blob = Table(
    "blob",
    metadata,
    _seq(),
    _thread_id(),
    Column("sha256", LargeBinary(32), nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("thread_id", "sha256", name="one_row_per_blob"),
)

request = Table(
    "request",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", String(64), nullable=False, unique=True),
    Column("message_id", String(128), nullable=False),
    Column("step", Integer, nullable=False),
    Column("model", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("message_blobs", Text, nullable=False),
    Column("tools_blob", _Sequence, nullable=False),
    Column("stages", Text, nullable=False),
    Column("estimated_tokens", Integer, nullable=False),
    Column("input_tokens", Integer),
    Column("cached_input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("first_token_ms", Float),
    Index("request_by_thread", "thread_id", "seq"),
)

cost = Table(
    "cost",
    metadata,
    _seq(),
    Column("thread_id", String(64), ForeignKey("thread.id", ondelete="SET NULL")),
    Column("owner", Text, nullable=False),
    Column("message_id", String(128), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("model", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("day", String(10), nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("cached_input_tokens", Integer),
    Column("output_tokens", Integer, nullable=False),
    Column("is_counted", Boolean, nullable=False),
    Column("dollars", Float),
    Index("cost_by_day", "day"),
    Index("cost_by_thread", "thread_id"),
    Index("cost_by_answer", "message_id"),
)

pin = Table(
    "pin",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", String(64), nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Index("pin_by_thread", "thread_id", "seq"),
)

task = Table(
    "task",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", String(64), nullable=False, unique=True),
    Column("parent_task_id", String(64)),
    Column("task", Text, nullable=False),
    Column("inputs", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("result", Text),
    Column("messages", LargeBinary),
    Column("steps", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Index("task_by_thread", "thread_id", "seq"),
)

own_entry = Table(
    "own_entry",
    metadata,
    _seq(),
    Column("owner", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("kind", String(16), nullable=False, server_default="rules"),
    Column("value", Text, nullable=False, server_default=""),
    Column("is_off", Boolean, nullable=False, server_default=false()),
    Column("position", Integer),
    Column("is_repeated", Boolean, nullable=False, server_default=false()),
)

made_run = Table(
    "made_run",
    metadata,
    _seq(),
    Column("owner", Text, nullable=False),
    Column("prompt_id", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("content", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("workflow", Text, nullable=False),
    UniqueConstraint("owner", "prompt_id"),
)

turn_lease = Table(
    "turn_lease",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("owner", String(16), nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("stop", Text),
)

learned = Table(
    "learned",
    metadata,
    Column("kind", String(64), primary_key=True),
    Column("base_url", String(1024), primary_key=True),
    Column("model", String(512), primary_key=True),
    Column("state", Text, nullable=False),
)
