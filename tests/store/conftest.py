from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without a thread. Making one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("empty")
    database = Database.in_folder(folder)
    asyncio.run(ThreadStore(database).list())
    database.close()
    return folder / "assistant.sqlite3"


@pytest.fixture
def database(folder: Path, empty_database: Path) -> Iterator[Database]:
    """The database of `folder`, empty unless the test has put one there."""
    if not folder.exists():
        folder.mkdir()
        shutil.copy(empty_database, folder)
    database = Database.in_folder(folder)
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> ThreadStore:
    return ThreadStore(database)


@pytest.fixture
async def thread_id(store: ThreadStore) -> str:
    return (await store.create()).id
