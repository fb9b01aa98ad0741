"""What becomes of a turn whose request a provider finds too long: it is answered all the same, in that turn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dev.scripted.provider import ScriptedProvider

from .plain.workflows import DEFAULT_NODES, posted
from .talking import talking

WISH = "The lighthouse stays red. "
LONG = "A sentence about a lighthouse in the evening light. " * 120


def small_server(room: int, *, tells: bool) -> dict[str, Any]:
    """A server with room for so many tokens, behind which a model looks something up and then answers."""
    look = {"call": "getNodeInfo", "arguments": {"types": ["KSampler", "CLIPTextEncode"]}}
    return {
        "about": "A test.",
        "pace": 0,
        "window": room,
        "tells_window": tells,
        "turns": [
            {"user": "look", "steps": [{"reply": [look]}, {"reply": [{"say": "It is there."}]}]},
            {"user": "", "steps": [{"reply": [{"say": "It is there."}]}], "after": "repeat"},
        ],
    }


@pytest.mark.parametrize("window", [pytest.param("", id="unknown"), pytest.param("32000", id="set too high")])
@pytest.mark.parametrize("tells", [pytest.param(False, id="no numbers"), pytest.param(True, id="numbers")])
@pytest.mark.parametrize("room", [8_000, 6_000, 4_500])
async def test_five_turns_are_answered_in_the_same_turn_by_a_server_with_little_room(
    tmp_path: Path, room: int, tells: bool, window: str
) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}
    async with talking(tmp_path, small_server(room, tells=tells), environ) as (assistant, provider):
        thread = await assistant.new_thread()
        texts = ["hello", f"look: {WISH}{LONG}", f"and then {LONG}", "look again", f"at last {LONG}"]
        notices = []
        for number, text in enumerate(texts):
            answer = await assistant.say(text, thread=thread, message_id=f"u{number}")
            assert answer.text == "It is there."
            notices += [part["data"]["code"] for part in answer.chunks if part["type"] == "data-notice"]
        statuses = Counter(request.status for request in provider.requests)
        assert statuses[400] <= 4, "what was refused once is remembered"
        assert notices.count("slim") == 1, "the person sees that the form changed"
        assert WISH in str(provider.requests[-1].body["messages"])
        kept = await assistant.messages(thread)
        assert [message["parts"][0]["text"] for message in kept if message["role"] == "user"] == texts
        notice = [part for message in kept for part in message["parts"] if part["type"] == "data-notice"]
        assert [part["data"]["code"] for part in notice] == ["slim"]


@pytest.mark.parametrize("tells", [pytest.param(False, id="no numbers"), pytest.param(True, id="numbers")])
async def test_a_conversation_is_shrunk_before_the_rules_and_tools_are(tmp_path: Path, tells: bool) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "64000"}
    async with talking(tmp_path, small_server(18_000, tells=tells), environ) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(8):
            text = f"Message {number}: {LONG * 2}"
            assert (await assistant.say(text, thread=thread, message_id=f"u{number}")).text == "It is there."
        assert len({str(request.body["tools"]) for request in provider.requests}) == 1
        assert 400 in [request.status for request in provider.requests]


async def test_what_sufficed_once_is_the_first_that_is_tried_after_a_restart(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": ""}
    async with ScriptedProvider(small_server(3_000, tells=False), pace=0) as provider:
        for _ in range(2):
            async with talking(tmp_path, environ=environ, provider=provider) as (assistant, _):
                await assistant.say(LONG * 4, thread=await assistant.new_thread())
        assert [request.status for request in provider.requests] == [400, 400, 400, 200, 400, 200]


async def test_a_window_that_was_set_too_small_for_the_rules_gets_the_slim_form(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "5000", "COMFYUI_ASSISTANT_PROFILE": "full"}
    async with talking(tmp_path, small_server(5_000, tells=True), environ) as (assistant, provider):
        answer = await assistant.say("hello", thread=await assistant.new_thread())
        assert answer.text == "It is there."
        assert [request.status for request in provider.requests] == [200]
        assert answer.one("data-notice")["data"]["code"] == "slim"


@pytest.mark.parametrize("profile", ["auto", "full"])
async def test_a_turn_that_becomes_slim_is_shown_the_workflow_and_changes_it(
    tmp_path: Path, profile: str
) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000", "COMFYUI_ASSISTANT_PROFILE": profile}
    calls = [
        {"call": "setValue", "arguments": {"name": "sampling steps", "value": "30"}},
        {"call": "connectNodes", "arguments": {"from": "VAE Decode", "to": "Save Image"}},
    ]
    scenario = {
        **small_server(5_000, tells=True),
        "turns": [{"user": "", "steps": [{"reply": calls}, {"reply": [{"say": "It takes 30 steps."}]}]}],
    }
    async with talking(tmp_path, scenario, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        status = (await assistant.call("GET", f"/assistant/status?thread={thread}")).json["model"]
        assert (status["slim"], status["mayBeSlim"]) == (False, True)
        workflow = posted(*DEFAULT_NODES)

        first = await assistant.say("more detail, thirty of them", thread=thread, workflow=workflow)

        assert "slim" in [chunk["data"]["code"] for chunk in first.chunks if chunk["type"] == "data-notice"]
        offered = [chunk for chunk in first.chunks if chunk["type"] == "tool-input-available"]
        assert [(chunk["toolName"], chunk["input"]) for chunk in offered] == [
            ("setNodeWidgetValue", {"node": "3", "widget": "steps", "value": "30"}),
            ("connectNodes", {"fromNode": "8", "toNode": "9"}),
        ]
        answer = (await assistant.messages(thread))[-1]
        for part in answer["parts"]:
            if "toolCallId" in part:
                part |= {"state": "output-available", "output": {"ok": True, "summary": "Set.", "data": {}}}

        second = await assistant.call(
            "POST", "/chat", {"id": thread, "messages": [answer], "workflow": workflow}
        )

        assert second.text == "It takes 30 steps."
        for request in [each for each in provider.requests if each.status == 200]:
            told = str(request.body["messages"])
            assert told.count("<open-workflow>") == 1
            assert "steps = 20" in told
            assert "setValue" in str(request.body["tools"])
        assert "sampling steps" in str(provider.requests[-1].body["messages"]), "its own words"
