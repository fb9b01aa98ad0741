from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.sqlite_file import (
    FileDamage,
    check_file,
    configure,
    file_identity,
    is_damage,
    is_full,
    set_aside,
)
from comfyui_assistant.engine.store.threads import ThreadStore
from sqlalchemy import create_engine

from ..other_systems import NetworkDrive, Windows
from ..small_disk import disk, on_a_small_disk
from .log_events import draft, step, text, user
from .message_ids import message_ids

__all__ = ["disk"]

PROGRAM = "import tests.conftest; from tests.store.full_disk import main; main()"


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        pytest.param("journal_mode", "wal", id="readers do not wait for a writer"),
        pytest.param("synchronous", 2, id="what is written is on the disk"),
        pytest.param("foreign_keys", 1, id="rows go with their thread"),
        pytest.param("secure_delete", 1, id="what is deleted is overwritten"),
        pytest.param("busy_timeout", 5_000, id="another process is waited for"),
    ],
)
async def test_every_connection_is_configured(database: Database, pragma: str, value: Any) -> None:
    assert (
        await database.run(lambda connection: connection.exec_driver_sql(f"PRAGMA {pragma}").scalar())
        == value
    )


async def test_nobody_else_writes_from_the_first_reading_on(
    database: Database, empty_database: Path, folder: Path
) -> None:
    def work(connection: Any) -> str:
        connection.exec_driver_sql("SELECT * FROM thread").fetchall()
        other = sqlite3.connect(folder / "assistant.sqlite3", timeout=0)
        try:
            other.execute("DELETE FROM thread")
        except sqlite3.OperationalError as error:
            return str(error)
        finally:
            other.close()
        return "it was let through"

    assert await database.run(work) == "database is locked"


async def test_no_word_of_a_deleted_thread_is_left_on_the_disk(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    secret = "canary-7391"
    await store.append(thread_id, [user("u1", f"my {secret}"), step("a1", text(f"your {secret}"))])
    await store.save_drafts(draft(thread_id, "a2", [text(secret)]))
    await Requests(database).keep(
        thread_id,
        message_id="a1",
        step=1,
        model="small",
        messages=[{"role": "user", "content": secret}],
        tools=[],
        estimated_tokens=1,
    )
    kept = (await store.create()).id
    await store.append(kept, [user("u1", "this stays")])

    def places() -> list[str]:
        return [path.name for path in folder.iterdir() if secret.encode() in path.read_bytes()]

    await database.back_up()
    assert "assistant.sqlite3.backup" in places()
    await store.delete(thread_id)
    assert places() == []
    assert await message_ids(store, kept) == ["u1"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="an empty file, which held something once"),
        pytest.param(b"SQLite format 3\0", id="the beginning of a database"),
        pytest.param(b"somebody's letter. " * 500, id="something else"),
        pytest.param(b"SQLite format 3\0" + bytes(84), id="a form that SQLite does not have"),
    ],
)
def test_a_file_that_is_no_database_is_told_by_its_beginning(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "assistant.sqlite3"
    path.write_bytes(content)
    with pytest.raises(FileDamage):
        check_file(path)


def test_a_database_without_a_version_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "assistant.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE thread (id)")
    with pytest.raises(FileDamage, match="which version"):
        check_file(path)


