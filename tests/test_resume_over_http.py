"""A response that is read again over HTTP: after a reload, in a second tab, after a break of the network."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy

from .running_assistant import RunningAssistant
from .talking import talking

WORDS = [f"word{number} " for number in range(30)]
TEXT_AND_TOOL = {
    "about": "A test.",
    "pace": 0,
    "steps": [
        {"reply": [{"say": WORDS[:10]}, {"call": "searchInstalledNodes", "arguments": {"query": "save"}}]},
        {"reply": [{"say": WORDS[10:]}]},
    ],
    "after": "repeat",
}
SLOW = {
    "about": "A test.",
    "pace": 0,
    "steps": [{"reply": [{"say": WORDS[:10]}, {"wait": "0.6s"}, {"say": WORDS[10:]}]}],
    "after": "repeat",
}
HANGING = {
    "about": "A test.",
    "pace": 0,
    "steps": [{"reply": [{"say": "Half "}, {"wait": "60s"}, {"say": "never"}]}],
    "after": "repeat",
}
ADDS_A_NODE = {
    "about": "A test.",
    "pace": 0,
    "steps": [
        {"reply": [{"call": "addNode", "arguments": {"type": "EmptyImage"}}]},
        {"reply": [{"say": WORDS}]},
    ],
}


def blocks(body: bytes) -> list[bytes]:
    return [block for block in body.split(b"\n\n") if block.startswith(b"data: {")]


def message(message_id: str = "u1") -> dict[str, Any]:
    return {"id": message_id, "role": "user", "parts": [{"type": "text", "text": "go"}]}


async def begin(assistant: RunningAssistant, thread: str) -> Any:
    url = assistant.server.make_url("/api/chat")
    response = await assistant.session.post(url, json={"id": thread, "messages": [message()]})
    while b"text-delta" not in await response.content.readline():
        pass
    return response


async def test_from_every_event_on_the_bytes_are_the_same(tmp_path: Path) -> None:
    async with talking(tmp_path, TEXT_AND_TOOL) as (assistant, _):
        thread = await assistant.new_thread()
        whole = await assistant.say("go", thread=thread)
        events = blocks(whole.body)
        assert len(events) > 20
        for start in range(len(events) + 1):
            again = await assistant.call("GET", f"/assistant/threads/{thread}/stream?from={start}")
            assert blocks(again.body) == events[start:]
            assert again.body.endswith(b"data: [DONE]\n\n")
            assert again.headers["X-Assistant-Response"] == whole.headers["X-Assistant-Response"]


async def test_a_page_that_comes_back_in_the_middle_has_all_of_it(tmp_path: Path) -> None:
    async with talking(tmp_path, SLOW) as (assistant, provider):
        thread = await assistant.new_thread()
        (await begin(assistant, thread)).close()
        seen = (await assistant.call("GET", f"/assistant/threads/{thread}?live=true")).json
        assert [each["role"] for each in seen["messages"]] == ["user"]
        again = await assistant.call(
            "GET", f"/assistant/threads/{thread}/stream?response={seen['live']['response']}"
        )
        assert again.text == "".join(WORDS)
        [_, kept] = await assistant.messages(thread)
        assert "".join(part.get("text", "") for part in kept["parts"]) == "".join(WORDS)
        assert len(provider.requests) == 1
        over = (await assistant.call("GET", f"/assistant/threads/{thread}?live=true")).json
        assert "live" not in over
        assert len(over["messages"]) == 2


async def test_a_page_that_comes_back_too_late_still_has_it_and_nobody_a_second_time(tmp_path: Path) -> None:
    async with talking(tmp_path, SLOW) as (assistant, provider):
        thread = await assistant.new_thread()
        (await begin(assistant, thread)).close()
        await provider.wait_until(lambda: provider.open_streams == 0)
        await asyncio.sleep(0.2)
        seen = (await assistant.call("GET", f"/assistant/threads/{thread}?live=true")).json
        assert [each["role"] for each in seen["messages"]] == ["user"]
        again = await assistant.call(
            "GET", f"/assistant/threads/{thread}/stream?response={seen['live']['response']}"
        )
        assert again.text == "".join(WORDS)
        assert "live" not in (await assistant.call("GET", f"/assistant/threads/{thread}?live=true")).json


async def test_two_tabs_see_the_same(tmp_path: Path) -> None:
    async with talking(tmp_path, SLOW) as (assistant, provider):
        thread = await assistant.new_thread()
        first = asyncio.create_task(assistant.say("go", thread=thread))
        await provider.wait_until(lambda: provider.open_streams == 1)
        second = await assistant.call("GET", f"/assistant/threads/{thread}/stream")
        assert blocks(second.body) == blocks((await first).body)


async def test_a_stop_from_another_tab_keeps_what_there_is(tmp_path: Path) -> None:
    async with talking(tmp_path, HANGING) as (assistant, provider):
        thread = await assistant.new_thread()
        response = await begin(assistant, thread)
        stop = f"/assistant/threads/{thread}/stop"
        stops = await asyncio.gather(*(assistant.call("POST", stop, {}) for _ in range(2)))
        assert sorted(each.json["stopped"] for each in stops) in ([False, True], [True, True])
        assert b'"code":"interrupted"' in await response.content.read()
        kept = (await assistant.messages(thread))[-1]["parts"]
        assert [part.get("text") for part in kept] == [None, "Half ", None]
        assert kept[-1]["data"]["code"] == "interrupted"
        await provider.wait_until(lambda: provider.open_streams == 0)
        assert (await assistant.call("POST", stop, {})).json == {"stopped": False}


async def test_a_thread_that_is_deleted_stops_its_turn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with talking(tmp_path, HANGING) as (assistant, provider):
        thread = await assistant.new_thread()
        response = await begin(assistant, thread)
        assert (await assistant.call("DELETE", f"/assistant/threads/{thread}")).status == 204
        await provider.wait_until(lambda: provider.open_streams == 0)
        assert (await response.content.read()).endswith(b"data: [DONE]\n\n")
    assert "could not be kept" not in caplog.text


async def test_a_stop_and_the_next_message_at_once_both_work(tmp_path: Path) -> None:
    async with talking(tmp_path, HANGING) as (assistant, provider):
        thread = await assistant.new_thread()
        await begin(assistant, thread)
        provider.play(SLOW)
        body = {"id": thread, "messages": [message("u2")]}
        stopped, answered = await asyncio.gather(
            assistant.call("POST", f"/assistant/threads/{thread}/stop", {}),
            assistant.call("POST", "/chat", body),
        )
        assert stopped.json == {"stopped": True}
        assert answered.text == "".join(WORDS)
        assert [each["role"] for each in await assistant.messages(thread)] == ["user", "assistant"] * 2


async def test_what_is_gone_or_another_response_is_an_empty_answer(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        assert (await assistant.call("GET", f"/assistant/threads/{thread}/stream")).status == 204
        await assistant.say("go", thread=thread)
        assert (
            await assistant.call("GET", f"/assistant/threads/{thread}/stream?response=other")
        ).status == 204
        assert (await assistant.call("GET", "/assistant/threads/none/stream")).error_code == "unknown_thread"
        wrong = await assistant.call("GET", f"/assistant/threads/{thread}/stream?from=-1")
        assert wrong.error_code == "invalid_request"


@pytest.mark.slow
async def test_an_event_that_is_forgotten_is_an_empty_answer_and_the_thread_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comfyui_assistant.engine.chat.response_streams._MOST_BYTES", 1_500)
    async with talking(tmp_path, SLOW) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("go", thread=thread)
        assert (await assistant.call("GET", f"/assistant/threads/{thread}/stream?from=0")).status == 204
        assert (await assistant.call("GET", f"/assistant/threads/{thread}/stream?from=999")).status == 200
        answer = (await assistant.messages(thread))[-1]
        assert "".join(WORDS) in str(answer)


async def test_fifty_readers_that_leave_and_come_back_lose_nothing(tmp_path: Path) -> None:
    """A page that loses its network again and again continues each time after the last whole event."""
    async with talking(tmp_path, SLOW) as (assistant, _):
        thread = await assistant.new_thread()
        (await begin(assistant, thread)).close()
        events: list[bytes] = []
        for _ in range(50):
            url = assistant.server.make_url(f"/api/assistant/threads/{thread}/stream?from={len(events)}")
            async with assistant.session.get(url) as response:
                events += blocks(b"".join([await response.content.readline() for _ in range(4)]))
                if events and b'"finish"' in events[-1]:
                    break
        rest = await assistant.call("GET", f"/assistant/threads/{thread}/stream?from={len(events)}")
        chunks = [json.loads(event[6:]) for event in (*events, *blocks(rest.body))]
        assert "".join(chunk.get("delta", "") for chunk in chunks) == "".join(WORDS)


def open_pages(assistant: RunningAssistant) -> set[str]:
    return cast("FakeComfy", assistant.assistant.host).open_pages


async def test_one_page_at_a_time_makes_the_calls_of_the_browser(tmp_path: Path) -> None:
    async with talking(tmp_path, ADDS_A_NODE) as (assistant, _):
        thread = await assistant.new_thread()

        async def ask(page: str, **more: Any) -> Any:
            body = {"page": page, **more}
            return (await assistant.call("POST", f"/assistant/threads/{thread}/page", body)).json

        over = {"isOver": True, "isMine": False, "response": None, "begun": {}}
        assert await ask("second") == over
        open_pages(assistant).update({"first", "second"})
        fox = {"name": "fox", "file": "workflows/fox.json", "id": "1-2"}
        body = {"id": thread, "messages": [message()], "page": "first", "workflow": {**fox, "nodes": 1}}
        assert (await assistant.call("POST", "/chat", body)).status == 200

        waits = {**over, "isOver": False, "isMine": True, "workflow": fox}
        assert [await ask(page) for page in ("second", "first")] == [{**waits, "isMine": False}, waits]

        answer = (await assistant.messages(thread))[-1]
        assert (await ask("second", call="c1"))["begun"] == {}
        assert (await ask("first", call="c1", note={"promptId": "p"}))["begun"] == {"c1": {"promptId": "p"}}
        owl = {"name": "owl"}
        assert (await ask("first", call="c2", workflow=owl))["workflow"] == owl
        wrong = {"page": "first", "call": "c3", "workflow": "owl"}
        refused = await assistant.call("POST", f"/assistant/threads/{thread}/page", wrong)
        assert (refused.status, refused.error_code) == (400, "invalid_request")

        call = next(part for part in answer["parts"] if part["type"] == "tool-addNode")
        settled = {**call, "state": "output-available", "output": {"ok": True, "summary": "Added."}}
        posted = {"id": thread, "messages": [{**answer, "parts": [settled]}], "page": "first"}
        assert (await assistant.call("POST", "/chat", posted)).status == 200
        assert await ask("second") == {**over, "workflow": owl}


async def test_a_stop_tells_the_page_that_makes_the_calls_unless_one_response_is_meant(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, ADDS_A_NODE) as (assistant, _):
        thread = await assistant.new_thread()
        body = {"id": thread, "messages": [message()], "page": "first"}
        assert (await assistant.call("POST", "/chat", body)).status == 200
        answer = (await assistant.messages(thread))[-1]["id"]
        told = cast("FakeComfy", assistant.assistant.host).sent

        async def stop(**named: Any) -> Any:
            return (await assistant.call("POST", f"/assistant/threads/{thread}/stop", named)).json

        assert await stop(response="r1") == {"stopped": False}
        assert told == []
        assert await stop(answer=answer) == {"stopped": False}
        assert await stop() == {"stopped": False}
        event = "comfyui-assistant.stop"
        whole = {"thread": thread}
        assert told == [("first", event, {**whole, "answer": answer}), ("first", event, whole)]
        assert (await stop(answer=7))["error"]["code"] == "invalid_request"


async def test_a_stop_of_another_answer_leaves_the_one_that_runs(tmp_path: Path) -> None:
    async with talking(tmp_path, HANGING) as (assistant, provider):
        thread = await assistant.new_thread()
        await begin(assistant, thread)
        stop = f"/assistant/threads/{thread}/stop"
        assert (await assistant.call("POST", stop, {"answer": "other"})).json == {"stopped": False}
        assert provider.open_streams == 1
        while (newest := (await assistant.messages(thread))[-1])["role"] != "assistant":
            await asyncio.sleep(0.05)
        answer = newest["id"]
        assert (await assistant.call("POST", stop, {"answer": answer})).json == {"stopped": True}


async def test_a_page_that_watches_is_told_which_response_runs(tmp_path: Path) -> None:
    async with talking(tmp_path, HANGING) as (assistant, _):
        thread = await assistant.new_thread()
        open_pages(assistant).add("first")
        url = assistant.server.make_url("/api/chat")
        body = {"id": thread, "messages": [message()], "page": "first"}
        response = await assistant.session.post(url, json=body)

        told = await assistant.call("POST", f"/assistant/threads/{thread}/page", {"page": "second"})

        name = response.headers["X-Assistant-Response"]
        assert told.json == {"isOver": False, "isMine": False, "response": name, "begun": {}}
        response.close()
        wrong = await assistant.call("POST", f"/assistant/threads/{thread}/page", {})
        assert (wrong.status, wrong.error_code) == (400, "invalid_request")
        gone = await assistant.call("POST", "/assistant/threads/none/page", {"page": "second"})
        assert gone.error_code == "unknown_thread"
