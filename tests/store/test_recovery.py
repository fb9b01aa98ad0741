from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.backup import backup_path
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.pins import Pins
from comfyui_assistant.engine.store.recovery import Recovery, recover
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.search import ThreadSearch
from comfyui_assistant.engine.store.threads import ThreadStore

from .damage import DAMAGE, MESSAGES, PAGE, THREADS, whole_database, with_bits_turned
from .log_events import draft, step, text, user
from .message_ids import message_ids

ALL = THREADS * MESSAGES


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return whole_database(tmp_path_factory.mktemp("whole"))


def pages_of_messages(content: bytes) -> list[int]:
    return [start for start in range(0, len(content), PAGE) if b'{"parts"' in content[start : start + PAGE]]


async def count_messages(folder: Path) -> tuple[int, str]:
    """How many messages are there, and what the person is told; a new message is taken in any case."""
    database = Database.in_folder(folder)
    store = ThreadStore(database)
    found = sum([len(await message_ids(store, thread.id)) for thread in await store.list()])
    thread_id = (await store.create()).id
    await store.append(thread_id, [user("later", "and on it goes")])
    assert await message_ids(store, thread_id) == ["later"]
    assert [hit.message_id for hit in await ThreadSearch(database).search("on it goes")] == ["later"]
    database.close()
    return found, database.notice or ""


@pytest.mark.slow
@pytest.mark.parametrize("has_backup", [True, False])
@pytest.mark.parametrize("damage", DAMAGE)
async def test_every_damaged_copy_opens_and_tells_what_is_lost(
    whole: bytes, tmp_path: Path, damage: Callable[[bytearray, random.Random], bytes], *, has_backup: bool
) -> None:
    file = tmp_path / "assistant.sqlite3"
    content = damage(bytearray(whole), random.Random(3))
    file.write_bytes(content)
    if has_backup:
        backup_path(file).write_bytes(whole)

    found, notice = await count_messages(tmp_path)

    # There are no checksums: a bit within the id of a message makes another id of it, and nobody can tell.
    if damage is not with_bits_turned:
        assert found == ALL if has_backup else found == ALL or "damaged" in notice
    if "damaged" in notice:
        aside = tmp_path / notice.rstrip(".").split(" is kept as ")[-1]
        assert aside.read_bytes() == content
    assert not list(tmp_path.glob("*.new*"))


@pytest.mark.parametrize("seed", range(4))
async def test_of_a_file_with_a_damaged_page_all_other_messages_are_read(
    whole: bytes, tmp_path: Path, seed: int
) -> None:
    content = bytearray(whole)
    start = random.Random(seed).choice(pages_of_messages(content))
    content[start : start + PAGE] = bytes(PAGE)
    (tmp_path / "assistant.sqlite3").write_bytes(content)

    found, notice = await count_messages(tmp_path)

    assert ALL - PAGE // 40 <= found < ALL
    assert notice.startswith(
        f"assistant.sqlite3 was damaged; what could be read of {THREADS} threads is in a new one. "
        "Not all could be read of: messages. The file as it was is kept as assistant.sqlite3.broken-"
    )


async def test_what_cannot_be_read_comes_from_the_backup_and_what_was_added_since_is_kept(
    store: ThreadStore, database: Database, folder: Path
) -> None:
    thread_id = (await store.create()).id
    await store.append(thread_id, [user(f"u{number}", f"{number} " * 1_000) for number in range(20)])
    await Pins(database).add(thread_id, "Keep the seed.")
    await database.back_up()
    await store.append(thread_id, [user("since", "said after the backup")])
    database.close()
    file = folder / "assistant.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(file.read_bytes())
    start = pages_of_messages(content)[0]
    content[start : start + PAGE] = b"\x77" * PAGE
    file.write_bytes(content)

    again = Database.in_folder(folder)
    assert await message_ids(ThreadStore(again), thread_id) == [
        *(f"u{number}" for number in range(20)),
        "since",
    ]
    assert [pin.text for pin in await Pins(again).list(thread_id)] == ["Keep the seed."]
    assert "Not all could be read of: messages. What the backup of 2" in str(again.notice)
    again.close()


