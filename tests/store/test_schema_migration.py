from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from comfyui_assistant.engine import store as store_package
from comfyui_assistant.engine.base.caller import DEFAULT_USER
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.pins import Pins
from comfyui_assistant.engine.store.search import ThreadSearch
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.store.user_entries import Entry, UserEntries

from .log_events import call, draft, result, rewind, step, text, user
from .message_ids import message_ids

REVISIONS = Path(str(store_package.__file__)).with_name("migrations")
NEWEST = ScriptDirectory(str(REVISIONS)).get_current_head()
DATABASES = Path(__file__).parents[1] / "fixtures" / "databases"
LATER = f"""
import sqlalchemy as sa
from alembic import op

revision = "colours"
down_revision = "{NEWEST}"

def upgrade():
    op.add_column("thread", sa.Column("colour", sa.Text))
    op.create_table("colour", sa.Column("name", sa.Text))
"""


@pytest.fixture
def later_revisions(tmp_path: Path) -> Path:
    """The revisions with one more, as a later version will have them."""
    folder = tmp_path / "later"
    shutil.copytree(REVISIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "later.py").write_text(LATER, "utf-8")
    return folder


@pytest.fixture
async def filled(store: ThreadStore, folder: Path) -> Path:
    """A database with a finished thread and an interrupted one."""
    finished, half = await store.create(), await store.create()
    await store.append(
        finished.id, [user("u1", "Make the sky red 🎉"), step("a1", text("Adding."), call("c1"))]
    )
    await store.append(finished.id, [result("a1", "c1", "Added KSampler as node 3.")])
    await store.append(finished.id, [user("u2", "赤い空"), step("a2", text("First try"))])
    await store.append(finished.id, [rewind("u2"), step("a3", text("Second try"))])
    await store.append(half.id, [user("v1", "hello")])
    await store.save_drafts(draft(half.id, "b1", [{"type": "step-start"}, text("Half of")]))
    return folder / "assistant.sqlite3"


async def conversations(database: Database) -> list[object]:
    store = ThreadStore(database)
    threads = [await store.read(summary.id) for summary in await store.list()]
    return [(thread.title, thread.messages) for thread in threads]


