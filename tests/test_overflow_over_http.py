"""Turns whose request a provider finds too long: they are condensed, or asked again in the short form."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dev.scripted.provider import ScriptedProvider

from .small_windows.workflows import DEFAULT_NODES, posted
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


@pytest.mark.slow
@pytest.mark.parametrize("window", [pytest.param("", id="unknown"), pytest.param("32000", id="set too high")])
@pytest.mark.parametrize("tells", [pytest.param(False, id="no numbers"), pytest.param(True, id="numbers")])
@pytest.mark.parametrize("room", [8_000, 6_000, 4_500])
async def test_a_server_with_little_room_is_told_of_once_and_answers_in_the_short_form_from_then_on(
    tmp_path: Path, room: int, tells: bool, window: str
) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}
    async with talking(tmp_path, small_server(room, tells=tells), environ) as (assistant, provider):
        thread = await assistant.new_thread()
        texts = ["hello", f"look: {WISH}{LONG}", f"and then {LONG}", "look again", f"at last {LONG}"]
        errors = []
        for number, text in enumerate(texts):
            answer = await assistant.say(text, thread=thread, message_id=f"u{number}")
            while answer.text != "It is there.":
                errors.append(answer.one("data-error")["data"])
                assert len(errors) <= 2, "what was refused once is remembered"
                answer = await assistant.say(
                    text, thread=thread, message_id=f"u{number}", trigger="regenerate-message"
                )
        assert {error["code"] for error in errors} <= {"context_too_small"}
        assert all("Press Retry" in error["hint"] for error in errors)
        statuses = Counter(request.status for request in provider.requests)
        assert statuses[400] <= 4, "what was refused once is remembered"
        assert WISH in str(provider.requests[-1].body["messages"])
        kept = await assistant.messages(thread)
        assert [message["parts"][0]["text"] for message in kept if message["role"] == "user"] == texts


@pytest.mark.slow
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


@pytest.mark.slow
async def test_what_sufficed_once_is_the_first_that_is_tried_after_a_restart(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": ""}
    async with ScriptedProvider(small_server(3_000, tells=False), pace=0) as provider:
        for _ in range(2):
            async with talking(tmp_path, environ=environ, provider=provider) as (assistant, _):
                thread = await assistant.new_thread()
                await assistant.say(LONG * 4, thread=thread)
                retried = await assistant.say(LONG * 4, thread=thread, trigger="regenerate-message")
                assert retried.text == "It is there."
        assert [request.status for request in provider.requests] == [400, 400, 400, 200, 400, 200]


async def test_a_window_that_was_set_too_small_for_the_full_form_is_told(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "5000", "COMFYUI_ASSISTANT_PROFILE": "full"}
    async with talking(tmp_path, small_server(5_000, tells=True), environ) as (assistant, provider):
        answer = await assistant.say("hello", thread=await assistant.new_thread())
        error = answer.one("data-error")["data"]
        assert error["code"] == "context_too_small"
        assert "its short form in Settings" in error["hint"]
        assert provider.requests == []


async def test_the_message_that_overflowed_is_shown_the_workflow_when_it_is_retried(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000"}
    call = {"call": "setValue", "arguments": {"name": "steps", "value": "30"}}
    scenario = {**small_server(5_000, tells=True), "turns": [{"user": "", "steps": [{"reply": [call]}]}]}
    async with talking(tmp_path, scenario, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        workflow = posted(*DEFAULT_NODES)
        first = await assistant.say("more detail", thread=thread, workflow=workflow)
        assert first.one("data-error")["data"]["code"] == "context_too_small"
        assert (await assistant.call("GET", f"/assistant/status?thread={thread}")).json["model"]["slim"]

        again = await assistant.say(
            "more detail", thread=thread, trigger="regenerate-message", workflow=workflow
        )

        assert again.one("tool-input-available")["input"] == {"node": "3", "widget": "steps", "value": "30"}
        assert "steps = 20" in str(provider.requests[-1].body["messages"])


async def test_an_answer_of_a_server_that_read_half_of_it_is_not_shown(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000"}
    noise = {
        "reply": [{"say": "I am a helpful assistant."}],
        "usage": {"prompt_tokens": 4_090, "completion_tokens": 6},
    }
    scenario = {**small_server(32_000, tells=True), "turns": [{"user": "", "steps": [{"attempts": [noise]}]}]}
    async with talking(tmp_path, scenario, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        first = await assistant.say(f"hello {LONG}", thread=thread)
        assert first.one("data-error")["data"]["code"] == "context_too_small"
        again = await assistant.say(f"hello {LONG}", thread=thread, trigger="regenerate-message")
        assert (await assistant.call("GET", f"/assistant/status?thread={thread}")).json["model"]["slim"]
        assert again.text == "I am a helpful assistant."
        shown = [part for message in await assistant.messages(thread) for part in message["parts"]]
        assert [part["text"] for part in shown if part["type"] == "text"][1:] == ["I am a helpful assistant."]
        sizes = [len(str(request.body)) for request in provider.requests]
        assert sizes[1] < sizes[0] / 2
