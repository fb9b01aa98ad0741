from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import UNREADABLE
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.threads import ThreadStore

TOOLS = [{"type": "function", "function": {"name": "addNode", "parameters": {"type": "object"}}}]


@pytest.fixture
def requests(database: Database) -> Requests:
    return Requests(database)


def conversation(length: int) -> list[Any]:
    return [
        {"role": "system", "content": "You are the assistant."},
        *({"role": "user", "content": f"question {number} 🎉"} for number in range(length)),
    ]


def content(messages: list[Any], **changes: Any) -> dict[str, Any]:
    """What is kept of a request for these messages."""
    usual = {"message_id": "a1", "step": 1, "model": "small", "tools": TOOLS, "estimated_tokens": 100}
    return {**usual, "messages": messages, **changes}


async def blob_count(database: Database) -> int:
    return await database.run(lambda c: c.exec_driver_sql("SELECT count(*) FROM blob").scalar_one())


async def test_what_was_sent_is_read_back_with_whole_characters(requests: Requests, thread_id: str) -> None:
    messages = [
        *conversation(2),
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "half \ud83c of a character, and \0"},
    ]
    request_id = await requests.keep(
        thread_id, **content(messages, step=3, estimated_tokens=812, stages=["digest"])
    )
    sent = await requests.read(thread_id, request_id)
    messages[-1] = {**messages[-1], "content": "half \ufffd of a character, and \0"}
    assert (sent.messages, sent.tools) == (messages, TOOLS)
    assert sent.as_json() == {
        "id": request_id,
        "messageId": "a1",
        "step": 3,
        "model": "small",
        "createdAt": sent.request.created_at,
        "estimatedTokens": 812,
        "stages": ["digest"],
        "messages": messages,
        "tools": TOOLS,
    }


async def test_a_request_gains_what_the_provider_reported(requests: Requests, thread_id: str) -> None:
    first = await requests.keep(thread_id, **content(conversation(1)))
    second = await requests.keep(thread_id, **content(conversation(2), step=2))
    await requests.finish(first, usage=Usage(512, 33, cached_tokens=480), first_token_ms=41.5)
    listed = await requests.list(thread_id)
    assert [one.id for one in listed] == [first, second]
    assert (listed[0].input_tokens, listed[0].cached_input_tokens) == (512, 480)
    assert (listed[0].output_tokens, listed[0].first_token_ms) == (33, 41.5)
    assert "inputTokens" not in listed[1].as_json()


async def test_a_thread_keeps_the_origin_that_its_newest_request_was_sent_to(
    requests: Requests, store: ThreadStore, thread_id: str
) -> None:
    kept = []
    for origin in ("https://one.example", "https://two.example", ""):
        await requests.keep(thread_id, **content(conversation(1)), origin=origin)
        kept.append((await store.read(thread_id)).answers_from)
    assert kept == ["https://one.example", "https://two.example", "https://two.example"]


async def test_what_requests_share_is_kept_once(
    requests: Requests, database: Database, thread_id: str
) -> None:
    for length in range(1, 21):
        await requests.keep(thread_id, **content(conversation(length), step=length))
    assert await blob_count(database) == 1 + 20 + 1
    listed = await requests.list(thread_id)
    assert (await requests.read(thread_id, listed[7].id)).messages == conversation(8)


async def test_more_messages_than_a_statement_binds_are_kept(requests: Requests, thread_id: str) -> None:
    request_id = await requests.keep(thread_id, **content(conversation(2_500)))
    assert (await requests.read(thread_id, request_id)).messages == conversation(2_500)


async def test_nothing_of_a_deleted_thread_stays(
    requests: Requests, store: ThreadStore, database: Database, thread_id: str
) -> None:
    other = (await store.create()).id
    request_id = await requests.keep(thread_id, **content(conversation(3)))
    kept = await requests.keep(other, **content(conversation(3)))
    await store.delete(thread_id)
    await requests.finish(request_id, usage=Usage(1, 1, 1), first_token_ms=1)
    assert await blob_count(database) == 5
    assert (await requests.read(other, kept)).messages == conversation(3)
    for work in (
        requests.list(thread_id),
        requests.keep(thread_id, **content(conversation(1))),
    ):
        with pytest.raises(RequestError) as caught:
            await work
        assert caught.value.code == "unknown_thread"


async def test_a_damaged_message_says_so_in_its_place(
    requests: Requests, store: ThreadStore, database: Database, thread_id: str
) -> None:
    request_id = await requests.keep(thread_id, **content(conversation(3)))
    await database.run(lambda c: c.exec_driver_sql("UPDATE blob SET data = x'00' WHERE seq IN (2, 5)"))
    await database.run(lambda c: c.exec_driver_sql("DELETE FROM blob WHERE seq = 3"))
    sent = await requests.read(thread_id, request_id)
    lost = {"role": "system", "content": UNREADABLE}
    first, _, _, last = conversation(3)
    assert (sent.messages, sent.tools) == ([first, lost, lost, last], [])
    assert json.loads(await store.export(thread_id))["blobs"]["2"] is None


async def test_a_request_of_another_thread_is_unknown(
    requests: Requests, store: ThreadStore, thread_id: str
) -> None:
    request_id = await requests.keep(thread_id, **content(conversation(1)))
    with pytest.raises(RequestError) as caught:
        await requests.read((await store.create()).id, request_id)
    assert (caught.value.code, caught.value.status) == ("not_found", 404)


async def test_a_message_that_is_sent_again_is_kept_once_and_one_like_it_as_it_is(
    requests: Requests, thread_id: str
) -> None:
    (first,) = conversation(1)[1:]
    await requests.keep(thread_id, **content([first]))
    for number in range(2, 5):
        messages = [first, conversation(number)[-1]]
        request_id = await requests.keep(thread_id, **content(messages, step=number))
        assert (await requests.read(thread_id, request_id)).messages == messages
