from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.thread_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import call, step, text, user

CALL = call("c1")


async def test_a_conversation_is_the_same_after_a_restart(store: ThreadStore, folder: Path) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "add a node")])
    await store.append(thread.id, [step("a1", text("Adding."), CALL)])
    await store.append(
        thread.id,
        [LogEvent("result", "a1", {"toolCallId": "c1", "state": "output-available", "output": {"ok": True}})],
    )
    await store.append(thread.id, [step("a1", text("Done 🎉")), LogEvent("metadata", "a1", {"steps": 2})])
    expected = [
        {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "add a node"}]},
        {
            "id": "a1",
            "role": "assistant",
            "parts": [
                {"type": "step-start"},
                text("Adding."),
                {**CALL, "state": "output-available", "output": {"ok": True}},
                {"type": "step-start"},
                text("Done 🎉"),
            ],
            "metadata": {"custom": {"steps": 2}},
        },
    ]
    assert await store.messages(thread.id) == expected
    assert await ThreadStore(Database.in_folder(folder)).messages(thread.id) == expected


async def test_the_draft_of_a_step_that_never_ended_is_kept(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_draft(thread.id, "a1", [{"type": "step-start"}, text("Half an ans")])
    await store.append(thread.id, [user("u2", "go on")])
    messages = await store.messages(thread.id)
    assert [message["id"] for message in messages] == ["u1", "a1", "u2"]
    assert messages[1]["parts"] == [{"type": "step-start"}, text("Half an ans")]


async def test_a_finished_step_takes_the_place_of_its_draft(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_draft(thread.id, "a1", [{"type": "step-start"}, text("Half")])
    await store.append(thread.id, [step("a1", text("Half and half"))])
    assert (await store.messages(thread.id))[1]["parts"] == [{"type": "step-start"}, text("Half and half")]


async def test_going_back_leaves_out_what_came_after_and_keeps_it_in_the_log(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "one"), step("a1", text("1")), user("u2", "two")])
    await store.append(thread.id, [LogEvent("rewind", "a1", {}), user("u3", "three")])
    assert [message["id"] for message in await store.messages(thread.id)] == ["u1", "a1", "u3"]


async def test_the_list_is_newest_first_and_titled_by_the_first_message(store: ThreadStore) -> None:
    first, second = await store.create(), await store.create()
    await store.append(second.id, [user("u1", "second")])
    await store.append(first.id, [user("u2", "  make a\nred image " + "x" * 80), step("a2", text("ok"))])
    await store.append(first.id, [user("u3", "another")])
    listed = await store.list()
    assert [(summary.id, summary.message_count) for summary in listed] == [(first.id, 3), (second.id, 1)]
    assert listed[0].title == "make a red image " + "x" * 42 + "…"


async def test_of_a_message_of_megabytes_only_the_beginning_is_read_for_the_title(store: ThreadStore) -> None:
    await store.append((await store.create()).id, [user("u0", "wake up")])
    thread = (await store.create()).id
    tracemalloc.start()
    await store.append(thread, [user("u1", " \n" * 2_000 + "make a red image " + "xxxxx " * 1_000_000)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (await store.list())[0].title == "make a red image" + " xxxxx" * 7 + "…"
    assert most < 55_000_000


async def test_a_thread_that_begins_with_a_file_is_titled_by_its_name(store: ThreadStore) -> None:
    thread = await store.create()
    file = {
        "type": "file",
        "filename": "input/cats.json",
        "mediaType": "application/json",
        "url": "http://x/",
    }
    await store.append(thread.id, [LogEvent("user", "u1", {"parts": [file]})])
    assert (await store.list())[0].title == "cats.json"


async def test_a_renamed_thread_keeps_its_name_and_a_deleted_one_is_unknown(store: ThreadStore) -> None:
    thread = await store.create()
    await store.rename(thread.id, "My title")
    await store.append(thread.id, [user("u1", "hello")])
    assert (await store.list())[0].title == "My title"
    await store.delete(thread.id)
    for work in (
        store.messages(thread.id),
        store.append(thread.id, [user("u2", "x")]),
        store.delete(thread.id),
    ):
        with pytest.raises(RequestError) as caught:
            await work
        assert (caught.value.code, caught.value.status) == ("unknown_thread", 404)


async def test_a_file_that_is_no_database_is_set_aside_not_lost(folder: Path) -> None:
    folder.mkdir()
    (folder / "assistant.sqlite3").write_bytes(b"this is not a database, but somebody's text")
    thread = await ThreadStore(Database.in_folder(folder)).create()
    assert thread.message_count == 0
    kept = [path for path in folder.iterdir() if ".broken-" in path.name]
    assert kept[0].read_bytes() == b"this is not a database, but somebody's text"
