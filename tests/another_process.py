"""A turn that one process of two runs, which share a store, and what the other one tells of it."""

from __future__ import annotations

import asyncio
from typing import Any

from .running_assistant import Reply, RunningAssistant

WORDS = [f"a{number} " for number in range(25)]
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
    """`other` tells of a turn that `one` runs, with `SLOWLY`."""
    thread = await one.new_thread()
    path = f"/assistant/threads/{thread}"
    running = asyncio.create_task(answers_in(one, thread))
    read = {}
    while "elsewhere" not in read or "a3" not in str(read["messages"]):
        await asyncio.sleep(0.05)
        read = (await other.call("GET", path, params={"live": "true"})).json
        assert not running.done()
    assert "live" not in read
    assert read["messages"][0]["id"] == "u1"
    assert "a24" not in str(read["messages"])

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
    """The request with which a page goes on after its calls."""
    last = (await process.messages(thread))[-1]
    parts = [
        {**part, "state": "output-available", "output": {"ok": True, "summary": "Added."}}
        if part["type"].startswith("tool-")
        else part
        for part in last["parts"]
    ]
    return {"id": thread, "messages": [{**last, "parts": parts}], "page": "its page"}
