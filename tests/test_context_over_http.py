"""The context engine as the panel and a provider see it: what was sent, step by step."""

from __future__ import annotations

import asyncio
import base64
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.context.reminder import CITATION
from comfyui_assistant.engine.store.log.event_log import LogEvent

from dev.scripted.provider import ScriptedProvider

from .talking import HELLO, LOOK_AND_SAY, system_of, talking

LONG = "word " * 4_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "window", "shares"),
    [
        pytest.param("full", "32000", [1, 1, 1, 1], id="full: the same message in every step"),
        pytest.param("continuation", "32000", [1, 1, 0, 0], id="continuation: whole in the first turn only"),
        pytest.param("auto", "32000", [1, 1, 1, 1], id="auto in a large window"),
        pytest.param("auto", "15000", [1, 1, 0, 0], id="auto in a small window"),
    ],
)
async def test_which_form_of_the_system_message_the_provider_receives(
    tmp_path: Path, mode: str, window: str, shares: list[int]
) -> None:
    environ = {"LLM_SYSTEM_MESSAGE_MODE": mode, "COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}
    async with talking(tmp_path, LOOK_AND_SAY, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("one", thread=thread)
        await assistant.say("two", thread=thread, message_id="u2")
        systems = [system_of(request) for request in provider.requests]
        assert len(systems) == 4
        full, other = systems[0], systems[-1]
        assert [1 if system == full else 0 for system in systems] == shares
        assert full == other or len(other) < len(full) / 2
        assert len({str(request.body["tools"]) for request in provider.requests}) == 1


@pytest.mark.slow
async def test_each_request_is_the_one_before_with_something_added(tmp_path: Path) -> None:
    async with talking(tmp_path, LOOK_AND_SAY) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(4):
            await assistant.say(f"message {number}", thread=thread, message_id=f"u{number}")
        sent = [request.body["messages"] for request in provider.requests]
        assert len(sent) == 8
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))


async def test_a_pin_is_told_in_every_turn_from_the_next_message_on(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        pinned = await assistant.call(
            "POST", f"/assistant/threads/{thread}/pins", {"text": "Never touch node 7."}
        )
        assert pinned.status == 201
        await assistant.say("hi", thread=thread)
        assert (
            "Pinned by the user: Never touch node 7." in provider.requests[0].body["messages"][-1]["content"]
        )
        assert (
            await assistant.call("DELETE", f"/assistant/threads/{thread}/pins/{pinned.json['id']}")
        ).status == 204
        await assistant.say("and now", thread=thread, message_id="u2")
        assert "node 7" not in provider.requests[1].body["messages"][-1]["content"]
        assert "node 7" in provider.requests[1].body["messages"][1]["content"]


@pytest.mark.slow
async def test_a_long_thread_is_condensed_with_a_divider_and_stays_so_after_a_restart(tmp_path: Path) -> None:
    async with ScriptedProvider(HELLO, pace=0) as provider:
        thread, dividers = await _fill_a_thread(tmp_path, provider)
        last = provider.requests[-1].body["messages"]
        async with talking(tmp_path, provider=provider) as (assistant, _):
            await assistant.say("and on", thread=thread, message_id="later")
            assert provider.requests[-1].body["messages"][: len(last)] == last
            compactions = (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json[
                "compactions"
            ]
        assert [entry["id"] for entry in compactions] == [divider["id"] for divider in dividers]
        assert "Message 0." in compactions[0]["text"]


@pytest.mark.slow
async def test_what_the_person_had_condensed_is_shown_once_in_the_next_answer(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        for number in range(3):
            await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
        acted = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "compact"})
        [made] = acted.json["compactions"]
        after = await assistant.say("and now", thread=thread, message_id="after")
        assert after.one("data-compaction")["data"]["id"] == made["id"]
        later = await assistant.say("and later", thread=thread, message_id="later")
        assert not [chunk for chunk in later.chunks if chunk["type"] == "data-compaction"]


async def _fill_a_thread(data: Path, provider: ScriptedProvider) -> tuple[str, list[Any]]:
    async with talking(data, provider=provider) as (assistant, _):
        thread = await assistant.new_thread()
        dividers: list[Any] = []
        for number in range(9):
            answer = await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
            dividers += [chunk["data"] for chunk in answer.chunks if chunk["type"] == "data-compaction"]
        await assistant.say("Short.", thread=thread, message_id="short")
        assert dividers
        assert dividers[0]["tokensAfter"] < dividers[0]["tokensBefore"]
        parts = [part for message in await assistant.messages(thread) for part in message["parts"]]
        assert [part["data"] for part in parts if part["type"] == "data-compaction"] == dividers
        return thread, dividers


@pytest.mark.slow
async def test_a_request_that_a_provider_finds_too_long_is_condensed_and_sent_again(tmp_path: Path) -> None:
    scenario = {**HELLO, "window": 14_000}
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        chunks: list[Any] = []
        for number in range(3):
            answer = await assistant.say(f"{number} {LONG}", thread=thread, message_id=f"u{number}")
            assert answer.text == "Hello there."
            chunks += answer.chunks
        assert any(chunk["type"] == "data-compaction" for chunk in chunks)
        assert [request.status for request in provider.requests].count(400) == 1
        assert len(provider.requests) == 4
        assert len(await assistant.messages(thread)) == 6


@pytest.mark.slow
async def test_what_was_shortened_can_be_read_back_by_the_model(tmp_path: Path) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "steps": [
            {"reply": [{"call": "readToolResult", "arguments": {"ref": "u1", "query": "needle"}}]},
            {"reply": [{"call": "searchHistory", "arguments": {"query": "needle 4711"}}]},
            {"reply": [{"say": "Found."}]},
        ],
    }
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say(f"{LONG * 5} needle 4711 {LONG * 5}", thread=thread)
        first, second = (request.body["messages"] for request in provider.requests[:2])
        assert "needle" not in str(first)
        assert "needle 4711" in second[-1]["content"]
        assert '"ref":"u1"' in provider.requests[2].body["messages"][-1]["content"]


