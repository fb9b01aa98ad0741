from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import step, text, user


async def test_the_list_is_newest_first_and_titled_by_the_first_message(store: ThreadStore) -> None:
    first, second = await store.create(), await store.create()
    await store.append(second.id, [user("u1", "second")])
    await store.append(first.id, [user("u2", "  make a\nred image " + "x" * 80), step("a2", text("ok"))])
    await store.append(first.id, [user("u3", "another")])
    listed = await store.list()
    assert [(summary.id, summary.message_count) for summary in listed] == [(first.id, 3), (second.id, 1)]
    assert listed[0].title == "make a red image " + "x" * 42 + "…"


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
