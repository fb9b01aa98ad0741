from __future__ import annotations

import tracemalloc

from comfyui_assistant.engine.store.log.drafts import BROKEN_OFF
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore

from ..log_events import draft, step, text, user


async def test_the_draft_of_a_step_that_never_ended_is_kept(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half an ans")]))
    await store.append(thread.id, [user("u2", "go on")])
    messages = await store.messages(thread.id)
    assert [message["id"] for message in messages] == ["u1", "a1", "u2"]
    assert messages[1]["parts"] == [{"type": "step-start"}, text("Half an ans"), BROKEN_OFF.part]


async def test_a_draft_whose_message_goes_on_did_not_break_off(store: ThreadStore) -> None:
    thread = await store.create()
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half")]))
    failure = {"type": "data-error", "data": {"message": "No."}}
    await store.append(thread.id, [LogEvent("data", "a1", {"part": failure})])
    (message,) = await store.messages(thread.id)
    assert message["parts"] == [{"type": "step-start"}, text("Half"), failure]


async def test_a_finished_step_takes_the_place_of_its_draft(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half")]))
    await store.append(thread.id, [step("a1", text("Half and half"))])
    assert (await store.messages(thread.id))[1]["parts"] == [{"type": "step-start"}, text("Half and half")]


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
