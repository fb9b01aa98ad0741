from __future__ import annotations

import asyncio
import gc
import json
import re
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.chat.turn_locks import TurnLocks
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Patience

from dev.scripted.provider import ScriptedProvider

from .running_assistant import RunningAssistant, running_assistant
from .talking import talking

ROOT = Path(__file__).parent.parent
KEY = "sk-canary-0123456789abcdef"
HELLO = {"about": "A test.", "steps": [{"reply": [{"say": "Hello there."}]}], "after": "repeat", "pace": 0}
LOOK = {
    "about": "A test.",
    "pace": 0,
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"call": "addNode", "arguments": {"type": "KSampler"}}]},
        {"reply": [{"say": "It is there."}]},
    ],
}


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(HELLO, pace=0) as running:
        yield running


@pytest.fixture
async def assistant(provider: ScriptedProvider, tmp_path: Path) -> AsyncIterator[RunningAssistant]:
    environ = {
        "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
        "COMFYUI_ASSISTANT_MODEL": "scripted",
        "COMFYUI_ASSISTANT_API_KEY": KEY,
        "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000",
    }
    async with running_assistant(tmp_path, environ) as running:
        yield running


async def test_a_message_is_answered_and_kept(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    thread = await assistant.new_thread()
    answer = await assistant.say("hi", thread=thread)
    assert answer.status == 200
    assert answer.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert answer.text == "Hello there."
    assert answer.body.endswith(b"data: [DONE]\n\n")
    assert provider.refusals == []
    messages = await assistant.messages(thread)
    assert [message["role"] for message in messages] == ["user", "assistant"]
    assert messages[1]["id"] == answer.one("start")["messageId"]
    assert messages[1]["metadata"]["custom"]["usage"]["inputTokens"] > 0
    listed = (await assistant.call("GET", "/assistant/threads")).json["threads"]
    assert [(entry["id"], entry["title"], entry["messageCount"]) for entry in listed] == [(thread, "hi", 2)]


@pytest.mark.slow
async def test_a_turn_over_server_and_browser_tools_sends_a_history_that_the_provider_accepts(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    provider.play(LOOK)
    thread = await assistant.new_thread()
    first = await assistant.say("add a sampler", thread=thread)
    assert first.one("finish")["finishReason"] == "tool-calls"
    assert first.one("tool-output-available")["output"]["ok"] is True
    message = (await assistant.messages(thread))[-1]
    call = next(part for part in message["parts"] if part["type"] == "tool-addNode")
    call.update(
        state="output-available", output={"ok": True, "summary": "Added node 1.", "data": {"id": "1"}}
    )
    second = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
    assert second.text == "It is there."
    assert second.one("start")["messageId"] == message["id"]
    assert provider.refusals == []
    assert len(provider.requests) == 3
    again = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
    assert (again.status, again.error_code) == (409, "already_answered")


async def test_every_request_of_a_thread_begins_with_the_same_bytes(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    thread = await assistant.new_thread()
    for number in range(3):
        await assistant.say(f"question {number}", thread=thread, message_id=f"u{number}")
        (assistant.data / "rules.md").write_text(f"- rule {number}", "utf-8")
    bodies = [record.body for record in provider.requests]
    assert len({json.dumps([body["messages"][0], body["tools"]]) for body in bodies}) == 1
    for earlier, later in pairwise(bodies):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]


async def test_without_a_thread_the_posted_conversation_is_used_as_it_is(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    messages = [
        {"id": "s", "role": "system", "parts": [{"type": "text", "text": "My own rules."}]},
        {"id": "u", "role": "user", "parts": [{"type": "text", "text": "hi"}]},
    ]
    answer = await assistant.call("POST", "/chat", {"messages": messages})
    assert answer.text == "Hello there."
    assert provider.requests[0].body["messages"] == [
        {"role": "system", "content": "My own rules."},
        {"role": "user", "content": "hi"},
    ]
    assert (await assistant.call("GET", "/assistant/threads")).json["threads"] == []


async def test_retry_and_edit_go_back_in_the_thread(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    thread = await assistant.new_thread()
    first = await assistant.say("one", thread=thread)
    answer = first.one("start")["messageId"]
    retried = await assistant.say("one", thread=thread, trigger="regenerate-message", messageId=answer)
    assert retried.text == "Hello there."
    assert len(await assistant.messages(thread)) == 2
    await assistant.say("two", thread=thread, message_id="u2", parentId=None)
    assert (await assistant.messages(thread))[0]["id"] == "u2"
    [sent] = provider.requests[-1].body["messages"][1:]
    assert sent["content"].startswith("two\n\n<reminder>\nDate: ")


async def test_an_activated_skill_reaches_the_model_and_an_unknown_one_is_named(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    folder = assistant.data / "skills" / "neon-look"
    folder.mkdir(parents=True)
    text = "---\nname: neon-look\ndescription: Neon.\n---\nUse magenta and cyan, `KSampler` and `AddNoise`."
    (folder / "SKILL.md").write_text(text, "utf-8")
    thread = await assistant.new_thread()
    missing = await assistant.say("/skill neon-lok", thread=thread)
    assert (missing.status, missing.error_code) == (404, "not_found")
    assert "neon-look" in missing.json["error"]["hint"]
    assert await assistant.messages(thread) == []
    await assistant.say("/skill neon-look a street", thread=thread)
    sent = provider.requests[0].body["messages"][-1]["content"]
    assert "Use magenta and cyan, `KSampler` and `AddNoise`.\n\nNot installed here: AddNoise." in sent
    assert "a street" in sent
    await assistant.say("/home/me/wf.json please load", thread=thread, message_id="u2")
    assert provider.requests[1].body["messages"][-1]["content"].startswith("/home/me/wf.json please load")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        pytest.param(b"{", 400, "invalid_request", id="no JSON"),
        pytest.param(b"x" * 9_000_000, 413, "too_large", id="too large"),
        pytest.param({"messages": []}, 400, "invalid_request", id="no messages"),
        pytest.param(
            {"messages": [{"id": "u", "role": "user", "parts": []}]}, 400, "invalid_request", id="no parts"
        ),
        pytest.param(
            {
                "id": "gone",
                "messages": [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "x"}]}],
            },
            404,
            "unknown_thread",
            id="unknown thread",
        ),
        pytest.param(b'{"messages":1e999}', 400, "invalid_request", id="a number too large"),
        pytest.param(
            b'{"messages":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
            400,
            "invalid_request",
            id="10,000 nested arrays",
        ),
    ],
)
async def test_a_bad_request_is_refused_before_any_model_is_asked(
    assistant: RunningAssistant, provider: ScriptedProvider, body: Any, status: int, code: str
) -> None:
    answer = await assistant.call("POST", "/chat", body)
    assert (answer.status, answer.error_code) == (status, code)
    assert answer.json["error"]["message"]
    assert provider.requests == []


