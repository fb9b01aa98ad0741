from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from comfyui_assistant.engine import store as store_package
from comfyui_assistant.engine.comfy_user import DEFAULT_USER, acting_for
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.migrating import migrate
from comfyui_assistant.engine.store.threads import ThreadStore
from sqlalchemy import create_engine

from .log_events import call, draft, result, rewind, step, text, user

REVISIONS = Path(str(store_package.__file__)).with_name("migrations")
NEWEST = ScriptDirectory(str(REVISIONS)).get_current_head()
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


@pytest.mark.parametrize("revision", ["0001", "0002"])
async def test_the_threads_of_before_the_first_release_are_carried_over(
    filled: Path, database: Database, revision: str
) -> None:
    before = await conversations(database)
    connection = sqlite3.connect(filled)
    connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
    connection.execute("ALTER TABLE message ADD COLUMN token_count INTEGER NOT NULL DEFAULT 0")
    if revision == "0001":
        connection.execute("DROP TABLE message")
        connection.execute("DROP TABLE request")
    connection.commit()
    connection.close()
    again = Database(f"sqlite:///{filled}")
    assert await conversations(again) == before
    assert "made before the first release; its 2 threads are in a new one" in str(again.notice)
    newest = (await ThreadStore(again).list())[0]
    await ThreadStore(again).append(newest.id, [user("u9", "go on")])
    again.close()
    assert revision_of(filled) == NEWEST
    assert [revision_of(path) for path in filled.parent.glob("*.broken-*") if path.suffix[-1].isdigit()] == [
        revision
    ]


async def test_threads_that_cannot_be_carried_over_now_are_the_next_time(
    filled: Path, database: Database, later_revisions: Path
) -> None:
    before = await conversations(database)
    database.close()
    connection = sqlite3.connect(filled)
    connection.execute("UPDATE alembic_version SET version_num = '0002'")
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


def older_database(folder: Path, tmp_path: Path, *, since: int) -> Path:
    """An empty database as it was before there was the revision `since`, and those after it."""
    later = [f"{number:04}_*" for number in range(since, len(list(REVISIONS.rglob("0*.py"))) + 1)]
    earlier = tmp_path / "earlier"
    shutil.copytree(REVISIONS, earlier, ignore=shutil.ignore_patterns("__pycache__", *later))
    folder.mkdir()
    path = folder / "assistant.sqlite3"
    older = create_engine(f"sqlite:///{path}")
    migrate(older, earlier)
    older.dispose()
    return path


async def test_threads_from_before_there_were_owners_are_the_default_users(
    folder: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(older_database(folder, tmp_path, since=2))) as connection:
        connection.execute("INSERT INTO thread (id, created_at, updated_at) VALUES ('old', 1.0, 2.0)")
        connection.commit()

    database = Database.in_folder(folder)
    store = ThreadStore(database)
    with acting_for(DEFAULT_USER):
        assert [thread.id for thread in await store.list()] == ["old"]
    with acting_for("ann"):
        assert await store.list() == []
    assert [thread.id for thread in await store.list()] == ["old"]
    database.close()


async def test_a_draft_from_before_there_were_pieces_is_carried_over(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(older_database(folder, tmp_path, since=5))) as connection:
        connection.execute("INSERT INTO thread (id, created_at, updated_at) VALUES ('old', 1.0, 2.0)")
        connection.execute(
            "INSERT INTO draft VALUES ('old', 'a1', ?, 2.0)", ['{"parts":[{"type":"text","text":"Half"}]}']
        )
        connection.commit()

    database = Database.in_folder(folder)
    messages = await ThreadStore(database).messages("old")
    database.close()
    assert messages[0]["parts"] == [{"type": "text", "text": "Half"}]
