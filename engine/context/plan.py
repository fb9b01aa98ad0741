"""From a conversation to the messages of one request that fits the model's window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..messages import Message, UIMessage
from .convert import to_openai
from .history import trim_history
from .slash_skill import inject_skills
from .tokens import CountText, count_messages_tokens, count_text, count_tools_tokens
from .tool_rounds import count_rounds, fold_old_tool_rounds

SystemForm = Literal["full", "continuation", "slim", "posted"]
Mode = Literal["auto", "full", "continuation"]
_MARKER = "\n… [{missing} characters left out to fit the model's window] …\n"


@dataclass(frozen=True)
class Budget:
    """Upper limits of one request. `window` and `reserve` are tokens; None means: decided by tokens alone."""

    window: int
    reserve: int
    max_messages: int | None = None
    keep_rounds: int | None = None

    @property
    def room(self) -> int:
        return self.window - self.reserve


@dataclass(frozen=True)
class Plan:
    """What is sent, and what was done to make it fit."""

    messages: list[Message]
    form: SystemForm
    tokens: int
    window: int
    folded_rounds: int
    dropped_messages: int
    shortened_results: int

    def report(self) -> dict[str, Any]:
        return {
            "mode": self.form,
            "estimatedTokens": self.tokens,
            "window": self.window,
            "messages": len(self.messages),
            "foldedRounds": self.folded_rounds,
            "droppedMessages": self.dropped_messages,
            "shortenedResults": self.shortened_results,
        }


def system_form(mode: Mode, *, window: int, is_slim: bool, is_first_turn: bool) -> SystemForm:
    """Which form of the system message a step carries.

    The whole first turn has the full message, its tool follow-ups included. `auto` keeps it in every turn where the
    window is 16k tokens or more, since provider prefix caches then make it nearly free.
    """
    if is_slim:
        return "slim"
    if mode == "full" or is_first_turn:
        return "full"
    return "continuation" if mode == "continuation" or window < 16_000 else "full"


def plan(
    conversation: Sequence[UIMessage],
    *,
    system: str,
    form: SystemForm,
    tools: Sequence[dict[str, Any]],
    skills: Mapping[str, str],
    budget: Budget,
    count: CountText = count_text,
) -> Plan:
    """Build the request: convert, add the skills, fold old tool rounds, trim history, in this order.

    Pure: the same arguments give the same messages. The request fits `budget.room` unless the system message, the
    tools and the newest user message alone are larger; `Plan.tokens` tells.
    """
    converted = to_openai(inject_skills(conversation, skills))
    if form != "posted":
        converted = [message for message in converted if message["role"] != "system"]
    head: list[Message] = [{"role": "system", "content": system}] if form != "posted" and system else []
    room = budget.room - count_messages_tokens(head, count) - count_tools_tokens(tools, count)
    rounds = count_rounds(converted)
    kept = rounds if budget.keep_rounds is None else min(rounds, budget.keep_rounds)
    body = fold_old_tool_rounds(converted, keep_last=kept)
    body = trim_history(body, max_messages=budget.max_messages)
    while count_messages_tokens(body, count) > room and kept > 1:
        kept = max(1, kept // 2)
        body = fold_old_tool_rounds(body, keep_last=kept)
    body = trim_history(body, max_tokens=room, count=count)
    body, shortened = _shorten_largest(body, room, count)
    messages = head + body
    return Plan(
        messages=messages,
        form=form,
        tokens=count_messages_tokens(messages, count) + count_tools_tokens(tools, count),
        window=budget.window,
        folded_rounds=rounds - kept,
        dropped_messages=len(converted) - len(body),
        shortened_results=shortened,
    )


def _shorten_largest(messages: list[Message], room: int, count: CountText) -> tuple[list[Message], int]:
    """Cut the middle out of the largest texts of the newest turn until it fits: the last resort."""
    shortened: set[int] = set()
    messages = list(messages)
    for _ in range(4 * len(messages)):
        excess = count_messages_tokens(messages, count) - room
        if excess <= 0:
            break
        largest = max(range(len(messages)), key=lambda index: _text_tokens(messages[index], count))
        size = _text_tokens(messages[largest], count)
        if size < 200:
            break
        text = messages[largest]["content"]
        assert isinstance(text, str)
        messages[largest] = {
            **messages[largest],
            "content": _cut(text, keep=max(0.25, 1 - (excess + 60) / size)),
        }
        shortened.add(largest)
    return messages, len(shortened)


def _text_tokens(message: Message, count: CountText) -> int:
    content = message["content"]
    return count(content) if isinstance(content, str) else 0


def _cut(text: str, *, keep: float) -> str:
    kept = int(len(text) * keep)
    head, tail = int(kept * 0.7), int(kept * 0.3)
    return text[:head] + _MARKER.format(missing=len(text) - head - tail) + (text[-tail:] if tail else "")
