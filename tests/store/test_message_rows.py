from __future__ import annotations

from pathlib import Path
from typing import Any

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import call, result, rewind, step, text, user


async def rows(database: Database) -> list[tuple[Any, ...]]:
    columns = "thread_id, message_id, role, content, token_count"
    return await database.run(
        lambda connection: [
            tuple(row) for row in connection.exec_driver_sql(f"SELECT {columns} FROM message ORDER BY seq")
        ]
    )


async def test_each_message_has_a_row_that_grows_with_it(database: Database) -> None:
    store = ThreadStore(database, count=len)
    thread_id = (await store.create()).id
    await store.append(thread_id, [user("u1", "make a red sky")])
    await store.append(thread_id, [step("a1", text("Adding."), call("c1"))])
    await store.append(thread_id, [result("a1", "c1", "Added A as node 3.")])
    await store.append(thread_id, [step("a1", text("Done 🎉"))])
    content = "Adding.\n\nAdded A as node 3.\n\nDone 🎉"
    assert await rows(database) == [
        (thread_id, "u1", "user", "make a red sky", 14),
        (thread_id, "a1", "assistant", content, len(content) - 4),
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
    await store.save_draft(thread_id, "a1", [{"type": "step-start"}, text("Half of it")])
    await store.append(thread_id, [user("u2", "two")])
    assert [row[1:4] for row in await rows(database)] == [
        ("u1", "user", "one"),
        ("a1", "assistant", "Half of it"),
        ("u2", "user", "two"),
    ]


async def test_threads_of_an_older_version_get_their_rows_with_the_time_of_each_message(
    old_database: Path, database: Database, store: ThreadStore
) -> None:
    assert [row[1:4] for row in await rows(database)] == [
        ("v1", "user", "hello"),
        ("u1", "user", "Make the sky red"),
        ("a1", "assistant", "Adding a sampler.\n\nAdded KSampler as node 3.\n\nThe sky is red 🎉"),
        ("u2", "user", "赤い空 once more"),
        ("a2", "assistant", "First try"),
        ("a3", "assistant", "Second try"),
    ]
    times = await database.run(
        lambda connection: connection.exec_driver_sql(
            "SELECT created_at FROM message WHERE message_id IN ('u1', 'a3') ORDER BY seq"
        ).fetchall()
    )
    assert [time for (time,) in times] == [1760000003.0, 1760000008.0]
    assert [summary.message_count for summary in await store.list()] == [1, 5]
