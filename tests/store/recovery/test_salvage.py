from __future__ import annotations

import contextlib
import random
import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.stored_event import UNREADABLE
from comfyui_assistant.engine.store.pins import Pins
from comfyui_assistant.engine.store.recovery.salvage import salvage
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.search import ThreadSearch
from comfyui_assistant.engine.store.threads import ThreadStore

from ..log_events import draft, step, text, user
from ..message_ids import message_ids

PAGE = 4_096


@pytest.fixture
async def full(store: ThreadStore, folder: Path, tmp_path: Path) -> tuple[Path, dict[str, list[str]]]:
    """A copy of a database with six threads, and their messages."""
    written: dict[str, list[str]] = {}
    for number in range(6):
        thread_id = (await store.create()).id
        written[thread_id] = [f"u{number}-{index}" for index in range(40)]
        await store.append(thread_id, [user(one, f"{one} " + "x" * 300) for one in written[thread_id]])
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    connection = sqlite3.connect(copy / "assistant.sqlite3")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return copy, written


@pytest.mark.parametrize("seed", range(8))
async def test_of_a_file_with_damaged_pages_all_other_pages_are_read(
    full: tuple[Path, dict[str, list[str]]], seed: int
) -> None:
    copy, written = full
    content = bytearray((copy / "assistant.sqlite3").read_bytes())
    starts = range(0, len(content), PAGE)
    holding_messages = [start for start in starts if b'"parts"' in content[start : start + PAGE]]
    dice = random.Random(seed)
    for start in dice.sample(holding_messages, 3):
        content[start : start + PAGE] = bytes(PAGE) if seed % 2 else dice.randbytes(PAGE)
    (copy / "assistant.sqlite3").write_bytes(content)
    database = Database.in_folder(copy)
    after = ThreadStore(database)
    for thread_id in written:
        await after.messages(thread_id)
    found = {thread_id: await message_ids(after, thread_id) for thread_id in written}
    for thread_id, ids in found.items():
        assert ids == [one for one in written[thread_id] if one in ids]
    lost = sum(map(len, written.values())) - sum(map(len, found.values()))
    assert 0 < lost <= 3 * PAGE // 300
    assert database.notice is not None
    assert (copy / database.notice.rstrip(".").split()[-1]).stat().st_size == len(content)
    thread_id = next(iter(written))
    await after.append(thread_id, [user("later", "and on it goes")])
    assert [hit.message_id for hit in await ThreadSearch(database).search("goes")] == ["later"]
    database.close()


async def test_a_row_of_which_a_part_is_lost_stands_in_its_place_and_all_around_it_are_whole(
    store: ThreadStore, folder: Path, tmp_path: Path
) -> None:
    """The driver asks for the row behind the one that it hands out, and hands out neither where that fails."""
    thread_id = (await store.create()).id
    await store.append(thread_id, [user(f"u{number}", f"{number}" * 9_000) for number in range(9)])
    change(folder / "assistant.sqlite3", "PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray((folder / "assistant.sqlite3").read_bytes())
    for number in b"3", b"7":
        # The row goes on on the page after this one, by the number with which the page begins.
        page = content.index(number * 4_000) // PAGE * PAGE
        content[page : page + 4] = b"\xff\xff\xff\xff"
    old = tmp_path / "old.sqlite3"
    old.write_bytes(content)

    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    messages = await ThreadStore(new).messages(thread_id)
    new.close()
    assert [message["id"] for message in messages] == [f"u{number}" for number in range(9)]
    unreadable = [message["id"] for message in messages if message["parts"][0].get("text") == UNREADABLE]
    assert unreadable == ["u3", "u7"]


async def test_a_row_whose_number_is_damaged_takes_none_behind_it_along(
    store: ThreadStore, folder: Path, tmp_path: Path
) -> None:
    thread_id = (await store.create()).id
    await store.append(thread_id, [user(f"u{number}", "Make the sky red") for number in range(20)])
    change(folder / "assistant.sqlite3", "UPDATE event SET seq = seq + 190")
    change(folder / "assistant.sqlite3", "PRAGMA wal_checkpoint(TRUNCATE)")
    content = (folder / "assistant.sqlite3").read_bytes()
    # The row's number, 200 in groups of seven bits, stands before the length of its head.
    damaged, count = re.subn(rb"\x81\x48(?=[\x07-\x09]\x00)", b"\xff\x48", content)
    assert count == 1
    old = tmp_path / "old.sqlite3"
    old.write_bytes(damaged)

    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    found = await message_ids(ThreadStore(new), thread_id)
    assert sorted(found) == sorted(f"u{number}" for number in range(20))
    new.close()


async def test_a_row_that_sqlite_does_not_come_to_is_read_from_its_page(
    store: ThreadStore, folder: Path, tmp_path: Path
) -> None:
    """The number of a row above it says that what it looks for stands elsewhere."""
    thread_id = (await store.create()).id
    ids = [f"u{number}" for number in range(60)]
    await store.append(thread_id, [user(one, "x" * 900) for one in ids])
    change(folder / "assistant.sqlite3", "PRAGMA wal_checkpoint(TRUNCATE)")
    root = roots(folder / "assistant.sqlite3")["event"]
    content = bytearray((folder / "assistant.sqlite3").read_bytes())
    start = (root - 1) * PAGE
    cell = start + int.from_bytes(content[start + 12 + 8 : start + 12 + 10], "big")
    assert content[start] == 5
    content[cell + 4] = 1
    old = tmp_path / "old.sqlite3"
    old.write_bytes(content)

    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    assert await message_ids(ThreadStore(new), thread_id) == ids
    new.close()


async def test_a_row_of_which_nothing_but_its_number_is_left_is_no_row(old: Path, tmp_path: Path) -> None:
    before = counts(old)
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        (made,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'own_entry'").fetchone()
        statement = "UPDATE sqlite_master SET sql = ? WHERE name = 'own_entry'"
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement, [re.sub(r" NOT NULL| DEFAULT [^,]*", "", made)])
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("INSERT INTO own_entry (seq) VALUES (7)")
        connection.execute("INSERT INTO own_entry (seq, text, is_forgotten) VALUES (8, 'Use red', 0)")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement, [made])
    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    new.close()
    assert counts(tmp_path / "new" / "assistant.sqlite3") == before
    with contextlib.closing(sqlite3.connect(tmp_path / "new" / "assistant.sqlite3")) as connection:
        assert connection.execute("SELECT text FROM own_entry").fetchall() == [("Use red",)]


