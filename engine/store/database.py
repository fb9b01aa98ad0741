"""The database: opened, migrated and used on a thread of its own, never on the event loop."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..base.errors import StoreError
from ..base.files.writing import locked, make_private_file, make_private_folder
from .backup import back_up, backup_path, remove_backup, set_backup_aside
from .recovery import missing_content, replace_file
from .schema_migration import REVISIONS, check_age, migrate
from .sqlite_file import (
    EarlyFile,
    FileDamage,
    check_file,
    check_schema,
    configure,
    disk_full,
    drop_traces,
    file_identity,
    first_line,
    is_damage,
    is_full,
    remove_if_incomplete,
    sqlite_url,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
_SQLITE = "sqlite:///"
_NO_ROOM = (
    "The disk that holds ComfyUI's user folder is full, so the chats cannot be opened. Nothing of them is harmed. "
    "Delete files on it; nothing else has to be done."
)


class Database:
    """A database, by its URL or its SQLite file, which is in WAL mode where the file system allows it.

    All work runs on one thread, so statements of one process never wait for each other's locks. SQLAlchemy and
    Alembic are imported on that thread, at first use.
    """

    def __init__(self, place: str | Path, *, revisions: Path = REVISIONS) -> None:
        self.notice: str | None = None
        """A notice for the user, such as about damage or a missing file, and its outcome; None if there is none."""
        self._url = "" if isinstance(place, Path) else place
        self._revisions = revisions
        self.file = _sqlite_file(place)
        self._engine: Engine | None = None
        self._file_identity: tuple[int, int] | None = None
        self._thread = WorkerThread("comfyui-assistant-store")

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        """Return the SQLite database in a data folder."""
        return cls(folder / "assistant.sqlite3")

    async def run(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Run `work(connection, …)` in one transaction, a second time if a damaged file had to be recovered.

        Raises:
            StoreError: `disk_full`, or `store_failed` with the message of the database.
        """
        return await self._thread.run(
            lambda: self._run(lambda connection: work(connection, *arguments, **options))
        )

    async def run_next(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Do the same as `run`, ahead of all waiting work.

        Raises:
            StoreError: as `run`.
        """
        return await self._thread.run_next(
            lambda: self._run(lambda connection: work(connection, *arguments, **options))
        )

    async def delete(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Do the same as `run`, for work that deletes, and take what was deleted off the disk.

        Raises:
            StoreError: as `run`.
        """
        result = await self.run(work, *arguments, **options)
        await self.drop_traces()
        return result

    async def drop_traces(self) -> None:
        """Take deleted data off the disk, together with the backup, which still has it."""
        await self._thread.run(self._drop_traces)

    async def back_up(self) -> None:
        """Copy the SQLite file if there is no backup of today; a damaged file is recovered.

        Raises:
            StoreError: `disk_full`, or `store_failed` with the message of the database.
        """
        if self.file is None:
            return
        try:
            await asyncio.to_thread(back_up, self.file)
        except (sqlite3.Error, FileDamage, UnicodeDecodeError, OSError) as error:
            if not is_damage(error):
                logger.info("no backup of %s could be made: %s", self.file.name, error)
                return
            # Opening the file again checks and recovers it.
            await self._thread.run(self._close_engine)
            await self.run(lambda _: None)

    def close(self) -> None:
        """Wait for the running work, then close all connections."""
        self._thread.close()
        if self._engine is not None:
            self._engine.dispose()

    def _run(self, work: Callable[[Connection], Result]) -> Result:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            try:
                return self._transact(work)
            except (SQLAlchemyError, sqlite3.Error, UnicodeDecodeError, FileDamage) as error:
                if self.file is None or not is_damage(getattr(error, "orig", error)):
                    raise
                self._recover(self.file, error)
                return self._transact(work)
        except (SQLAlchemyError, sqlite3.Error, UnicodeDecodeError, FileDamage, OSError) as error:
            if self.file is not None and is_full(getattr(error, "orig", error), self.file):
                if self._engine is None:
                    self.notice = _NO_ROOM
                raise disk_full() from error
            raise StoreError(
                "store_failed",
                f"The store of chats could not be used: {first_line(error)}",
                hint="Check that ComfyUI's user folder is writable and its disk is not full, then try again.",
            ) from error

    def _transact(self, work: Callable[[Connection], Result]) -> Result:
        if (
            self._engine is not None
            and self.file is not None
            and file_identity(self.file) != self._file_identity
        ):
            self._abandon(self.file)
        engine = self._engine = self._engine or self._open()
        with engine.begin() as connection:
            return work(connection)

    def _drop_traces(self) -> None:
        if self._engine is not None and self.file is not None:
            drop_traces(self._engine)
            remove_backup(self.file)

    def _open(self) -> Engine:
        from sqlalchemy import create_engine

        engine = create_engine(self._url or sqlite_url(self.file))
        try:
            if self.file is None:
                self._migrate(engine)
                return engine
            make_private_folder(self.file.parent)
            # A file that another process is creating looks like a damaged one.
            with locked(self.file.with_suffix(".lock")), remove_if_incomplete(self.file, engine):
                self._check(self.file)
                configure(engine)
                self._migrate(engine)
        except BaseException:
            # Windows does not move open files.
            engine.dispose()
            raise
        self._file_identity = file_identity(self.file)
        if self.notice == _NO_ROOM:
            self.notice = None
        return engine

    def _check(self, file: Path) -> None:
        if file.is_symlink() and not file.resolve().parent.is_dir():
            raise StoreError(
                "store_failed",
                f"{file.name} is a link to {file.resolve()}, and that folder is not there.",
                hint="Connect the disk on which it is and try again, or remove the link to begin a new store.",
            )
        self._file_identity = file_identity(file)
        if file.exists():
            check_file(file)
            check_age(file)
        elif backup_path(file).exists():
            aside = set_backup_aside(file)
            self.notice = (
                f"{file.name} is not there any more, so a new one is begun. Its backup is kept as {aside.name}: "
                f"to have those chats again, stop ComfyUI and rename it to {file.name}."
            )
            logger.warning(self.notice)
        make_private_file(file)

    def _prepare(self, engine: Engine) -> None:
        configure(engine)
        migrate(engine, self._revisions)

    def _migrate(self, engine: Engine) -> None:
        from sqlalchemy.exc import IntegrityError

        from .message_rows import catch_up

        migrate(engine, self._revisions)
        with engine.begin() as connection:
            if self.file is not None:
                check_schema(connection)
            try:
                catch_up(connection)
            except IntegrityError as error:
                raise FileDamage("its messages contradict its log") from error

    def _close_engine(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def _abandon(self, file: Path) -> None:
        """Close a file that is no longer there; SQLite would go on writing to it, and nobody could read that."""
        self._close_engine()
        self.notice = (
            f"{file.name} was deleted or replaced while ComfyUI was running; "
            "the chats are now those of the file in its place."
        )
        if backup_path(file).exists():
            self.notice += f" The backup of the file before is kept as {set_backup_aside(file).name}."
        logger.warning(self.notice)

    def _recover(self, file: Path, error: Exception) -> None:
        """Replace a damaged file by a new one with its readable rows and those of its backup."""
        logger.warning("%s cannot be used as it is: %s", file.name, first_line(error))
        identity = self._file_identity
        self._close_engine()
        with locked(file.with_suffix(".lock")):
            if file_identity(file) != identity:
                # Another process has recovered the file.
                return
            backup = backup_path(file) if backup_path(file).exists() else None
            aside, recovery = replace_file(file, backup, self._prepare)
        was = "was made by an early version" if isinstance(error, EarlyFile) else "was damaged"
        sentences = (
            f"{file.name} {was}; what could be read of {recovery.threads} threads is in a new one.",
            missing_content(recovery, backup),
            f"The file as it was is kept as {aside.name}.",
        )
        self.notice = " ".join(filter(None, sentences))
        logger.warning(self.notice)


def _sqlite_file(place: str | Path) -> Path | None:
    """Return the file of a SQLite database; None for other databases."""
    if isinstance(place, Path):
        return place
    return Path(place.removeprefix(_SQLITE).partition("?")[0]) if place.startswith(_SQLITE) else None


class WorkerThread:
    """Runs work on one thread, one after the other, in the context variables of its caller."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._urgent: deque[Callable[[], None]] = deque()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in its turn. Once begun, it is completed even if its caller is canceled."""
        context = copy_context()

        def carry_out() -> Result:
            self._run_urgent()
            return context.run(work)

        return await asyncio.get_running_loop().run_in_executor(self._executor, carry_out)

    async def run_next(self, work: Callable[[], Result]) -> Result:
        """Run work as soon as the running one is done, ahead of all that waits."""
        context = copy_context()
        done: Future[Result] = Future()

        def carry_out() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(context.run(work))
            except BaseException as error:
                done.set_exception(error)

        self._urgent.append(carry_out)
        self._executor.submit(self._run_urgent)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Wait until all work is done, then end the thread."""
        self._executor.shutdown(wait=True)

    def _run_urgent(self) -> None:
        while self._urgent:
            self._urgent.popleft()()
