from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.log.thread_reader import ChosenProvider
from comfyui_assistant.engine.store.rows import require_thread
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


async def test_going_back_leaves_out_what_came_after_and_keeps_it_in_the_log(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "one"), step("a1", text("1")), user("u2", "two")])
    await store.append(thread.id, [LogEvent("rewind", "a1", {}), user("u3", "three")])
    assert [message["id"] for message in await store.messages(thread.id)] == ["u1", "a1", "u3"]


async def test_a_thread_is_read_with_what_else_is_asked_of_it_at_that_moment(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hi")])
    await store.choose_provider(thread.id, "one", "a-model")
    await store.choose_persona(thread.id, "poet")
    read, title = await store.read_with(
        thread.id, lambda connection, name: require_thread(connection, name).title
    )
    assert (read, title) == (await store.read(thread.id), "hi")
    assert read.chosen == await store.provider(thread.id) == ChosenProvider("one", "a-model", "poet")