def test_a_database_in_which_sqlite_finds_a_damaged_page_is_damaged(
    empty_database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "assistant.sqlite3"
    content = bytearray(empty_database.read_bytes())
    path.write_bytes(content)
    check_file(path)
    content[4_096 : 2 * 4_096] = b"\x77" * 4_096
    path.write_bytes(content)
    with pytest.raises((FileDamage, sqlite3.DatabaseError)) as found:
        check_file(path)
    assert is_damage(found.value)


def test_a_file_is_the_same_until_another_takes_its_place(tmp_path: Path) -> None:
    path, other = tmp_path / "one", tmp_path / "other"
    assert file_identity(path) is None
    path.write_bytes(b"1")
    other.write_bytes(b"1")
    before = file_identity(path)
    path.write_bytes(b"22")
    assert file_identity(path) == before
    other.rename(path)
    assert file_identity(path) not in (before, None)


def error_of(path: Path, statement: str) -> sqlite3.Error:
    connection = sqlite3.connect(path)
    try:
        connection.execute(statement).fetchall()
    except sqlite3.Error as error:
        return error
    finally:
        connection.close()
    raise AssertionError(statement)


def test_only_an_error_that_says_so_is_damage(tmp_path: Path, empty_database: Path) -> None:
    letter, torn = tmp_path / "letter", tmp_path / "torn"
    letter.write_bytes(b"somebody's letter " * 100)
    content = empty_database.read_bytes()
    torn.write_bytes(content[:100] + b"\x77" * (len(content) - 100))
    assert is_damage(error_of(letter, "SELECT * FROM thread"))
    assert is_damage(error_of(torn, "SELECT * FROM thread"))
    assert not is_damage(error_of(empty_database, "SELECT * FROM nobody"))
    assert not is_damage(error_of(empty_database, "INSERT INTO thread (id) VALUES (NULL)"))
    assert is_damage(sqlite3.DatabaseError())
    assert not is_damage(OSError("malformed"))
    assert not is_damage(None)


def test_where_there_can_be_no_write_ahead_log_the_database_does_without(tmp_path: Path) -> None:
    path = tmp_path / "assistant.sqlite3"
    engine = create_engine(f"sqlite:///{path}", creator=lambda: sqlite3.connect(path, factory=NetworkDrive))
    configure(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE thread (id)")
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "truncate"
    engine.dispose()
    assert [entry.name for entry in tmp_path.iterdir() if entry.stat().st_size] == ["assistant.sqlite3"]


async def test_a_folder_may_be_called_whatever_a_system_lets_it_be(tmp_path: Path) -> None:
    folder = tmp_path / ("a b#c%41@d;e=f+g日本" + ("" if os.name == "nt" else "?x=y:z"))
    database = Database.in_folder(folder)
    thread_id = (await ThreadStore(database).create()).id
    database.close()
    again = Database.in_folder(folder)
    assert [thread.id for thread in await ThreadStore(again).list()] == [thread_id]
    again.close()
    assert (folder / "assistant.sqlite3").is_file()


def live_on(disk: Path, megabytes: int, filled_by: str, letters: int) -> CompletedProcess[str]:
    program = [sys.executable, "-c", PROGRAM, str(disk), filled_by, str(letters)]
    return on_a_small_disk(disk, megabytes, *program)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megabytes", "filled_by", "letters"),
    [
        (16, "chats", 60_000),
        (16, "other files", 60_000),
        (8, "chats", 3_000),
        (8, "other files", 3_000),
    ],
    ids=lambda each: str(each),
)
def test_a_full_disk_harms_nothing_and_chats_go_on_once_there_is_room(
    disk: Path, megabytes: int, filled_by: str, letters: int
) -> None:
    run = live_on(disk, megabytes, filled_by, letters)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    assert found == {
        "refused": "disk_full",
        "hint": found["hint"],
        "readable": [17, 17],
        "newest": "later",
        "kept": True,
        "is_sound": True,
    }
    assert "Delete files on that disk" in found["hint"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(sqlite3.OperationalError("database or disk is full"), True, id="said by SQLite"),
        pytest.param(OSError(errno.ENOSPC, "No space left"), True, id="said by the system"),
        pytest.param(OSError(errno.EDQUOT, "Quota exceeded"), True, id="a quota"),
        pytest.param(OSError(errno.EACCES, "Permission denied"), False, id="another refusal"),
        pytest.param(sqlite3.OperationalError("disk I/O error"), False, id="an error while there is room"),
        pytest.param(sqlite3.OperationalError("database is locked"), False, id="a lock"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_a_full_disk_is_told_from_other_faults(
    tmp_path: Path, error: BaseException | None, expected: bool
) -> None:
    assert is_full(error, tmp_path / "assistant.sqlite3") is expected


def test_a_file_is_set_aside_with_its_log_and_twice_in_a_second_too(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    places = []
    for content in ("first", "second"):
        path.write_text(content)
        path.with_name("a.sqlite3-wal").write_text(f"log of {content}")
        places.append(set_aside(path))
    assert [place.read_text() for place in places] == ["first", "second"]
    assert [place.with_name(f"{place.name}-wal").read_text() for place in places] == [
        "log of first",
        "log of second",
    ]
    assert not path.exists()


def test_a_database_stays_with_its_log_where_another_program_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_text("chats")
    path.with_name("a.sqlite3-wal").write_text("what was said last")
    with pytest.raises(PermissionError):
        set_aside(path, rename=Windows(open_for=10_000, path=path).rename)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.sqlite3", "a.sqlite3-wal"]


def test_a_database_that_is_open_for_a_moment_is_set_aside_after_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_text("chats")
    aside = set_aside(path, rename=Windows(open_for=3, path=path).rename)
    assert aside.read_text() == "chats"
