from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine import store as store_package
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore
from sqlalchemy import Connection

MIGRATIONS = Path(str(store_package.__file__)).with_name("migrations")


def rows_of(path: Path, tables: tuple[str, ...]) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(path)
    columns = {"thread": "id, title, system_forms, created_at, updated_at"}
    rows = {
        table: connection.execute(f"SELECT {columns.get(table, '*')} FROM {table} ORDER BY 1").fetchall()
        for table in tables
    }
    connection.close()
    return rows


async def test_an_older_database_is_brought_up_to_date_without_loss(
    old_database: Path, store: ThreadStore
) -> None:
    tables = ("thread", "event", "draft")
    before = rows_of(old_database, tables)
    thread = await store.read("thread_red_sky")
    assert rows_of(old_database, tables) == before
    assert thread.title == "Make the sky red"
    assert thread.system_forms == {"full": "You are the assistant."}
    assert [message["id"] for message in thread.messages] == ["u1", "a1", "u2", "a3"]
    assert (await store.messages("thread_half"))[-1]["parts"][-1]["text"] == "Half of"


async def test_going_back_a_revision_keeps_the_log(old_database: Path, store: ThreadStore) -> None:
    tables = ("thread", "event", "draft")
    before = rows_of(old_database, tables)
    await store.list()

    def go_back(connection: Connection) -> None:
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    await store._database.run(go_back)
    assert rows_of(old_database, tables) == before
    again = ThreadStore(Database(f"sqlite:///{old_database}"))
    assert [summary.id for summary in await again.list()] == ["thread_half", "thread_red_sky"]


async def test_a_migration_that_breaks_off_leaves_the_old_database(
    old_database: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = sqlite3.connect(old_database)
    connection.execute("CREATE TABLE learned_window (in_the_way INTEGER)")
    connection.commit()
    before = "\n".join(connection.iterdump())
    with pytest.raises(StoreError):
        await ThreadStore(database).list()
    assert "\n".join(connection.iterdump()) == before
    connection.close()


async def test_a_database_of_a_newer_version_is_left_alone_and_named(old_database: Path) -> None:
    connection = sqlite3.connect(old_database)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    with pytest.raises(StoreError) as caught:
        await ThreadStore(Database(f"sqlite:///{old_database}")).list()
    assert caught.value.code == "store_too_new"
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    connection.close()


def test_the_revisions_can_be_written_for_postgresql() -> None:
    from io import StringIO

    from alembic.config import Config
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = StringIO()
    context = MigrationContext.configure(
        dialect_name="postgresql", opts={"as_sql": True, "output_buffer": script}
    )
    with Operations.context(context):
        for revision in reversed(list(ScriptDirectory.from_config(config).walk_revisions())):
            revision.module.upgrade()
    written = " ".join(script.getvalue().split())
    assert "ADD COLUMN pinned BOOLEAN DEFAULT false NOT NULL" in written
    assert "CREATE TABLE blob ( seq BIGSERIAL NOT NULL" in written
    assert "message_words ON message USING gin (to_tsvector('simple', left(content, 200000)))" in written
    assert "message_search" not in written


async def test_the_tables_are_those_that_the_migrations_make(database: Database) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from comfyui_assistant.engine.store.schema import metadata

    def ours(name: str | None, kind: str, _: object) -> bool:
        return not (kind == "table" and (name or "").startswith("message_search"))

    differences = await database.run(
        lambda connection: compare_metadata(
            MigrationContext.configure(connection, opts={"include_name": ours}), metadata
        )
    )
    assert differences == []
