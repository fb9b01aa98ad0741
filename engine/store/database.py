"""The database: opened, migrated and used on a thread of its own, never on the event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
_MIGRATIONS = Path(__file__).with_name("migrations")


class Database:
    """One database by URL; SQLite in WAL mode by default.

    All work runs on one worker thread, so statements of one process never wait for each other's locks, and SQLAlchemy
    and Alembic are imported there, on first use.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine: Engine | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="comfyui-assistant-store")

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        return cls(f"sqlite:///{folder / 'assistant.sqlite3'}")

    async def run(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in one transaction.

        Raises:
            StoreError: `store_failed`, with what the database said.
        """
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._run, work)

    def close(self) -> None:
        self._worker.shutdown(wait=True)
        if self._engine is not None:
            self._engine.dispose()

    def _run(self, work: Callable[[Connection], Result]) -> Result:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            engine = self._engine = self._engine or self._open()
            with engine.begin() as connection:
                return work(connection)
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(
                "store_failed",
                f"The thread store could not be used: {_first_line(error)}",
                hint="Check that ComfyUI's user folder is writable and its disk is not full, then try again.",
            ) from error

    def _open(self) -> Engine:
        from sqlalchemy import create_engine, event

        is_sqlite = self._url.startswith("sqlite")
        if is_sqlite:
            path = Path(self._url.removeprefix("sqlite:///"))
            path.parent.mkdir(parents=True, exist_ok=True)
            _set_aside_if_broken(path)
        engine = create_engine(self._url)
        if is_sqlite:
            event.listen(engine, "connect", _configure_sqlite)
        migrate(engine)
        return engine


def migrate(engine: Engine) -> None:
    """Bring the database to the newest revision, in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    alembic_logger = logging.getLogger("alembic")
    level = alembic_logger.level
    alembic_logger.setLevel(logging.WARNING)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        alembic_logger.setLevel(level)


def _configure_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _set_aside_if_broken(path: Path) -> None:
    """Move a file that is no SQLite database out of the way: nothing is deleted, and the assistant still starts."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        if file.read(16) == b"SQLite format 3\0":
            return
    aside = path.with_name(f"{path.name}.broken-{int(time.time())}")
    path.rename(aside)
    logger.warning(
        "%s was no SQLite database; it is kept as %s and a new one is begun.", path.name, aside.name
    )


def _first_line(error: BaseException) -> str:
    return (str(getattr(error, "orig", None) or error).strip().splitlines() or ["no reason given"])[0]