async def test_a_result_for_a_call_that_was_never_made_is_refused(assistant: RunningAssistant) -> None:
    thread = await assistant.new_thread()
    await assistant.say("hi", thread=thread)
    made_up = {
        "type": "tool-addNode",
        "toolCallId": "x",
        "state": "output-available",
        "input": {},
        "output": {},
    }
    message = {"id": "made-up", "role": "assistant", "parts": [made_up]}
    answer = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
    assert (answer.status, answer.error_code) == (400, "invalid_request")


@pytest.mark.slow
async def test_every_route_and_its_alias_is_guarded(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    foreign = [
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ]
    for route in assistant.assistant.routes():
        path = re.sub(r"\{\w+\}", "x", route.path)
        for prefix in ("", "/api"):
            for headers in foreign:
                url = assistant.server.make_url(prefix + path)
                async with assistant.session.request(route.method, url, headers=headers) as response:
                    assert response.status == 403, (route, headers)
            if route.method != "GET":
                async with assistant.session.request(
                    route.method,
                    assistant.server.make_url(prefix + path),
                    data="{}",
                    headers={"Content-Type": "text/plain"},
                ) as response:
                    assert response.status == 415, route
    assert provider.requests == []


async def test_every_route_is_described_in_the_docs(assistant: RunningAssistant) -> None:
    described = set(
        re.findall(r"^### `(\w+) (/\S+)`", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
    )
    assert described == {(route.method, f"/api{route.path}") for route in assistant.assistant.routes()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("wrong-key", "key_refused"),
        ("unknown-model", "unknown_model"),
        ("empty-reply", "empty_reply"),
        ("quota", "quota_exhausted"),
        ("context-overflow", "context_too_small"),
        ("error-mid-stream", "provider_failed"),
        ("html-error", "provider_failed"),
    ],
)
async def test_each_failure_of_a_provider_has_its_own_message_and_stays_in_the_thread(
    assistant: RunningAssistant, provider: ScriptedProvider, scenario: str, code: str
) -> None:
    provider.play(scenario)
    thread = await assistant.new_thread()
    answer = await assistant.say("hello", thread=thread)
    error = answer.one("data-error")["data"]
    assert error["code"] == code
    assert error["message"]
    assert error["hint"]
    assert answer.chunks[-1]["type"] == "error"
    assert KEY not in answer.body.decode()
    messages = await assistant.messages(thread)
    assert messages[0]["parts"][0]["text"] == "hello"
    assert messages[1]["parts"][-1] == {"type": "data-error", "data": error}


async def test_an_unreachable_endpoint_is_told_at_once(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_BASE_URL": "http://127.0.0.1:9/v1", "COMFYUI_ASSISTANT_MODEL": "m"}
    async with running_assistant(tmp_path, environ) as assistant:
        answer = await assistant.say("hello", thread=await assistant.new_thread())
        assert answer.one("data-error")["data"]["code"] == "provider_unreachable"
        assert "http://127.0.0.1:9/v1" in answer.one("error")["errorText"]


async def test_when_nobody_comes_back_the_model_is_stopped_and_the_text_is_kept(tmp_path: Path) -> None:
    half = {
        "about": "A test.",
        "pace": 0,
        "steps": [{"reply": [{"say": ["Half "]}, {"wait": "60s"}, {"say": ["never"]}]}],
    }
    async with talking(tmp_path, half, {"LLM_UNREAD_SECONDS": "0"}) as (assistant, provider):
        thread = await assistant.new_thread()
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
        url = assistant.server.make_url("/api/chat")
        response = await assistant.session.post(url, json={"id": thread, "messages": [message]})
        while b"Half" not in await response.content.readline():
            pass
        began = time.monotonic()
        response.close()
        await provider.wait_until(lambda: provider.open_streams == 0)
        assert time.monotonic() - began < 30
        for _ in range(50):
            parts = (await assistant.messages(thread))[-1]["parts"]
            if parts[-1]["type"] == "data-notice":
                break
            await asyncio.sleep(0.05)
        assert [part.get("text") for part in parts[:2]] == [None, "Half "]
        assert parts[-1]["data"]["code"] == "interrupted"


async def test_one_thread_answers_one_message_at_a_time(tmp_path: Path) -> None:
    slow = {"about": "A test.", "pace": 0, "steps": [{"reply": [{"wait": "1s"}, {"say": "done"}]}]}
    impatient = TurnLocks(patience_seconds=0.05)
    async with talking(tmp_path, slow, turn_locks=impatient) as (assistant, provider):
        thread = await assistant.new_thread()
        first = asyncio.create_task(assistant.say("one", thread=thread))
        await provider.wait_until(lambda: provider.open_streams == 1)
        second = await assistant.say("two", thread=thread, message_id="u2")
        assert (second.status, second.error_code) == (409, "turn_running")
        assert (await first).text == "done"


async def test_a_model_that_stalls_ends_the_answer_with_what_it_said(tmp_path: Path) -> None:
    client = ChatClient(patience=Patience(first_event=60, next_event=0.1))
    async with talking(tmp_path, "stalled", client=client) as (assistant, _):
        thread = await assistant.new_thread()
        answer = await assistant.say("hello", thread=thread)
        assert answer.text == "One moment"
        assert answer.one("data-error")["data"]["code"] == "provider_silent"
        kept = (await assistant.messages(thread))[-1]["parts"]
        assert [part["type"] for part in kept] == ["step-start", "text", "data-error"]


async def test_stopping_a_turn_stops_the_tasks_that_it_delegated_and_theirs(tmp_path: Path) -> None:
    def delegates(user: str, task: str) -> dict[str, Any]:
        return {"user": user, "steps": [{"reply": [{"call": "delegate", "arguments": {"task": task}}]}]}

    half = {"reply": [{"say": "Half"}], "finish": "none", "end": "hang"}
    scenario = {
        "about": "A test.",
        "pace": 0,
        "turns": [
            delegates("compare", "the outer one"),
            delegates("Task: the outer one", "the inner one"),
            {"user": "Task: the inner one", "steps": [half]},
        ],
    }
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "compare"}]}
        url = assistant.server.make_url("/api/chat")
        response = await assistant.session.post(url, json={"id": thread, "messages": [message]})
        await provider.wait_until(lambda: len(provider.requests) == 3 and provider.open_streams == 1)
        assert (await assistant.call("POST", f"/assistant/threads/{thread}/stop", {})).json == {
            "stopped": True
        }
        response.close()
        await provider.wait_until(lambda: provider.open_streams == 0)
        cleared = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "clear"})
        assert cleared.status == 200, "the thread is still held by the turn that was stopped"
        tasks = (await assistant.call("GET", f"/assistant/threads/{thread}/tasks")).json["tasks"]
        assert [task["status"] for task in tasks] == ["cancelled", "cancelled"]
        assert {task["parentTaskId"] for task in tasks} == {None, *(task["id"] for task in tasks[:1])}
        kept = (await assistant.messages(thread))[-1]["parts"]
        assert [part.get("state") for part in kept[1:]] == ["input-available", None]
        assert kept[-1]["data"]["code"] == "interrupted"
        assert len(provider.requests) == 3


