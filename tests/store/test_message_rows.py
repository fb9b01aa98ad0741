from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.message_rows import catch_up
from comfyui_assistant.engine.store.search_index import delete_from_index
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import call, draft, result, rewind, step, text, user


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
