"""What a person sees of the context of a thread, and does with it: condense it now, or begin afresh."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.llm.tokenizer import Tokenizer

from ..talking import talking


class WatchedTokenizer(Tokenizer):
    """Remembers on which threads it was made to count."""

    def __init__(self) -> None:
        super().__init__()
        self.counted_on: set[threading.Thread] = set()

    def count(self, text: str) -> int:
        self.counted_on.add(threading.current_thread())
        return super().count(text)


async def test_condensing_by_hand_is_planned_away_from_the_event_loop(tmp_path: Path) -> None:
    tokenizer = WatchedTokenizer()
    async with talking(tmp_path, tokenizer=tokenizer) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread)
        tokenizer.counted_on.clear()
        await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "compact"})
    assert tokenizer.counted_on
    assert threading.main_thread() not in tokenizer.counted_on


@pytest.mark.slow
async def test_a_window_that_is_too_small_is_named_and_clearing_works_in_it(tmp_path: Path) -> None:
    tiny = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "2048", "COMFYUI_ASSISTANT_PROFILE": "full"}
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread)
    path = f"/assistant/threads/{thread}/context"
    async with talking(tmp_path, environ=tiny) as (assistant, _):
        for action in ("compact", "clear"):
            answer = await assistant.call("POST", path, {"action": action})
            assert (answer.status, answer.error_code) == (502, "context_too_small"), action
    async with talking(tmp_path) as (assistant, _):
        report = (await assistant.call("GET", path)).json
        assert [each["cause"] for each in report["compactions"]] == ["clear"]


async def test_the_report_tells_where_the_tokens_are_and_what_was_sent_can_be_read(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        answer = await assistant.say("hi", thread=thread)
        tokens, window = answer.headers["X-Assistant-Context"].split()[0].split("/")
        assert answer.one("data-context")["data"]["estimatedTokens"] == int(tokens)
        assert answer.one("data-context")["transient"] is True
        report = (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json
        assert report["window"] == int(window) == 32_000
        assert report["estimatedTokens"] == pytest.approx(sum(report["blocks"].values()), abs=5)
        assert report["lastUsage"]["inputTokens"] > 0
        assert report["nextAction"]["atTokens"] == report["high"]
        assert report["form"] == answer.one("data-context")["data"]["form"] == "full"
        assert "mode" not in report
        [listed] = (await assistant.call("GET", f"/assistant/threads/{thread}/requests")).json["requests"]
        sent = (await assistant.call("GET", f"/assistant/threads/{thread}/requests/{listed['id']}")).json
        assert sent["messages"] == provider.requests[0].body["messages"]
        assert sent["tools"] == provider.requests[0].body["tools"]


async def test_a_cleared_context_begins_afresh_and_can_be_brought_back(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("the first thing", thread=thread)
        report = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "clear"})
        assert report.json["compactions"][0]["cause"] == "clear"
        await assistant.say("the second thing", thread=thread, message_id="u2")
        assert "the first thing" not in str(provider.requests[1].body["messages"][1:])
        assert len(await assistant.messages(thread)) == 4
        undone = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "undo"})
        assert undone.json["compactions"][0]["status"] == "void"
        await assistant.say("the third thing", thread=thread, message_id="u3")
        assert "the first thing" in str(provider.requests[2].body["messages"][1:])
        again = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "undo"})
        assert (again.status, again.error_code) == (409, "nothing_to_do")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"action": "forget"}, "invalid_request"),
        ({"action": "compact", "focus": 7}, "invalid_request"),
        ({"action": "compact"}, "nothing_to_do"),
    ],
)
async def test_a_context_action_that_makes_no_sense_is_refused(tmp_path: Path, body: Any, code: str) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        refused = await assistant.call("POST", f"/assistant/threads/{thread}/context", body)
        assert refused.status in (400, 409)
        assert refused.error_code == code
        assert refused.json["error"]["hint"]
