"""Neutral events from a provider's dialect of chat completion chunks, reasoning within `<think>` tags included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...base.events import (
    FinishReason,
    ReasoningDelta,
    ReplyEvent,
    ReplyFinished,
    StepReset,
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

OPEN, CLOSE = "<think>", "</think>"
Split = TextDelta | ReasoningDelta | StepReset


class Normaliser:
    """Reads `chat.completion.chunk` objects in order; `finish()` follows the end of the stream.

    The finish reason is not trusted where the calls contradict it: Gemini, Ollama and others end a reply with calls
    by `stop`. Some providers split a surrogate pair; its halves are joined here.
    """

    def __init__(self, new_id: NewCallId = new_call_id) -> None:
        self._calls = ToolCallAssembler(new_id)
        self._text = ThinkTagSplitter()
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
            events.extend(self._text.feed(content))
        events.extend(self._calls.feed(as_list(delta.get("tool_calls"))))
        return events

    def finish(self) -> list[ReplyEvent]:
        calls = self._calls.calls()
        reason = "tool-calls" if calls and self._reason == "stop" else self._reason
        reasoning = self._reasoning.finish()
        return [
            *([ReasoningDelta(reasoning)] if reasoning else []),
            *self._text.feed(self._content.finish()),
            *self._text.finish(),
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


class ThinkTagSplitter:
    """Splits streamed text into answer and reasoning.

    A tag may be split between two deltas, so a suffix that could become one is held back. Some chat templates write
    only the closing tag: then everything before it was reasoning, and the step is sent again in its right form. A tag
    that is never closed was no reasoning: it is passed on as text, so that nothing is lost.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._answer_pieces: list[str] = []
        self._reasoning_pieces: list[str] = []
        self._has_text = False
        self._is_thinking = False
        self._has_split = False
        self._is_after_tag = False

    def feed(self, delta: str) -> list[Split]:
        self._tail += delta
        return list(self._drain())

    def finish(self) -> list[Split]:
        rest, self._tail = self._tail, ""
        if self._is_thinking and not self._has_text:
            reasoning = "".join([*self._reasoning_pieces, rest])
            return [StepReset(), TextDelta(reasoning)] if reasoning else []
        return self._emit(rest)

    def _drain(self) -> Iterator[Split]:
        while self._tail:
            tag = self._next_tag()
            position = self._tail.find(tag)
            if position < 0:
                keep = _overlap(self._tail, tag)
                ready, self._tail = self._tail[: len(self._tail) - keep], self._tail[len(self._tail) - keep :]
                yield from self._emit(ready)
                return
            head, self._tail = self._tail[:position], self._tail[position + len(tag) :]
            if tag == CLOSE and not self._is_thinking:
                reasoning = "".join([*self._answer_pieces, head])
                self._has_split = self._is_after_tag = True
                yield StepReset()
                yield from ([ReasoningDelta(reasoning)] if reasoning.strip() else [])
                continue
            yield from self._emit(head)
            self._is_thinking = tag == OPEN
            self._has_split = self._is_after_tag = True

    def _next_tag(self) -> str:
        """Return the tag to look for: only an answer that begins with reasoning has any."""
        if self._is_thinking:
            return CLOSE
        if self._has_split:
            return _NEVER
        return OPEN if not self._has_text and _could_open(self._tail) else CLOSE

    def _emit(self, text: str) -> list[Split]:
        text = text.lstrip("\n") if self._is_after_tag else text
        self._is_after_tag = self._is_after_tag and not text
        if not text:
            return []
        if self._is_thinking:
            self._reasoning_pieces.append(text)
            return [ReasoningDelta(text)]
        self._answer_pieces.append(text)
        self._has_text = self._has_text or not text.isspace()
        return [TextDelta(text)]


_NEVER = "\0never\0"


def _could_open(text: str) -> bool:
    start = text.lstrip()
    return start.startswith(OPEN) or OPEN.startswith(start)


def _overlap(text: str, tag: str) -> int:
    """Return the length of the longest suffix of `text` that begins `tag`."""
    return next(
        (size for size in range(min(len(tag) - 1, len(text)), 0, -1) if tag.startswith(text[-size:])), 0
    )
