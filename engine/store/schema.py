"""The tables. Alembic revisions in `migrations/` bring a database to this shape."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()
_Sequence = BigInteger().with_variant(Integer, "sqlite")

thread = Table(
    "thread",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text),
    Column("system_forms", Text),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("seq", _Sequence, primary_key=True, autoincrement=True),
    Column("thread_id", String(64), ForeignKey("thread.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("message_id", String(128), nullable=False),
    Column("payload", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Index("event_by_thread", "thread_id", "seq"),
)

draft = Table(
    "draft",
    metadata,
    Column("thread_id", String(64), ForeignKey("thread.id", ondelete="CASCADE"), primary_key=True),
    Column("message_id", String(128), nullable=False),
    Column("payload", Text, nullable=False),
    Column("updated_at", Float, nullable=False),
)