@pytest.mark.slow
async def test_nothing_of_a_chat_holds_up_the_event_loop(assistant: RunningAssistant) -> None:
    """Told by the processor time of the loop's own thread between two looks, which other programs cannot lengthen.

    What earlier tests left in memory is not the chat's: with it, one pass of the garbage collector takes over 0.3 s.
    """
    await assistant.say("warm up", thread=await assistant.new_thread())
    gc.collect()
    gc.freeze()
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - before)

    watcher = asyncio.create_task(watch())
    thread = await assistant.new_thread()
    for number in range(10):
        await assistant.say(f"question {number}", thread=thread, message_id=f"u{number}")
    watcher.cancel()
    gc.unfreeze()
    assert longest < 0.02


async def test_a_message_waits_for_few_threads_before_the_model_is_asked(
    assistant: RunningAssistant, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going to another thread and back costs more than most of the work that is done there."""
    thread = await assistant.new_thread()
    for number in range(2):
        await assistant.say(f"warm up {number}", thread=thread, message_id=f"w{number}")
    loop, asked, began = asyncio.get_running_loop(), len(provider.requests), 0
    run_in_executor = loop.run_in_executor

    def counted(executor: Any, function: Any, *arguments: Any) -> Any:
        nonlocal began
        began += len(provider.requests) == asked
        return run_in_executor(executor, function, *arguments)

    monkeypatch.setattr(loop, "run_in_executor", counted)
    await assistant.say("the question", thread=thread, message_id="q")
    assert 0 < began <= 10


@pytest.mark.parametrize("scenario", ["cut-off", "cut-off-call"])
async def test_a_connection_that_breaks_keeps_the_text_and_runs_no_call(
    assistant: RunningAssistant, provider: ScriptedProvider, scenario: str
) -> None:
    provider.play(scenario)
    answer = await assistant.say("hello", thread=await assistant.new_thread())
    assert answer.one("data-notice")["data"]["code"] == "cut-off"
    assert answer.chunks[-1]["finishReason"] == "other"
    assert "tool-input-available" not in [chunk["type"] for chunk in answer.chunks]


async def test_a_provider_that_wants_its_reasoning_back_gets_it_and_others_do_not(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    for scenario in ("dialects/q52-reasoning-must-come-back", "dialects/q53-reasoning-must-not-come-back"):
        provider.play(scenario)
        answer = await assistant.say("hello", thread=await assistant.new_thread())
        assert answer.chunks[-1]["type"] == "finish", scenario


async def test_a_kimi_that_thinks_gets_thoughts_and_ids_back_also_where_it_had_no_thought(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    provider.play("dialects/q58-kimi-thinks")
    answer = await assistant.say("find the save node", thread=await assistant.new_thread())
    assert answer.chunks[-1]["type"] == "finish"
    assert len(provider.refusals) == 1
    [_, _, first, _, second, _] = provider.requests[-1].body["messages"]
    assert [first["reasoning_content"], second["reasoning_content"]] == ["I must search.", " "]
    assert [first["tool_calls"][0]["id"], second["tool_calls"][0]["id"]] == [
        "functions.searchInstalledNodes:0",
        "functions.getNodeInfo:1",
    ]
    assert "tool_choice" not in provider.requests[-1].body


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["q06-thought-signature", "q06-thought-signature-in-its-own-delta"])
async def test_geminis_thought_signatures_go_back_with_their_calls(
    assistant: RunningAssistant, provider: ScriptedProvider, scenario: str
) -> None:
    provider.play(f"dialects/{scenario}")
    answer = await assistant.say("hello", thread=await assistant.new_thread())
    assert answer.chunks[-1]["type"] == "finish"
    assert provider.refusals == []


async def test_a_call_that_a_model_wrote_into_its_text_is_run_as_any_other(
    assistant: RunningAssistant, provider: ScriptedProvider
) -> None:
    provider.play("dialects/q24-call-as-text")
    answer = await assistant.say("find the save node", thread=await assistant.new_thread())
    assert answer.one("tool-input-available")["input"] == {"query": "save"}
    assert answer.text.strip() == "It is SaveImage."
    assert provider.refusals == []
