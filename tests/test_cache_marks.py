"""What a provider keeps of requests that say up to where: as Anthropic counts it, over forty turns with tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .talking import talking

LOOKS_AND_SAYS = {
    "about": "Looks a node up, then answers.",
    "pace": 0,
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"say": "It wants a model, and so on, as one says when there is more. " * 6}]},
    ],
    "after": "repeat",
}
LOOK_BACK = 20


class Kept:
    """Prefixes that were written, by what they hold without their marks."""

    def __init__(self) -> None:
        self._prefixes: set[str] = set()
        self.read = self.sent = 0

    def ask(self, messages: Sequence[Any], tools: Any) -> None:
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
        self.read += len(prefixes[max(found)]) if found else 0
        self.sent += len(prefixes[-1])
        self._prefixes |= {prefixes[mark] for mark in marks}


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


async def test_nearly_all_of_forty_turns_is_kept(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_MODEL": "anthropic/claude-sonnet-4.5"}
    async with talking(tmp_path, LOOKS_AND_SAYS, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        for turn in range(40):
            await assistant.say(f"look at KSampler, {turn}", thread=thread, message_id=f"u{turn}")
        assert len(provider.requests) == 80
        kept = Kept()
        for request in provider.requests:
            kept.ask(request.body["messages"], request.body["tools"])
    share = kept.read / kept.sent
    print(f"{share:.1%} of what was sent in 80 requests was kept")
    assert share >= 0.93
