"""A reader of the scripted provider's streams, made of the openai client and our own readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import openai
from comfyui_assistant.engine.base.events import ReasoningDelta, ReplyFinished, StepReset, TextDelta
from comfyui_assistant.engine.llm.replies.normalizer import ReplyNormalizer
from comfyui_assistant.engine.llm.replies.thoughts import Thoughts
from comfyui_assistant.engine.llm.replies.tool_calls import parse_arguments


@dataclass
class Reply:
    text: str = ""
    reasoning: str = ""
    calls: list[tuple[str, Any]] = field(default_factory=list)
    reason: str | None = None
    error: str | None = None
    usage: Any = None


async def read_reply(base_url: str, messages: list[dict[str, Any]], **options: Any) -> Reply:
    reply = Reply()
    normalizer, thoughts = ReplyNormalizer(), Thoughts()
    async with openai.AsyncOpenAI(base_url=base_url, api_key="sk-test", max_retries=0) as client:
        try:
            request = {"model": "scripted", "stream_options": {"include_usage": True}, **options}
            known = {name: value for name, value in request.items() if value is not None}
            stream = await client.chat.completions.create(messages=messages, stream=True, **known)
            async for chunk in stream:
                _add(reply, thoughts, normalizer.feed(chunk.model_dump(warnings=False)))
        except openai.APIError as error:
            reply.error = error.message
        except Exception as error:  # the HTTP client's own error when the connection drops
            reply.error = f"{type(error).__name__}: {error}"
    _add(reply, thoughts, normalizer.finish())
    return reply


def _add(reply: Reply, thoughts: Thoughts, events: list[Any]) -> None:
    for event in (passed for given in events for passed in thoughts.feed(given)):
        if isinstance(event, StepReset):
            reply.text = reply.reasoning = ""
        elif isinstance(event, TextDelta):
            reply.text += event.text
        elif isinstance(event, ReasoningDelta):
            reply.reasoning += event.text
        elif isinstance(event, ReplyFinished):
            reply.reason, reply.usage = event.reason, event.usage
            for call in event.calls:
                parsed = parse_arguments(call.arguments)
                reply.calls.append((call.name, call.arguments if parsed is None else parsed))