async def test_a_thread_is_not_newer_than_today_for_a_damaged_time_of_an_entry(
    old: Path, tmp_path: Path
) -> None:
    change(old, "UPDATE event SET created_at = 2e142 WHERE message_id = 'u1'")
    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    (summary,) = await ThreadStore(new).list()
    new.close()
    assert summary.updated_at < 5e9


@pytest.mark.parametrize("left", [100, 3_000, PAGE, 5 * PAGE, 20 * PAGE + 17])
@pytest.mark.parametrize("is_cut", [True, False])
async def test_a_file_that_is_damaged_beyond_reading_is_kept_and_named(
    full: tuple[Path, dict[str, list[str]]], left: int, is_cut: bool
) -> None:
    copy, _ = full
    content = (copy / "assistant.sqlite3").read_bytes()
    rest = b"" if is_cut else b"\x77" * (len(content) - left)
    (copy / "assistant.sqlite3").write_bytes(content[:left] + rest)
    database = Database.in_folder(copy)
    after = ThreadStore(database)
    for summary in await after.list():
        await after.messages(summary.id)
    thread_id = (await after.create()).id
    await after.append(thread_id, [user("u1", "a new beginning")])
    assert await message_ids(after, thread_id) == ["u1"]
    assert database.notice is not None
    assert (copy / database.notice.rstrip(".").split()[-1]).read_bytes()[:100] == content[:100]
    database.close()


@pytest.fixture
async def old(store: ThreadStore, database: Database, folder: Path) -> Path:
    """A file with one thread and something in most of its tables, which nobody has open any more."""
    thread_id = (await store.create()).id
    await store.append(thread_id, [user("u1", "Make the sky red"), step("a1", text("Done."))])
    await Requests(database).keep(
        thread_id,
        message_id="a1",
        step=1,
        model="small",
        messages=[{"role": "user", "content": "Make the sky red"}],
        tools=[],
        estimated_tokens=10,
    )
    await Pins(database).add(thread_id, "Keep the seed.")
    await store.save_drafts(draft(thread_id, "a2", [{"type": "step-start"}, text("Half of")]))
    database.close()
    return folder / "assistant.sqlite3"


TABLES = ("thread", "event", "draft", "message", "blob", "request", "pin")


def counts(path: Path) -> dict[str, int]:
    connection = sqlite3.connect(path)
    rows = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}
    connection.close()
    return rows


def roots(path: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"))


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("loss", "fewer"),
    [
        pytest.param("SELECT 1", {}, id="nothing"),
        pytest.param("DELETE FROM message", {}, id="the conversation table, which is made anew"),
        pytest.param("DROP TABLE pin", {"pin": 0}, id="a table"),
        pytest.param("ALTER TABLE thread RENAME COLUMN pinned TO stays", {}, id="a column"),
        pytest.param(
            "ALTER TABLE event ADD COLUMN colour TEXT", {}, id="nothing, but there is a column more"
        ),
        pytest.param("DELETE FROM thread", {}, id="the thread itself, but not what belongs to it"),
        pytest.param("UPDATE pin SET thread_id = 'gone'", {"pin": 0}, id="what a row belongs to"),
    ],
)
async def test_all_but_what_is_missing_is_copied(
    old: Path, tmp_path: Path, loss: str, fewer: dict[str, int]
) -> None:
    before = counts(old)
    assert min(before.values()) > 0
    change(old, loss)
    new = Database.in_folder(tmp_path / "new")
    assert await new.run(lambda connection: salvage(old, connection)) == 1
    new.close()
    assert counts(tmp_path / "new" / "assistant.sqlite3") == {**before, **fewer}


