"""Chunks as a provider streams them, and what is read of them."""

from __future__ import annotations

import itertools
from typing import Any

from comfyui_assistant.engine.base.events import ReasoningDelta, ReplyFinished, StepReset, TextDelta
from comfyui_assistant.engine.llm.replies.normalizer import ReplyNormalizer


def delta(finish_reason: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish_reason}]}


def call(arguments: Any = None, **fields: Any) -> dict[str, Any]:
    name = fields.pop("name", None)
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return delta(tool_calls=[fields | {"function": function}])


def read(*chunks: dict[str, Any]) -> list[Any]:
    numbers = itertools.count(1)
    normalizer = ReplyNormalizer(lambda: f"id{next(numbers)}")
    events = [event for chunk in chunks for event in normalizer.feed(chunk)]
    return events + normalizer.finish()


def calls_of(*chunks: dict[str, Any]) -> list[tuple[str, str]]:
    finished = read(*chunks)[-1]
    assert isinstance(finished, ReplyFinished)
    return [(tool_call.name, tool_call.arguments) for tool_call in finished.calls]


def shown(events: list[Any]) -> tuple[str, str]:
    """The text and the reasoning that a reader ends with."""
    text = reasoning = ""
    for event in events:
        if isinstance(event, StepReset):
            text = reasoning = ""
        elif isinstance(event, TextDelta):
            text += event.text
        elif isinstance(event, ReasoningDelta):
            reasoning += event.text
    return text, reasoning
