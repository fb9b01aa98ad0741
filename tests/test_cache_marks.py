"""The share of requests with cache marks that a gateway to Anthropic's models caches, over forty turns with tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dev.scripted.provider import ScriptedProvider
from dev.scripted.scenario import Call, Say, Step

from .talking import HELLO, talking

TURNS = 40
CONDENSED_BEFORE = 25
LOOK_BACK = 20
CHARACTERS_PER_TOKEN = 4


class Gateway:
    """A gateway that caches prompts. It calls a tool for each message, then answers.

    The cached part of a request is the longest prefix up to an earlier mark, compared without the marks.
    """

    def __init__(self) -> None:
        self._prefixes: set[str] = set()
        self.missed: list[int] = []
        """The numbers of the requests of which nothing was cached."""
        self.asked = 0

    def answer(self, body: dict[str, Any]) -> Step:
        messages = body["messages"]
        sent, kept = self._take(messages, body["tools"])
        if not kept:
            self.missed.append(self.asked)
        self.asked += 1
        usage = {
            "prompt_tokens": sent // CHARACTERS_PER_TOKEN,
            "completion_tokens": 100,
            "prompt_tokens_details": {"cached_tokens": kept // CHARACTERS_PER_TOKEN},
        }
        if messages[-1]["role"] == "tool":
            said = "It wants a model, and so on, as one says when there is more. " * 6
            return Step(reply=[Say(say=said)], usage=usage)
        return Step(reply=[Call(call="getNodeInfo", arguments={"types": ["KSampler"]})], usage=usage)

    def _take(self, messages: Sequence[Any], tools: Any) -> tuple[int, int]:
        """Return the number of characters that were sent, and of those that were cached."""
        blocks = [json.dumps(tools)] + [json.dumps(without_mark(message)) for message in messages]
        marks = [index for index, message in enumerate(messages, 1) if has_mark(message)]
        assert 1 <= len(marks) <= 4
        prefixes = ["".join(blocks[: index + 1]) for index in range(len(blocks))]
        found = [
            index
            for mark in marks
            for index in range(mark, max(0, mark - LOOK_BACK), -1)
            if prefixes[index] in self._prefixes
        ]
        self._prefixes |= {prefixes[mark] for mark in marks}
        return len(prefixes[-1]), len(prefixes[max(found)]) if found else 0


def has_mark(message: Any) -> bool:
    content = message["content"]
    return isinstance(content, list) and any("cache_control" in part for part in content)


def without_mark(message: Any) -> Any:
    content = message["content"]
    if isinstance(content, list):
        content = [
            {name: value for name, value in part.items() if name != "cache_control"} for part in content
        ]
        if [part["type"] for part in content] == ["text"]:
            content = content[0]["text"]
    return {**message, "content": content}


@pytest.mark.slow
async def test_nearly_all_of_forty_turns_is_kept_and_only_condensing_begins_anew(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_MODEL": "anthropic/claude-sonnet-4.5"}
    gateway = Gateway()
    async with (
        ScriptedProvider(HELLO, program=gateway.answer, pace=0) as provider,
        talking(tmp_path, environ=environ, provider=provider) as (assistant, _),
    ):
        thread = await assistant.new_thread()
        for turn in range(TURNS):
            if turn == CONDENSED_BEFORE:
                condense = {"action": "compact"}
                path = f"/assistant/threads/{thread}/context"
                assert (await assistant.call("POST", path, condense)).status == 200
            await assistant.say(f"look at KSampler, {turn}", thread=thread, message_id=f"u{turn}")
        spent = (await assistant.call("GET", "/assistant/costs")).json["total"]
    assert gateway.asked == 2 * TURNS
    assert gateway.missed == [0, 2 * CONDENSED_BEFORE]
    share = spent["cachedInputTokens"] / spent["inputTokens"]
    print(f"{share:.1%} of what was sent in {gateway.asked} requests was kept, by the gateway's own count")
    assert share >= 0.93