@pytest.mark.parametrize("is_renumbered", [False, True])
async def test_every_table_is_found_again_without_the_page_that_names_them(
    old: Path, tmp_path: Path, *, is_renumbered: bool
) -> None:
    """Where they lie at other places than in a new database, those that cannot be told from each other are left out."""
    places = roots(old)
    if is_renumbered:
        change(old, "DROP TABLE compaction")
        change(old, "VACUUM")
        assert roots(old)["request"] != places["request"]
    change(old, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = counts(old)
    old.write_bytes(bytes(PAGE) + old.read_bytes()[PAGE:])
    new = Database.in_folder(tmp_path / "new")
    assert await new.run(lambda connection: salvage(old, connection)) == 1
    new.close()
    alike = {"draft": 0, "pin": 0} if is_renumbered else {}
    assert counts(tmp_path / "new" / "assistant.sqlite3") == {**before, **alike}


async def test_a_thread_of_which_only_the_messages_are_left_has_no_title(old: Path, tmp_path: Path) -> None:
    change(old, "DELETE FROM thread")
    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    (summary,) = await ThreadStore(new).list()
    assert summary.title is None
    assert await message_ids(ThreadStore(new), summary.id) == ["u1", "a1", "a2"]
    new.close()


async def test_a_thread_of_which_only_the_messages_are_left_is_as_old_and_as_new_as_they_are(
    old: Path, tmp_path: Path
) -> None:
    change(old, "DELETE FROM thread")
    change(old, "UPDATE event SET created_at = 1000 + seq")
    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    (summary,) = await ThreadStore(new).list()
    new.close()
    assert (summary.created_at, summary.updated_at) == (1_001, 1_002)


async def test_a_row_is_copied_with_values_of_the_types_that_its_columns_have(
    old: Path, tmp_path: Path
) -> None:
    change(
        old, "UPDATE event SET payload = CAST(payload AS BLOB), created_at = x'ff' WHERE message_id = 'u1'"
    )
    new = Database.in_folder(tmp_path / "new")
    await new.run(lambda connection: salvage(old, connection))
    (summary,) = await ThreadStore(new).list()
    assert await message_ids(ThreadStore(new), summary.id) == ["u1", "a1", "a2"]
    new.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "new" / "assistant.sqlite3")) as connection:
        types = connection.execute(
            "SELECT DISTINCT typeof(payload), typeof(created_at) FROM event"
        ).fetchall()
    assert types == [("text", "real")]


async def test_a_thread_that_has_lost_its_id_comes_back_with_its_messages(old: Path) -> None:
    """The row's head is damaged: all that stands in it reads as nothing, in spite of what its table asks for."""
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        (made,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'thread'").fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        statement = "UPDATE sqlite_master SET sql = ? WHERE name = 'thread'"
        connection.execute(statement, [made.replace("id VARCHAR(64) NOT NULL", "id VARCHAR(64)", 1)])
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE thread SET id = NULL")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement, [made])

    database = Database(f"sqlite:///{old}")
    store = ThreadStore(database)
    (listed,) = await store.list()
    assert await message_ids(store, listed.id) == ["u1", "a1", "a2"]
    assert "was damaged" in str(store.notice)
    database.close()


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ("thread", "thread"),
        ("thread", "sqlite_autoindex_thread_1"),
        ("event", "event_by_thread"),
    ],
)
async def test_a_thread_whose_id_is_damaged_in_one_place_is_whole_from_the_first_list_on(
    old: Path, table: str, where: str
) -> None:
    """A bit of it flipped: the list names what the table has, and looking it up finds what the index has."""
    (thread_id,) = (row[0].encode() for row in sqlite3.connect(old).execute("SELECT id FROM thread"))
    with contextlib.closing(sqlite3.connect(old)) as connection:
        row = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE (tbl_name, name) = (?, ?)", [table, where]
        )
        (root,) = row.fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(old.read_bytes())
    place = content.index(thread_id, (root - 1) * size, root * size)
    content[place + 5] ^= 0x01
    old.write_bytes(content)

    database = Database(f"sqlite:///{old}")
    store = ThreadStore(database)
    found = {listed.id: await message_ids(store, listed.id) for listed in await store.list()}
    assert found[thread_id.decode()] == ["u1", "a1", "a2"]
    assert "was damaged" in str(store.notice)
    for listed in found:
        await store.append(listed, [user("u9", "It goes on.")])
    database.close()
