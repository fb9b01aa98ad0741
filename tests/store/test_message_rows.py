from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.message_rows import (
    Index,
    catch_up,
    delete_from_index,
    index_kind,
    index_message,
)
from comfyui_assistant.engine.store.threads import ThreadStore
from sqlalchemy import Connection

from .log_events import call, draft, result, rewind, step, text, user
from .older_sqlite import search_by


async def rows(database: Database) -> list[tuple[Any, ...]]:
    columns = "thread_id, message_id, role, content"
    return await database.run(
        lambda connection: [
            tuple(row) for row in connection.exec_driver_sql(f"SELECT {columns} FROM message ORDER BY seq")
        ]
    )


async def test_each_message_has_a_row_that_grows_with_it(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "make a red sky")])
    await store.append(thread_id, [step("a1", text("Adding."), call("c1"))])
    await store.append(thread_id, [result("a1", "c1", "Added A as node 3.")])
    await store.append(thread_id, [step("a1", text("Done 🎉"))])
    content = "Adding.\n\nAdded A as node 3.\n\nDone 🎉"
    assert await rows(database) == [
        (thread_id, "u1", "user", "make a red sky"),
        (thread_id, "a1", "assistant", content),
    ]


async def test_the_messages_of_every_branch_have_their_rows(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", text("first"))])
    await store.append(thread_id, [rewind("u1"), step("a2", text("second"))])
    assert [row[3] for row in await rows(database)] == ["one", "first", "second"]


async def test_an_interrupted_step_has_its_row_too(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    await store.save_drafts(draft(thread_id, "a1", [{"type": "step-start"}, text("Half of it")]))
    await store.append(thread_id, [user("u2", "two")])
    assert [row[1:4] for row in await rows(database)] == [
        ("u1", "user", "one"),
        ("a1", "assistant", "Half of it"),
        ("u2", "user", "two"),
    ]


async def test_rows_that_are_missing_are_made_from_the_log_with_the_time_of_each_message(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "make a red sky")])
    await store.append(thread_id, [step("a1", text("Adding."), call("c1"))])
    await store.append(thread_id, [result("a1", "c1", "Added A as node 3.")])
    await store.append(thread_id, [rewind("u1"), step("a2", text("Second try"))])
    before = await rows(database)
    await database.run(lambda connection: connection.exec_driver_sql("UPDATE event SET created_at = seq"))
    await database.run(delete_from_index, thread_id)
    await database.run(lambda connection: connection.exec_driver_sql("DELETE FROM message"))
    await database.run(catch_up)
    assert await rows(database) == before
    times = await database.run(
        lambda connection: connection.exec_driver_sql(
            "SELECT message_id, created_at FROM message ORDER BY seq"
        ).fetchall()
    )
    assert list(map(tuple, times)) == [("u1", 1.0), ("a1", 2.0), ("a2", 5.0)]


def indexed(connection: Connection) -> list[tuple[int, str]]:
    rows = connection.exec_driver_sql("SELECT rowid, content FROM message_search ORDER BY rowid")
    return [(seq, content) for seq, content in rows]


@pytest.mark.parametrize("index", ["trigram", "words", "none"])
async def test_a_database_tells_which_index_it_has(database: Database, index: Index) -> None:
    await database.run(search_by, index)
    assert await database.run(index_kind) == index


@pytest.mark.parametrize("index", ["trigram", "words"])
async def test_a_message_that_grows_is_indexed_once(database: Database, index: Index) -> None:
    await database.run(search_by, index)
    await database.run(index_message, 7, "a red sky", index=index)
    await database.run(index_message, 8, "a blue sky", index=index)
    await database.run(index_message, 7, "a red sky and more", index=index, is_new=False)
    assert await database.run(indexed) == [(7, "a red sky and more"), (8, "a blue sky")]


@pytest.mark.parametrize("index", ["none", "postgresql"])
async def test_without_a_table_of_its_own_nothing_is_indexed(database: Database, index: Index) -> None:
    await database.run(index_message, 7, "a red sky", index=index)
    assert await database.run(indexed) == []


async def test_one_thread_is_forgotten_and_the_others_stay(store: ThreadStore, database: Database) -> None:
    first, second = (await store.create()).id, (await store.create()).id
    await store.append(first, [user("u1", "a red sky"), user("u2", "a red car")])
    await store.append(second, [user("v1", "a blue sky")])
    await database.run(delete_from_index, first)
    assert await database.run(indexed) == [(3, "a blue sky")]


async def test_without_an_index_there_is_nothing_to_forget(database: Database, thread_id: str) -> None:
    await database.run(search_by, "none")
    await database.run(delete_from_index, thread_id)