async def test_a_file_that_is_no_database_any_more_comes_back_from_its_backup(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "hello")])
    await database.back_up()
    database.close()
    for part in folder.glob("assistant.sqlite3-*"):
        part.unlink()
    (folder / "assistant.sqlite3").write_bytes(bytes(40_000))

    again = Database.in_folder(folder)
    assert await message_ids(ThreadStore(again), thread_id) == ["u1"]
    assert "what came later is missing" in str(again.notice)
    again.close()


async def test_damage_that_is_met_while_comfyui_runs_is_recovered_at_once(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "hello")])
    await store.list()
    await database.drop_traces()
    content = bytearray((folder / "assistant.sqlite3").read_bytes())
    with (folder / "assistant.sqlite3").open("r+b") as file:
        for start in range(PAGE, len(content), PAGE):
            if b"alembic_version" not in content[start : start + PAGE]:
                file.seek(start)
                file.write(b"\x77" * PAGE)
        await database.run(lambda connection: connection.exec_driver_sql("PRAGMA shrink_memory"))

    assert isinstance(await store.list(), list)
    assert "was damaged" in str(store.notice)


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


TABLES = ("thread", "event", "draft", "blob", "request", "pin")


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def recovered(
    old: Path, empty_database: Path, tmp_path: Path, backup: Path | None = None
) -> tuple[Path, Recovery]:
    new = tmp_path / "new.sqlite3"
    new.write_bytes(empty_database.read_bytes())
    return new, recover(old, new, backup)


@pytest.mark.parametrize(
    ("loss", "fewer", "told"),
    [
        pytest.param("SELECT 1", {}, [], id="nothing"),
        pytest.param("DROP TABLE pin", {"pin": 0}, ["pins"], id="a table"),
        pytest.param("ALTER TABLE thread RENAME COLUMN pinned TO stays", {}, [], id="a column"),
        pytest.param(
            "ALTER TABLE event ADD COLUMN colour TEXT", {}, [], id="nothing, but there is a column more"
        ),
        pytest.param("DELETE FROM thread", {}, [], id="the thread itself, but not what belongs to it"),
        pytest.param("UPDATE pin SET thread_id = 'gone'", {"pin": 0}, [], id="what a row belongs to"),
    ],
)
async def test_all_but_what_is_missing_is_copied(
    old: Path, empty_database: Path, tmp_path: Path, loss: str, fewer: dict[str, int], told: list[str]
) -> None:
    before = counts(old)
    assert min(before.values()) > 0
    change(old, loss)
    new, recovery = recovered(old, empty_database, tmp_path)
    assert (counts(new), recovery) == ({**before, **fewer}, Recovery(1, told))


async def test_a_thread_of_which_only_the_messages_are_left_is_as_old_and_as_new_as_they_are(
    old: Path, empty_database: Path, tmp_path: Path
) -> None:
    change(old, "DELETE FROM thread")
    change(old, "UPDATE event SET created_at = 1000 + seq")
    new, _ = recovered(old, empty_database, tmp_path)
    database = Database(new)
    (summary,) = await ThreadStore(database).list()
    database.close()
    assert (summary.title, summary.created_at, summary.updated_at) == (None, 1_001, 1_002)


async def test_a_row_is_copied_with_values_of_the_types_that_its_columns_have(
    old: Path, empty_database: Path, tmp_path: Path
) -> None:
    change(
        old, "UPDATE event SET payload = CAST(payload AS BLOB), created_at = x'ff' WHERE message_id = 'u1'"
    )
    new, _ = recovered(old, empty_database, tmp_path)
    with closing(sqlite3.connect(new)) as connection:
        types = connection.execute("SELECT DISTINCT typeof(payload), typeof(created_at) FROM event")
        assert types.fetchall() == [("text", "real")]


async def test_of_a_backup_only_what_cannot_be_read_is_taken_and_no_draft_of_that_day(
    old: Path, empty_database: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite3"
    backup.write_bytes(old.read_bytes())
    change(backup, "INSERT INTO pin SELECT 9, thread_id, 'p9', 'Gone since', 1.0 FROM pin")
    for table in ("draft", "request"):
        change(old, f"DROP TABLE {table}")
    before = counts(backup)
    new, recovery = recovered(old, empty_database, tmp_path, backup)
    assert counts(new) == {**before, "pin": 1, "draft": 0}
    assert recovery.incomplete == ["records of requests"]
