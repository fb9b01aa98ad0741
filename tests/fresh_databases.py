"""New SQLite databases for tests, created without running each revision.

Running the revisions takes 65 ms of processor time, a third of the time of a test with a store; finding that none has
to run takes half of that.
"""

from __future__ import annotations

import functools
import sqlite3
import tempfile
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from comfyui_assistant.engine.store import database

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

run_revisions = database.migrate
_ONE_AT_A_TIME = threading.Lock()
REVISIONS = Path(database.__file__).with_name("migrations")


def migrate(engine: Engine, revisions: Path = REVISIONS) -> None:
    """Replace `database.migrate`: an empty database is created at once, and the newest is left alone."""
    if engine.dialect.name == "sqlite" and revisions == REVISIONS:
        newest, statements = _newest_revision()
        with _ONE_AT_A_TIME, engine.begin() as connection:
            if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0:
                for statement in statements:
                    connection.exec_driver_sql(statement)
                return
            if _revisions_of(connection) == [newest]:
                return
    run_revisions(engine, revisions)


def _revisions_of(connection: Connection) -> Sequence[str]:
    """Return the revisions of a database; [] if they are unreadable, so that the real migration reports it."""
    from sqlalchemy.exc import DBAPIError

    try:
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    except DBAPIError:
        return []


@functools.cache
def _newest_revision() -> tuple[str, Sequence[str]]:
    """Return the newest revision, and the statements that create its tables in an empty database."""
    from sqlalchemy import create_engine

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fresh.sqlite3"
        engine = create_engine(f"sqlite:///{file}")
        run_revisions(engine)
        engine.dispose()
        with closing(sqlite3.connect(file)) as connection:
            rows: list[tuple[str, str]] = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
            ).fetchall()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    # A virtual table creates its shadow tables itself.
    virtual = tuple(f"{name}_" for name, sql in rows if sql.startswith("CREATE VIRTUAL TABLE"))
    made = [sql for name, sql in rows if not name.startswith(virtual)]
    return revision, (*made, f"INSERT INTO alembic_version VALUES ('{revision}')")
