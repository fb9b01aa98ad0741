"""A turn that one of two processes at a shared store runs, and what the other one shows of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from .running_assistant import Reply, RunningAssistant

if TYPE_CHECKING:
    from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy

LEASE_SECONDS = 1.5
"""The duration of leases in tests, shorter than the real one so that nothing waits for long."""
WORDS = [f"word{number} " for number in range(25)]
SLOWLY: dict[str, Any] = {
    "about": "A reply of three seconds.",
    "steps": [{"reply": [piece for word in WORDS for piece in ({"say": word}, {"wait": 0.12})]}],
}
ADDS_A_NODE: dict[str, Any] = {
    "about": "A reply that calls a browser tool.",
    "steps": [
        {
            "reply": [
                {"say": "I add it."},
                {"wait": 1},
                {"call": "addNode", "arguments": {"type": "EmptyImage"}},
            ]
        },
        {"reply": [{"say": "Done."}]},
    ],
}


async def answers_in(process: RunningAssistant, thread: str) -> Reply:
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
    return await process.call("POST", "/chat", {"id": thread, "messages": [message], "page": "its page"})


async def follows(one: RunningAssistant, other: RunningAssistant) -> None:
    """Check that `other` shows a turn that `one` runs, with `SLOWLY`."""
    thread = await one.new_thread()
    path = f"/assistant/threads/{thread}"
    running = asyncio.create_task(answers_in(one, thread))
    read = {}
    while "elsewhere" not in read or "word3" not in str(read["messages"]):
        await asyncio.sleep(0.05)
        read = (await other.call("GET", path, params={"live": "true"})).json
        assert not running.done()
    assert "live" not in read
    assert read["messages"][0]["id"] == "u1"
    assert "word24" not in str(read["messages"])

    refused = await other.call("GET", f"{path}/stream")
    assert (refused.status, refused.error_code) == (409, "turn_elsewhere")
    assert "another process of ComfyUI" in refused.json["error"]["message"]
    assert "elsewhere" not in (await one.call("GET", path, params={"live": "true"})).json
    state = (await other.call("POST", f"{path}/page", {"page": "a page"})).json
    assert state == {"isOver": False, "isMine": False, "response": None, "begun": {}, "elsewhere": True}

    answer = await running
    assert answer.text.split() == "".join(WORDS).split()
    over = (await other.call("GET", path, params={"live": "true"})).json
    assert "elsewhere" not in over
    assert over["messages"] == await one.messages(thread)
    assert (await other.call("GET", f"{path}/stream")).status == 204
    assert (await other.call("POST", f"{path}/page", {"page": "a page"})).json["isOver"] is True


async def tool_results(process: RunningAssistant, thread: str) -> dict[str, Any]:
    """Return the request with which a page continues after its calls."""
    last = (await process.messages(thread))[-1]
    parts = [
        {**part, "state": "output-available", "output": {"ok": True, "summary": "Added."}}
        if part["type"].startswith("tool-")
        else part
        for part in last["parts"]
    ]
    return {"id": thread, "messages": [{**last, "parts": parts}], "page": "its page"}


async def takes_over(one: RunningAssistant, other: RunningAssistant) -> None:
    """Check that a page of `other` continues a turn of `one`, with `ADDS_A_NODE`, once the page there is gone and not
    before.
    """
    open_there = cast("FakeComfy", one.assistant.host).open_pages
    open_there.add("its page")
    cast("FakeComfy", other.assistant.host).open_pages.update({"a page", "another page"})
    thread = await one.new_thread()
    await answers_in(one, thread)

    async def claim(page: str, process: RunningAssistant = other) -> dict[str, Any]:
        return (await process.call("POST", f"/assistant/threads/{thread}/page", {"page": page})).json

    for _ in range(20):
        told = await claim("a page")
        assert (told["isOver"], told["isMine"], told["elsewhere"]) == (False, False, True)
        await asyncio.sleep(0.05)
    open_there.clear()
    state: dict[str, Any] = {}
    for _ in range(200):
        state = await claim("a page")
        if state["isMine"]:
            break
        await asyncio.sleep(0.05)
    assert state["isMine"]
    [call] = [part for part in (await other.messages(thread))[-1]["parts"] if part["type"] == "tool-addNode"]
    assert (state["isOver"], state["begun"]) == (False, {call["toolCallId"]: None})
    assert state["workflow"]["name"] == "one of another ComfyUI, which was not saved"
    assert not (await claim("another page"))["isMine"]
    open_there.add("its page")
    back = await claim("its page", one)
    assert (back["isOver"], back["isMine"], back["elsewhere"]) == (False, False, True)
    answer = await other.call("POST", "/chat", {**await tool_results(other, thread), "page": "a page"})
    assert answer.text == "Done."
    # The lock of the response is released a moment after its end.
    over = False
    for _ in range(200):
        if over := (await claim("its page", one))["isOver"]:
            break
        await asyncio.sleep(0.05)
    assert over


NEVER_ENDS: dict[str, Any] = {
    "about": "A reply that is never finished.",
    "steps": [{"reply": [{"say": "Half "}], "end": "hang"}],
    "after": "repeat",
}


async def stops_what_streams(one: RunningAssistant, other: RunningAssistant) -> str:
    """Check that `other` stops a response of `one`, with `NEVER_ENDS`, and only the one that is meant; return the
    thread.
    """
    thread = await one.new_thread()
    url = one.server.make_url("/api/chat")
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
    running = await one.session.post(url, json={"id": thread, "messages": [message], "page": "its page"})
    await running.content.readuntil(b"Half")
    refused = await other.say("and?", thread=thread, message_id="u2")
    assert (refused.status, refused.error_code) == (409, "turn_running")

    async def stop(**named: str) -> Reply:
        return await other.call("POST", f"/assistant/threads/{thread}/stop", named)

    assert (await stop(response="another")).json == {"stopped": False}
    assert not running.content.at_eof()
    assert (await stop()).json == {"stopped": True}
    assert b'"code":"interrupted"' in await running.content.read()
    assert (await stop()).json == {"stopped": False}
    roles = [each["role"] for each in await one.messages(thread)]
    assert roles == ["user", "assistant"]
    return thread


async def stops_what_a_page_does(one: RunningAssistant, other: RunningAssistant) -> None:
    """Check that `other` stops a turn that waits for a page of `one`, with a call in each reply, and continues at
    once.
    """
    thread = await one.new_thread()
    await answers_in(one, thread)

    async def claim(page: str, process: RunningAssistant = other) -> dict[str, Any]:
        return (await process.call("POST", f"/assistant/threads/{thread}/page", {"page": page})).json

    assert (await claim("a page"))["elsewhere"] is True
    answer = (await one.messages(thread))[-1]["id"]
    stopped = await other.call("POST", f"/assistant/threads/{thread}/stop", {"answer": answer})
    assert stopped.json == {"stopped": True}
    assert (await claim("a page"))["isOver"] is True
    assert (await claim("its page", one))["isOver"] is True

    said = await other.say("once more", thread=thread, message_id="u2", page="a page")
    [call] = [chunk for chunk in said.chunks if chunk["type"] == "tool-input-available"]
    state = await claim("a page")
    assert (state["isMine"], state["begun"]) == (True, {}), call
