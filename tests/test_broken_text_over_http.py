"""Invalid JSON from any source breaks neither a response nor a thread."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.text.portable_text import strict_json

from dev.scripted.provider import ScriptedProvider

from .running_assistant import RunningAssistant, running_assistant
from .store.log_events import step, text, user

ENVIRON = {"COMFYUI_ASSISTANT_MODEL": "scripted", "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000"}


@asynccontextmanager
async def asking(folder: Path, reply: list[Any]) -> AsyncIterator[tuple[RunningAssistant, ScriptedProvider]]:
    """The assistant in front of a model that always gives this reply."""
    scenario = {"about": "A test.", "steps": [{"reply": reply}], "after": "repeat"}
    async with ScriptedProvider(scenario, pace=0) as provider:
        environ = {**ENVIRON, "COMFYUI_ASSISTANT_BASE_URL": provider.base_url}
        async with running_assistant(folder, environ) as assistant:
            yield assistant, provider


def raw(**delta: Any) -> dict[str, str]:
    """A frame with its text as ASCII, so that it can hold half of a character."""
    return {"raw": f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n"}


async def test_an_emoji_that_a_model_cuts_in_two_arrives_whole_and_the_thread_goes_on(tmp_path: Path) -> None:
    reply = [raw(content="Hi \ud83d"), raw(content="\ude00, \ud83d")]
    async with asking(tmp_path, reply) as (assistant, provider):
        thread = await assistant.new_thread()
        answer = await assistant.say("hi", thread=thread)
        assert answer.text == "Hi 😀, \ufffd"
        assert answer.body.endswith(b"data: [DONE]\n\n")
        assert (await assistant.messages(thread))[1]["parts"][1]["text"] == "Hi 😀, \ufffd"
        await assistant.say("and?", thread=thread, message_id="u2")
        assert len(provider.requests) == 2
        assert provider.refusals == []


async def test_half_a_character_in_what_the_person_typed_is_replaced_and_sent(tmp_path: Path) -> None:
    async with asking(tmp_path, [{"say": "Yes."}]) as (assistant, provider):
        thread = await assistant.new_thread()
        answer = await assistant.say("hi \ud83d", thread=thread)
        assert answer.text.strip() == "Yes."
        assert (await assistant.messages(thread))[0]["parts"] == [{"type": "text", "text": "hi \ufffd"}]
        assert "hi \ufffd" in str(provider.requests[0].body["messages"][-1]["content"])


async def test_half_a_character_in_the_arguments_of_a_call_reaches_nobody(tmp_path: Path) -> None:
    call = {"index": 0, "id": "x", "function": {"name": "addNode", "arguments": '{"type":"\\ud83d"}'}}
    async with asking(tmp_path, [raw(tool_calls=[call])]) as (assistant, _):
        thread = await assistant.new_thread()
        answer = await assistant.say("hi", thread=thread)
        assert answer.one("tool-input-available")["input"] == {"type": "\ufffd"}
        assert (await assistant.messages(thread))[1]["parts"][1]["input"] == {"type": "\ufffd"}


@pytest.mark.slow
async def test_a_number_that_is_none_in_the_arguments_of_a_call_is_for_the_model_to_repair(
    tmp_path: Path,
) -> None:
    call = {"index": 0, "id": "x", "function": {"name": "addNode", "arguments": '{"cfg":NaN}'}}
    async with asking(tmp_path, [raw(tool_calls=[{**call, "extra_content": {"at": float("inf")}}])]) as (
        assistant,
        _,
    ):
        thread = await assistant.new_thread()
        answer = await assistant.say("hi", thread=thread)
        refused = answer.one("tool-output-available")
        assert refused["output"]["error"].startswith("The arguments of addNode are no JSON object")
        assert b"Infinity" not in answer.body
        assert (await assistant.messages(thread))[1]["parts"][1]["rawInput"] == '{"cfg":NaN}'


async def test_a_thread_that_was_stored_with_numbers_that_are_none_is_read_with_null(tmp_path: Path) -> None:
    async with asking(tmp_path, [{"say": "Yes."}]) as (assistant, _):
        thread = await assistant.new_thread()
        settled = {
            "type": "tool-look",
            "toolCallId": "c1",
            "state": "output-available",
            "input": {"cfg": float("nan")},
        }
        answered = {**settled, "output": {"ok": True, "data": [float("inf")]}}
        await assistant.assistant.storage.threads.append(thread, [user("u1", "hi"), step("a1", answered)])
        kept = (await assistant.messages(thread))[1]["parts"][1]
        assert (kept["input"], kept["output"]["data"]) == ({"cfg": None}, [None])
        exported = (await assistant.call("GET", f"/assistant/threads/{thread}/export")).body
        strict_json(exported.decode())


async def test_a_thread_that_was_stored_with_half_a_character_opens_and_goes_on(tmp_path: Path) -> None:
    async with asking(tmp_path, [{"say": "Yes."}]) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.assistant.storage.threads.append(
            thread, [user("u1", "hi"), step("a1", text("Hm \ud83d."))]
        )
        assert (await assistant.messages(thread))[1]["parts"][1]["text"] == "Hm \ufffd."
        answer = await assistant.say("and?", thread=thread, message_id="u2")
        assert answer.text == "Yes."
        assert provider.refusals == []