def revision_of(path: Path) -> str:
    connection = sqlite3.connect(path)
    (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    return revision


async def test_an_older_database_is_brought_up_to_date_without_loss(
    filled: Path, database: Database, later_revisions: Path
) -> None:
    before = await conversations(database)
    later = Database(f"sqlite:///{filled}", revisions=later_revisions)
    assert await conversations(later) == before
    later.close()
    assert revision_of(filled) == "colours"


async def test_a_migration_that_breaks_off_leaves_the_old_database(
    filled: Path, database: Database, later_revisions: Path
) -> None:
    await ThreadStore(database).list()
    connection = sqlite3.connect(filled)
    connection.execute("CREATE TABLE colour (in_the_way INTEGER)")
    connection.commit()
    before = "\n".join(connection.iterdump())
    later = Database(f"sqlite:///{filled}", revisions=later_revisions)
    with pytest.raises(StoreError):
        await ThreadStore(later).list()
    later.close()
    assert "\n".join(connection.iterdump()) == before
    connection.close()


async def test_a_database_of_a_newer_version_is_left_alone_and_named(
    filled: Path, later_revisions: Path
) -> None:
    later = Database(f"sqlite:///{filled}", revisions=later_revisions)
    await ThreadStore(later).list()
    later.close()
    with pytest.raises(StoreError) as caught:
        await ThreadStore(Database(f"sqlite:///{filled}")).list()
    assert caught.value.code == "store_too_new"
    assert revision_of(filled) == "colours"


def database_of_before(name: str, folder: Path) -> Path:
    folder.mkdir()
    with closing(sqlite3.connect(folder / "assistant.sqlite3")) as connection:
        connection.executescript((DATABASES / f"{name}.sql").read_text("utf-8"))
    return folder / "assistant.sqlite3"


async def test_a_database_of_the_newest_revision_of_before_the_first_release_goes_on_as_it_is(
    folder: Path, later_revisions: Path
) -> None:
    file = database_of_before("answers_from", folder)
    for revisions, revision in ((REVISIONS, NEWEST), (later_revisions, "colours")):
        database = Database(file, revisions=revisions)
        store = ThreadStore(database)
        (listed,) = await store.list()
        assert await message_ids(store, listed.id) == ["u1", "a1", "u2", "a2"]
        assert [pin.text for pin in await Pins(database).list(listed.id)] == ["Keep the seed."]
        assert [hit.message_id for hit in await ThreadSearch(database).search("blue")] == ["u2"]
        assert database.notice is None
        database.close()
        assert revision_of(file) == revision
    assert not list(folder.glob("*.broken-*"))


async def test_an_early_database_is_set_aside_and_its_chats_are_in_a_new_one(folder: Path) -> None:
    file = database_of_before("own_rules", folder)
    content = file.read_bytes()

    database = Database(file)
    store = ThreadStore(database)
    (listed,) = await store.list()
    assert (listed.title, await message_ids(store, listed.id)) == ("The sky", ["u1", "a1"])
    await store.append(listed.id, [user("u9", "go on")])
    database.close()

    notice = str(database.notice)
    assert notice.startswith(
        "assistant.sqlite3 was made by an early version; what could be read of 1 threads is in a new one. "
    )
    assert "rules, reminders and preferences" in notice
    assert (folder / notice.rstrip(".").split(" is kept as ")[-1]).read_bytes() == content
    assert revision_of(file) == NEWEST


async def test_an_early_database_that_cannot_be_carried_over_now_is_the_next_time(
    filled: Path, database: Database, later_revisions: Path
) -> None:
    before = await conversations(database)
    database.close()
    connection = sqlite3.connect(filled)
    connection.execute("UPDATE alembic_version SET version_num = 'costs'")
    connection.commit()
    connection.close()
    broken = LATER + '    op.execute("DROP TABLE nowhere")\n'
    (later_revisions / "versions" / "later.py").write_text(broken, "utf-8")
    breaks_off = Database(f"sqlite:///{filled}", revisions=later_revisions)
    with pytest.raises(StoreError):
        await ThreadStore(breaks_off).list()
    breaks_off.close()
    assert set(filled.parent.iterdir()) == {filled, filled.with_suffix(".lock")}
    again = Database(f"sqlite:///{filled}")
    assert await conversations(again) == before
    again.close()


def test_the_revisions_can_be_written_for_postgresql() -> None:
    from io import StringIO

    from alembic.config import Config
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    config = Config()
    config.set_main_option("script_location", str(REVISIONS))
    script = StringIO()
    context = MigrationContext.configure(
        dialect_name="postgresql", opts={"as_sql": True, "output_buffer": script}
    )
    with Operations.context(context):
        for revision in reversed(list(ScriptDirectory.from_config(config).walk_revisions())):
            revision.module.upgrade()
    written = " ".join(script.getvalue().split())
    assert "pinned BOOLEAN DEFAULT false NOT NULL" in written
    assert "CREATE TABLE blob ( seq BIGSERIAL NOT NULL" in written
    assert "message_words ON message USING gin (to_tsvector('simple', left(content, 200000)))" in written
    assert "message_search" not in written


async def test_marks_over_lines_of_files_become_entries_that_are_off(folder: Path) -> None:
    file = database_of_before("answers_from", folder)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM own_entry")
        connection.executemany(
            "INSERT INTO own_entry (owner, kind, text, is_forgotten, is_off, is_mark, position, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 1.0)",
            [
                (DEFAULT_USER, "rules", "Deleted.", True, False, True, None),
                (DEFAULT_USER, "rules", "Off.", False, True, True, None),
                (DEFAULT_USER, "rules", "Only moved.", False, False, True, 0),
                (DEFAULT_USER, "rules", "Typed.", False, False, False, 1),
                (DEFAULT_USER, "reminders", "Again.", False, False, False, 0),
                (DEFAULT_USER, "reminders", "Typed.", False, True, False, None),
                (DEFAULT_USER, "reminders", "Off.", False, False, False, None),
                (DEFAULT_USER, "documents", "goals", False, True, True, None),
                (DEFAULT_USER, "documents", "persona", False, False, True, None),
            ],
        )
        connection.commit()
    told = await UserEntries(Database(file)).all()
    assert told.by_kind["rules"] == [
        Entry("Typed."),
        Entry("Again.", repeats=True),
        Entry("Deleted.", is_on=False),
        Entry("Off.", repeats=True),
    ]
    assert told.documents_off == {"goals"}
