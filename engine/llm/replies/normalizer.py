"""Neutral events from a provider's dialect of chat completion chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.events import (
    FinishReason,
    ReasoningDelta,
    ReplyEvent,
    ReplyFinished,
    TextDelta,
    Usage,
)
from ...base.text.portable_text import ValidUnicodeStream
from .loose_types import as_amount, as_count, as_list, as_object, as_text
from .tool_calls import NewCallId, ToolCallAssembler, new_call_id

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

_BROKEN = ("network_error", "error", "engine_overloaded", "abort")


class ReplyNormalizer:
    """Reads `chat.completion.chunk` objects in order; `finish()` follows the end of the stream.

    The finish reason is not trusted where the calls contradict it: Gemini, Ollama and others end a reply with calls
    by `stop`. Some providers split a surrogate pair; its halves are joined here.
    """

    def __init__(self, new_id: NewCallId = new_call_id) -> None:
        self._calls = ToolCallAssembler(new_id)
        self._content = ValidUnicodeStream()
        self._reasoning = ValidUnicodeStream()
        self._reason: FinishReason | None = None
        self._usage: Usage | None = None

    def feed(self, chunk: Mapping[str, Any]) -> list[ReplyEvent]:
        self._usage = _read_usage(chunk.get("usage")) or self._usage
        choice = _first_choice(chunk.get("choices"))
        delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
        if reason := choice.get("finish_reason"):
            self._reason = _finish_reason(as_text(reason), as_text(choice.get("native_finish_reason")))
        events: list[ReplyEvent] = []
        content = _read_content(delta.get("content")) or as_text(delta.get("refusal"))
        reasoning = self._reasoning.feed(_read_reasoning(delta))
        if reasoning := reasoning + (self._reasoning.finish() if content else ""):
            events.append(ReasoningDelta(reasoning))
        if content := self._content.feed(content):
            events.append(TextDelta(content))
        events.extend(self._calls.feed(as_list(delta.get("tool_calls"))))
        return events

    def finish(self) -> list[ReplyEvent]:
        calls = self._calls.calls()
        reason = "tool-calls" if calls and self._reason == "stop" else self._reason
        reasoning, content = self._reasoning.finish(), self._content.finish()
        return [
            *([ReasoningDelta(reasoning)] if reasoning else []),
            *([TextDelta(content)] if content else []),
            ReplyFinished(reason, calls, self._usage),
        ]


def _finish_reason(reason: str, native: str) -> FinishReason:
    """Return the finish reason; OpenRouter also has the one of the provider behind it, which it may have translated to
    a success.
    """
    if native.lower() in _BROKEN:
        return "error"
    if _FINISH_REASONS.get(native.lower()) == "length":
        return "length"
    return _FINISH_REASONS.get(reason, "other")


def _first_choice(choices: Any) -> Mapping[str, Any]:
    """Return the choice with index 0 or without an index; others are alternatives that were not requested."""
    entries = (as_object(choice) for choice in as_list(choices))
    return next((choice for choice in entries if not as_count(choice.get("index"))), {})


def _read_content(content: Any) -> str:
    return as_text(content) or "".join(as_text(as_object(part).get("text")) for part in as_list(content))


def _read_reasoning(delta: Mapping[str, Any]) -> str:
    """Return the reasoning: DeepSeek and llama.cpp send `reasoning_content`, vLLM, OpenRouter and Ollama `reasoning`;
    some both.
    """
    return as_text(delta.get("reasoning_content")) or as_text(delta.get("reasoning"))


def _read_usage(usage: Any) -> Usage | None:
    """Return the tokens of the request, with those from the provider's cache.

    Most providers include cached tokens in `prompt_tokens`. If more were cached than counted, they are separate, as
    with Anthropic and some gateways. Gateways also report their charge, in dollars: https://openrouter.ai/docs/use-
    cases/usage-accounting
    """
    usage = as_object(usage)
    input_tokens = as_count(usage.get("prompt_tokens"))
    if input_tokens is None:
        return None
    cache_counts = [as_object(usage.get("prompt_tokens_details")).get("cached_tokens")]
    cache_counts += [
        usage.get(name) for name in ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
    ]
    cached_tokens = next((count for count in map(as_count, cache_counts) if count is not None), None)
    if cached_tokens is not None and cached_tokens > input_tokens:
        input_tokens += cached_tokens + (as_count(usage.get("cache_creation_input_tokens")) or 0)
    output_tokens = as_count(usage.get("completion_tokens")) or 0
    return Usage(input_tokens, output_tokens, cached_tokens, as_amount(usage.get("cost")))
