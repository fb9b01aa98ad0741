"""Locks of single threads between processes that share a store, which the system gives back where one of them ends."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..files import make_private_file, make_private_folder

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)


class ThreadLocks(Protocol):
    """Both may be asked for any thread, one that does not exist included."""

    async def take(self, thread_id: str) -> bool:
        """Whether this process has it now. Where no lock can be had at all, on some network drives, it has."""
        ...

    async def give_back(self, thread_id: str) -> None: ...


async def is_held_elsewhere(locks: ThreadLocks, thread_id: str) -> bool:
    """Whether another process has it, asked by one that does not."""
    if not await locks.take(thread_id):
        return True
    await locks.give_back(thread_id)
    return False


def thread_locks(data: Path, database_url: str = "") -> ThreadLocks:
    """Where threads lie in a file, locks are files beside it; PostgreSQL has its own."""
    return (
        PostgresqlLocks(database_url) if database_url.startswith("postgresql") else FileLocks(data / "turns")
    )


class FileLocks:
    """A file for each thread in which a turn runs: an empty database, as SQLite knows how every system locks one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, sqlite3.Connection] = {}

    async def take(self, thread_id: str) -> bool:
        return await asyncio.to_thread(self._take, thread_id)

    async def give_back(self, thread_id: str) -> None:
        if (connection := self._held.pop(thread_id, None)) is not None:
            await asyncio.to_thread(_release, connection, self._file(thread_id))

    def _file(self, thread_id: str) -> Path:
        return self._folder / f"{_digest(thread_id).hex()[:32]}.lock"

    def _take(self, thread_id: str) -> bool:
        file = self._file(thread_id)
        connection: sqlite3.Connection | None = None
        try:
            make_private_folder(self._folder)
            make_private_file(file)
            identity = file.stat().st_ino
            connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
            connection.execute("BEGIN EXCLUSIVE")
            if file.stat().st_ino != identity:
                raise FileNotFoundError(file)
        except (OSError, sqlite3.Error) as error:
            if connection is not None:
                connection.close()
            is_held = isinstance(error, FileNotFoundError) or "locked" in str(error)
            if not is_held:
                logger.info("%s cannot be locked (%s); two processes might answer at once", file, error)
            return not is_held
        self._held[thread_id] = connection
        return True


def _release(connection: sqlite3.Connection, file: Path) -> None:
    try:
        # While it is still held: whoever takes it next looks whether it is still there.
        file.unlink()
    except OSError:
        # Windows removes no open file.
        connection.close()
        with contextlib.suppress(OSError):
            file.unlink()
    connection.close()


class PostgresqlLocks:
    """Advisory locks of a session of their own, which ends with the process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="comfyui-assistant-locks")

    async def take(self, thread_id: str) -> bool:
        return await self._ask("pg_try_advisory_lock", thread_id)

    async def give_back(self, thread_id: str) -> None:
        await self._ask("pg_advisory_unlock", thread_id)

    async def _ask(self, function: str, thread_id: str) -> bool:
        number = int.from_bytes(_digest(thread_id)[:8], "big", signed=True)
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._call, function, number)

    def _call(self, function: str, number: int) -> bool:
        """A session that broke has lost its locks, and a fresh one is asked. Where none answers, others tell of it."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            try:
                return self._call_once(function, number)
            except SQLAlchemyError:
                return self._call_once(function, number)
        except SQLAlchemyError as error:
            logger.info("no lock of PostgreSQL could be had (%s); two processes might answer at once", error)
            return True

    def _call_once(self, function: str, number: int) -> bool:
        from sqlalchemy import func, select

        if self._connection is None or self._connection.closed or self._connection.invalidated:
            self._connection = open_session(self._url)
        return bool(self._connection.execute(select(getattr(func, function)(number))).scalar())


def open_session(url: str) -> Connection:
    """Of PostgreSQL, beside those of the store; each statement is a transaction of its own."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    return create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect()


def _digest(thread_id: str) -> bytes:
    """Ids come with requests, so none becomes the name of a file."""
    return hashlib.sha256(thread_id.encode("utf-8", "replace")).digest()
