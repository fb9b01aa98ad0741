from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.pins import Pins
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.tasks import Tasks
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import rewind, step, text, user


async def test_an_export_holds_all_that_is_kept(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "Make the sky red 🎉"), step("a1", text("first"))])
    await store.append(thread_id, [rewind("u1"), step("a2", text("second"))])
    await store.keep_system_forms(thread_id, {"full": "You are the assistant."})
    await Pins(database).add(thread_id, "Keep the seed.")
    messages = [{"role": "user", "content": "Make the sky red 🎉"}]
    requests = Requests(database)
    for number in (1, 2):
        await requests.keep(
            thread_id,
            message_id="a1",
            step=number,
            model="small",
            messages=messages,
            tools=[],
            estimated_tokens=10,
        )
    tasks = Tasks(database)
    await tasks.finish(
        await tasks.begin(thread_id, None, "Look", {}),
        "done",
        result={"a": 1},
        messages=messages,
        steps=1,
        tokens=5,
    )
    exported = json.loads(await store.export(thread_id))
    assert (exported["format"], exported["version"]) == ("comfyui-assistant-thread", 1)
    assert exported["messages"] == await store.messages(thread_id)
    assert exported["branches"] == [branch.as_json() for branch in await store.branches(thread_id)]
    assert [event["kind"] for event in exported["events"]] == ["user", "step", "rewind", "step"]
    assert exported["events"][1]["payload"]["parts"][1] == text("first")
    assert exported["systemForms"] == {"full": "You are the assistant."}
    assert [pin["text"] for pin in exported["pins"]] == ["Keep the seed."]
    sent = json.loads(exported["requests"][1]["message_blobs"])
    assert [exported["blobs"][str(blob)] for blob in sent] == messages
    assert len(exported["blobs"]) == 2
    assert exported["tasks"][0]["messages"] == messages


async def test_a_damaged_entry_is_exported_as_the_text_that_is_left_of_it(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), user("u2", "two")])
    await database.run(
        lambda connection: connection.exec_driver_sql(
            """UPDATE event SET payload = '{"par' WHERE message_id = 'u1'"""
        )
    )
    exported = json.loads(await store.export(thread_id))
    assert exported["events"][0]["payload"] == '{"par'
    assert "no JSON" in exported["events"][0]["damaged"]
    assert "damaged" not in exported["events"][1]


async def test_a_thread_that_is_not_there_cannot_be_exported(store: ThreadStore) -> None:
    with pytest.raises(RequestError) as caught:
        await store.export("thread_gone")
    assert caught.value.code == "unknown_thread"
