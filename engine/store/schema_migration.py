"""Migration of a database to the current schema."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import StoreError
from .sqlite_file import EarlyFile, first_line

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

REVISIONS = Path(__file__).with_name("migrations")
_FIRST = "first_release"
_NEWEST_PRE_RELEASE = "answers_from"
"""The newest revision before the first release; its databases are converted as they are."""
_DROPPED_TABLES = ("calibration", "endpoint_rules", "learned_window")
"""Its tables about models, whose content is learned anew."""
_DELETE_TWINS = (
    "DELETE FROM own_entry WHERE kind = '{kind}' AND EXISTS (SELECT 1 FROM own_entry AS other WHERE"
    " other.kind = '{other}' AND other.owner = own_entry.owner AND other.text = own_entry.text {where})"
)
_CONVERT_MARKS = (
    # A mark that hid nothing only kept the position of its line.
    "DELETE FROM own_entry WHERE is_mark AND NOT is_forgotten AND NOT is_off",
    "UPDATE own_entry SET is_off = TRUE WHERE is_forgotten",
    "ALTER TABLE own_entry DROP COLUMN is_forgotten",
    "ALTER TABLE own_entry DROP COLUMN is_mark",
    "ALTER TABLE own_entry ADD COLUMN is_repeated BOOLEAN NOT NULL DEFAULT FALSE",
    # If a rule and a reminder have the same text, the reminder stays, unless it is off.
    _DELETE_TWINS.format(kind="rules", other="reminders", where="AND NOT other.is_off"),
    _DELETE_TWINS.format(kind="reminders", other="rules", where=""),
    "UPDATE own_entry SET kind = 'rules', is_repeated = TRUE, position = position + 1000 WHERE kind = 'reminders'",
)
"""Statements that turn marks into states of the entries: hidden lines of the user's files are off, and reminders are
repeated rules.
"""
_EARLY = (
    *(
        "0001",
        "0002",
        "threads",
        "owners",
        "endpoint_rules",
        "own_rules",
        "draft_pieces",
        "user_texts",
        "costs",
    ),
    *("thread_provider", "thread_workflow", "searches_all", "made_run"),
)
"""Revisions that are too old to migrate; their readable rows are copied into a new file."""
_ALEMBIC = threading.Lock()
"""The lock of migrations: Alembic's operations are global to the process."""
_POSTGRESQL_LOCK = 0x636F6D6679
"""The key of the advisory lock that a migration of PostgreSQL holds until its transaction ends."""


def check_age(file: Path) -> None:
    """Check that the tables of a SQLite file can be migrated.

    Raises:
        EarlyFile: they are too old.
    """
    with contextlib.closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        if not tables:
            return
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
    if revision in _EARLY:
        raise EarlyFile(f"its tables are those of the revision {revision}, from before the first release")


def migrate(engine: Engine, revisions: Path = REVISIONS) -> None:
    """Migrate the database to the newest revision, in one transaction.

    Raises:
        StoreError: `store_too_new`.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy import func, select

    config = Config()
    config.set_main_option("script_location", str(revisions).replace("%", "%%"))
    alembic_logger = logging.getLogger("alembic")
    level = alembic_logger.level
    alembic_logger.setLevel(logging.WARNING)
    try:
        with _ALEMBIC, engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(_POSTGRESQL_LOCK)))
            _convert_pre_release(connection)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            "store_too_new",
            f"The store of chats was made by another version of ComfyUI Assistant ({first_line(error)}).",
            hint="Update ComfyUI Assistant, or move assistant.sqlite3 away to begin a new store.",
        ) from error
    finally:
        alembic_logger.setLevel(level)


def _convert_pre_release(connection: Connection) -> None:
    from alembic.migration import MigrationContext
    from sqlalchemy import text

    from .schema import metadata

    if MigrationContext.configure(connection).get_current_revision() == _NEWEST_PRE_RELEASE:
        metadata.create_all(connection)
        for statement in (*(f"DROP TABLE {table}" for table in _DROPPED_TABLES), *_CONVERT_MARKS):
            connection.execute(text(statement))
        connection.execute(text("UPDATE alembic_version SET version_num = :first"), {"first": _FIRST})
