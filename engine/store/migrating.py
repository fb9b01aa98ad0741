"""The schema of the database, brought up to date."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError
from .sqlite_file import first_line

if TYPE_CHECKING:
    from sqlalchemy import Engine

REVISIONS = Path(__file__).with_name("migrations")
_ALEMBIC = threading.Lock()
"""Alembic's operations belong to the process, so only one database of it is migrated at a time."""
_POSTGRESQL_LOCK = 0x636F6D6679
"""Any number; held by whoever migrates a PostgreSQL database, until the transaction ends."""


def migrate(engine: Engine, revisions: Path = REVISIONS) -> None:
    """Bring the database to the newest revision, in one transaction.

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
