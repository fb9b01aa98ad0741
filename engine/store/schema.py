"""The tables. Alembic revisions in `migrations/` bring a database to this shape.

All that belongs to a thread refers to it and goes with it; what it cost stays, without it. Rows that have an order have
a `seq`: clocks go backwards.
On SQLite there is the full-text index `message_search` besides, which `search_index.py` describes.
"""

from __future__ import annotations

from typing import Any, get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
    false,
)

from ..comfy_user import DEFAULT_USER
from .log.thread_log import Kind
from .sound_types import (
    SoundBytes,
    SoundFloat,
    SoundInteger,
    SoundSequence,
    SoundString,
    SoundText,
    SoundWord,
    let_each_row_have_one,
)

metadata = MetaData()
_Sequence = BigInteger().with_variant(Integer, "sqlite")


def _seq() -> Column[Any]:
    return Column("seq", _Sequence, primary_key=True, autoincrement=True)


def _thread_id() -> Column[Any]:
    return Column("thread_id", SoundString(64), ForeignKey("thread.id", ondelete="CASCADE"), nullable=False)


thread = Table(
    "thread",
    metadata,
    Column("id", SoundString(64), primary_key=True),
    Column("title", SoundText),
    Column("system_forms", SoundText),
    Column("created_at", SoundFloat, nullable=False),
    Column("updated_at", SoundFloat, nullable=False),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("expires_at", SoundFloat),
    Column("owner", SoundText, nullable=False, server_default=DEFAULT_USER),
    Column("persona", SoundString(64)),
    Column("provider", SoundString(64)),
    Column("model", SoundText),
    Column("workflow", SoundText),
    Column("searches_all", Boolean, nullable=False, server_default=false()),
    Column("answers_from", SoundText),
)

event = Table(
    "event",
    metadata,
    _seq(),
    _thread_id(),
    Column("kind", SoundWord(16, get_args(Kind)), nullable=False),
    Column("message_id", SoundString(128), nullable=False),
    Column("payload", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Index("event_by_thread", "thread_id", "seq"),
)

draft = Table(
    "draft",
    metadata,
    _seq(),
    _thread_id(),
    Column("message_id", SoundString(128), nullable=False),
    Column("payload", SoundText, nullable=False),
    Column("updated_at", SoundFloat, nullable=False),
    Index("draft_by_thread", "thread_id", "seq"),
)

message = Table(
    "message",
    metadata,
    _seq(),
    _thread_id(),
    Column("message_id", SoundString(128), nullable=False),
    Column("role", SoundString(16), nullable=False),
    Column("content", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    UniqueConstraint("thread_id", "message_id", name="one_row_per_message"),
)

compaction = Table(
    "compaction",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", SoundString(64), nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Column("cause", SoundString(16), nullable=False),
    Column("state", SoundText, nullable=False),
    Column("text", SoundText, nullable=False),
    Column("turns", SoundInteger, nullable=False),
    Column("rounds", SoundInteger, nullable=False),
    Column("tokens_before", SoundInteger, nullable=False),
    Column("tokens_after", SoundInteger, nullable=False),
    Column("status", SoundString(16), nullable=False),
    UniqueConstraint("thread_id", "id", name="one_row_per_compaction"),
)

blob = Table(
    "blob",
    metadata,
    _seq(),
    _thread_id(),
    Column("sha256", SoundBytes(32), nullable=False),
    Column("data", SoundBytes, nullable=False),
    UniqueConstraint("thread_id", "sha256", name="one_row_per_blob"),
)

request = Table(
    "request",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", SoundString(64), nullable=False, unique=True),
    Column("message_id", SoundString(128), nullable=False),
    Column("step", SoundInteger, nullable=False),
    Column("model", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Column("message_blobs", SoundText, nullable=False),
    Column("tools_blob", SoundSequence, nullable=False),
    Column("stages", SoundText, nullable=False),
    Column("estimated_tokens", SoundInteger, nullable=False),
    Column("input_tokens", SoundInteger),
    Column("cached_input_tokens", SoundInteger),
    Column("output_tokens", SoundInteger),
    Column("first_token_ms", SoundFloat),
    Index("request_by_thread", "thread_id", "seq"),
)

cost = Table(
    "cost",
    metadata,
    _seq(),
    Column("thread_id", SoundString(64), ForeignKey("thread.id", ondelete="SET NULL")),
    Column("owner", SoundText, nullable=False),
    Column("message_id", SoundString(128), nullable=False),
    Column("kind", SoundString(16), nullable=False),
    Column("model", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Column("day", SoundString(10), nullable=False),
    Column("input_tokens", SoundInteger, nullable=False),
    Column("cached_input_tokens", SoundInteger),
    Column("output_tokens", SoundInteger, nullable=False),
    Column("is_counted", Boolean, nullable=False),
    Column("dollars", SoundFloat),
    Index("cost_by_day", "day"),
    Index("cost_by_thread", "thread_id"),
    Index("cost_by_answer", "message_id"),
)

pin = Table(
    "pin",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", SoundString(64), nullable=False, unique=True),
    Column("text", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Index("pin_by_thread", "thread_id", "seq"),
)

task = Table(
    "task",
    metadata,
    _seq(),
    _thread_id(),
    Column("id", SoundString(64), nullable=False, unique=True),
    Column("parent_task_id", SoundString(64)),
    Column("task", SoundText, nullable=False),
    Column("inputs", SoundText, nullable=False),
    Column("status", SoundString(16), nullable=False),
    Column("result", SoundText),
    Column("messages", SoundBytes),
    Column("steps", SoundInteger, nullable=False),
    Column("tokens", SoundInteger, nullable=False),
    Column("started_at", SoundFloat, nullable=False),
    Column("ended_at", SoundFloat),
    Index("task_by_thread", "thread_id", "seq"),
)

own_entry = Table(
    "own_entry",
    metadata,
    _seq(),
    Column("owner", SoundText, nullable=False),
    Column("text", SoundText, nullable=False),
    Column("is_forgotten", Boolean, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Column("kind", SoundString(16), nullable=False, server_default="rules"),
    Column("value", SoundText, nullable=False, server_default=""),
    Column("is_mark", Boolean, nullable=False, server_default=false()),
    Column("is_off", Boolean, nullable=False, server_default=false()),
    Column("position", SoundInteger),
)

made_run = Table(
    "made_run",
    metadata,
    _seq(),
    Column("owner", SoundText, nullable=False),
    Column("prompt_id", SoundText, nullable=False),
    Column("created_at", SoundFloat, nullable=False),
    Column("content", SoundText, nullable=False),
    Column("facts", SoundText, nullable=False),
    Column("workflow", SoundText, nullable=False),
    UniqueConstraint("owner", "prompt_id"),
)

calibration = Table(
    "calibration",
    metadata,
    Column("model_key", SoundString(512), primary_key=True),
    Column("state", SoundText, nullable=False),
    Column("updated_at", SoundFloat, nullable=False),
)

endpoint_rules = Table(
    "endpoint_rules",
    metadata,
    Column("model_key", SoundString(1024), primary_key=True),
    Column("state", SoundText, nullable=False),
    Column("updated_at", SoundFloat, nullable=False),
)

learned_window = Table(
    "learned_window",
    metadata,
    Column("base_url", SoundString(512), primary_key=True),
    Column("model", SoundString(256), primary_key=True),
    Column("window", SoundInteger, nullable=False),
    Column("source", SoundText, nullable=False),
    Column("learned_at", SoundFloat, nullable=False),
)

let_each_row_have_one(metadata.sorted_tables)
