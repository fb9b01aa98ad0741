"""From a provider's dialect of chat completion chunks to neutral events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..events import FinishReason, ReasoningDelta, ReplyEvent, ReplyFinished, Usage
from ..whole_text import WholeTextStream
from .call_ids import CallIds, new_call_id
from .think_tags import ThinkTagSplitter
from .tool_calls import ToolCallAssembler

_FINISH_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
    "error": "error",
}


class Normaliser:
    """Reads `chat.completion.chunk` objects in order; `finish()` once the stream has ended.

    The reason a provider gives is not trusted where calls tell better: Gemini, Ollama and others end a reply that
    holds calls with `stop`. Some cut a character in two: its halves are joined before they leave here.
    """

    def __init__(self, new_id: CallIds = new_call_id) -> None:
        self._calls = ToolCallAssembler(new_id)
        self._text = ThinkTagSplitter()
        self._content = WholeTextStream()
        self._reasoning = WholeTextStream()
        self._reason: FinishReason | None = None
        self._usage: Usage | None = None

    def feed(self, chunk: Mapping[str, Any]) -> list[ReplyEvent]:
        self._usage = _read_usage(chunk.get("usage")) or self._usage
        choices = chunk.get("choices") or []
        if not choices:
            return []
        choice = choices[0]
        delta = choice.get("delta") or choice.get("message") or {}
        if choice.get("finish_reason"):
            self._reason = _FINISH_REASONS.get(choice["finish_reason"], "other")
        events: list[ReplyEvent] = []
        content = _read_content(delta.get("content") or delta.get("refusal"))
        reasoning = self._reasoning.feed(_read_reasoning(delta))
        if reasoning := reasoning + (self._reasoning.finish() if content else ""):
            events.append(ReasoningDelta(reasoning))
        if content := self._content.feed(content):
            events.extend(self._text.feed(content))
        if delta.get("tool_calls"):
            events.extend(self._calls.feed(delta["tool_calls"]))
        return events

    def finish(self) -> list[ReplyEvent]:
        calls = self._calls.calls()
        reason = "tool-calls" if calls and self._reason == "stop" else self._reason
        thought = self._reasoning.finish()
        return [
            *([ReasoningDelta(thought)] if thought else []),
            *self._text.feed(self._content.finish()),
            *self._text.finish(),
            ReplyFinished(reason, calls, self._usage),
        ]


def _read_content(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content or ""


def _read_reasoning(delta: Mapping[str, Any]) -> str:
    """DeepSeek and llama.cpp say `reasoning_content`, vLLM, OpenRouter and Ollama `reasoning`; some say both."""
    value = delta.get("reasoning_content") or delta.get("reasoning")
    return value if isinstance(value, str) else ""


def _read_usage(usage: Any) -> Usage | None:
    """Tokens of the request, those from the provider's cache included.

    Most providers count them in `prompt_tokens`. Where more was cached than counted, the cached ones are told apart,
    as Anthropic does it, and some gateways after it.
    """
    if not isinstance(usage, Mapping) or not isinstance(usage.get("prompt_tokens"), int):
        return None
    details = usage.get("prompt_tokens_details")
    told = [details.get("cached_tokens")] if isinstance(details, Mapping) else []
    told += [
        usage.get(name) for name in ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
    ]
    cached = next((count for count in told if isinstance(count, int)), None)
    read = usage["prompt_tokens"]
    if cached is not None and cached > read:
        written = usage.get("cache_creation_input_tokens")
        read += cached + (written if isinstance(written, int) else 0)
    return Usage(read, usage.get("completion_tokens") or 0, cached)