async def test_a_delegated_task_works_in_a_context_of_its_own_and_only_its_outcome_comes_back(
    tmp_path: Path,
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "turns": [
            {
                "user": "Work on this task on your own",
                "steps": [
                    {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
                    {"reply": [{"call": "addNode", "arguments": {"type": "KSampler"}}]},
                    {"reply": [{"say": "KSampler wants a model."}]},
                ],
            },
            {
                "user": "compare",
                "steps": [
                    {
                        "reply": [
                            {"call": "delegate", "arguments": {"task": "Read KSampler", "inputs": ["u1"]}}
                        ]
                    },
                    {"reply": [{"say": "It wants a model."}]},
                ],
            },
        ],
    }
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        answer = await assistant.say("compare the samplers", thread=thread)
        assert answer.text == "It wants a model."
        first, *of_run, last = [request.body for request in provider.requests]
        assert len(of_run) == 3
        assert all(body["tools"] == first["tools"] for body in of_run)
        assert all(body["messages"][0] == first["messages"][0] for body in of_run)
        assert "compare the samplers" in of_run[0]["messages"][1]["content"]
        assert "There is no tool" in of_run[2]["messages"][-1]["content"]
        assert "KSampler wants a model." in last["messages"][-1]["content"]
        assert len(last["messages"]) == 4
        [task] = (await assistant.call("GET", f"/assistant/threads/{thread}/tasks")).json["tasks"]
        assert (task["status"], task["steps"], task["parentTaskId"]) == ("done", 3, None)
        assert task["messages"][0]["role"] == "user"


SUMMARY = "## Decisions\nSeed 4711, because it was liked.\n## Outcomes\nred_00001_.png\n## Open\nnothing"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "is_used"),
    [
        pytest.param(SUMMARY, True, id="a sound one"),
        pytest.param("All is well, I think. " * 4, False, id="one without sections"),
    ],
)
async def test_the_models_own_summary_takes_effect_when_something_is_condensed_anyway(
    tmp_path: Path, written: str, is_used: bool
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "turns": [
            {"user": "Write a record of this conversation", "steps": [{"reply": [{"say": written}]}]},
            {"user": "", "steps": [{"reply": [{"say": "Hello there."}]}]},
        ],
    }
    async with talking(tmp_path, scenario, {"LLM_BACKGROUND_SUMMARY": "on"}) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(8):
            await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
            background = assistant.assistant.background.tasks
            await asyncio.gather(*(task for task in background if task.get_name().endswith("summary")))
        asked = [
            request.body
            for request in provider.requests
            if "Write a record" in str(request.body["messages"][-1])
        ]
        assert asked
        assert asked[0]["tools"] == provider.requests[0].body["tools"]
        compactions = (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json[
            "compactions"
        ]
        assert {entry["status"] for entry in compactions} == {"active"}
        assert any(entry["cause"] == "model" for entry in compactions) == is_used
        assert any("Seed 4711" in entry["text"] for entry in compactions) == is_used
        (day,) = (tmp_path / "memory").glob("*.md")
        remembered = day.read_text("utf-8")
        assert ("Seed 4711" in remembered) == is_used
        assert "- Asked: Message 0." in remembered


def document(name: str, contents: str) -> Any:
    data = base64.b64encode(contents.encode()).decode()
    return {
        "type": "file",
        "mediaType": "text/plain",
        "filename": name,
        "url": f"data:text/plain;base64,{data}",
    }


async def test_documents_are_sent_as_json_where_they_were_attached_and_cited_by_numbers_that_stay(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("Hello.", thread=thread)
        for number, name in ((2, "red.txt"), (4, "blue.txt")):
            parts = [{"type": "text", "text": f"Read {name}."}, document(name, f"It is {name}.")]
            message = {"id": f"u{number}", "role": "user", "parts": parts}
            await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
            await assistant.say("And now?", thread=thread, message_id=f"u{number + 1}")
        requests = [request.body["messages"] for request in provider.requests]
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(requests))
        asked = [message["content"] for message in requests[-1] if message["role"] == "user"]
        assert '"document":1,"title":"red.txt"' in asked[1][0]["text"]
        assert '"contents":"It is red.txt."' in asked[1][0]["text"]
        assert asked[1][1] == {"type": "text", "text": "Read red.txt."}
        assert '"document":2,"title":"blue.txt"' in asked[3][0]["text"]
        ends = [content if isinstance(content, str) else content[-1]["text"] for content in asked]
        assert [end.splitlines()[-2] == CITATION for end in ends] == [False, True, True, True, True]
        kept = await assistant.messages(thread)
        assert kept[2]["parts"][1]["providerMetadata"] == {"comfyuiAssistant": {"document": 1}}


async def test_documents_of_a_client_that_keeps_the_conversation_are_numbered_too(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        messages = [
            {"id": "u1", "role": "user", "parts": [document("red.txt", "A")]},
            {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Yes."}]},
            {"id": "u2", "role": "user", "parts": [document("blue.txt", "B")]},
        ]
        await assistant.call("POST", "/chat", {"messages": messages})
        sent = provider.requests[0].body["messages"]
        assert '"document":1,"title":"red.txt"' in sent[1]["content"][0]["text"]
        assert '"document":2,"title":"blue.txt"' in sent[3]["content"][0]["text"]


async def test_the_date_stands_in_the_reminder_of_each_message_and_nowhere_else(tmp_path: Path) -> None:
    year = time.strftime("%Y")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(2):
            await assistant.say("What day is it?", thread=thread, message_id=f"u{number}")
        system, *others = provider.requests[-1].body["messages"]
        assert f" {year}, " not in system["content"] + str(provider.requests[-1].body["tools"])
        asked = [message["content"] for message in others if message["role"] == "user"]
        assert all(content.splitlines()[-2].startswith("Date: ") for content in asked)
        assert all(year in content.splitlines()[-2] for content in asked)
        assert len(asked) == 2


async def test_images_of_results_reach_an_endpoint_that_takes_no_user_message_behind_results(
    tmp_path: Path,
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "rules": ["mistral"],
        "steps": [
            {"reply": [{"call": "viewImages", "arguments": {"refs": ["a"]}, "id": "abcdefghi"}]},
            {"when": {"results": ["viewImages"], "ok": True}, "reply": [{"say": "It is red."}]},
        ],
    }
    image = {"url": "data:image/png;base64,AAAA", "caption": "red.png 64x64"}
    output = {"ok": True, "summary": "One image.", "data": {"images": [image]}}
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        asked = await assistant.say("Look.", thread=thread)
        call = asked.one("tool-input-available")["toolCallId"]
        part = {"type": "tool-viewImages", "toolCallId": call, "state": "output-available", "output": output}
        message = {"id": asked.one("start")["messageId"], "role": "assistant", "parts": [part]}
        seen = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
        assert seen.text == "It is red."
        result, bridge, images = provider.requests[-1].body["messages"][-3:]
        assert [result["role"], bridge["role"], images["role"]] == ["tool", "assistant", "user"]
        assert "tool_calls" not in bridge
        assert {"type": "image_url", "image_url": {"url": image["url"]}} in images["content"]


@pytest.mark.slow
@pytest.mark.parametrize("data", [{}, {"data": 5}, {"data": {}}, {"data": {"id": []}}])
@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_a_divider_without_its_data_is_no_hindrance(
    tmp_path: Path, role: Any, data: dict[str, Any]
) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        parts = [{"type": "text", "text": "hi"}, {"type": "data-compaction", **data}]
        if role == "user":
            posted = {"id": thread, "messages": [{"id": "u1", "role": "user", "parts": parts}]}
            assert (await assistant.call("POST", "/chat", posted)).text == "Hello there."
        else:
            await assistant.assistant.storage.threads.append(
                thread, [LogEvent("step", "a1", {"parts": parts})]
            )
        assert (await assistant.say("and?", thread=thread, message_id="u2")).text == "Hello there."
        assert (await assistant.call("GET", f"/assistant/threads/{thread}/context")).status == 200
