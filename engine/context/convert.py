"""UIMessages to OpenAI chat messages that every provider accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..base.messages import SETTLED_STATES, Message, Part, UIMessage, text_of, tool_parts
from .position import blocks
from .rendering import CallIds, Renderer, RenderingMemo, Style
from .tokens import count_text

UNANSWERED: Message = {"role": "assistant", "content": "(This was not answered.)"}
_UNLIMITED = 1 << 60


def to_openai(messages: Sequence[UIMessage]) -> list[Message]:
    """A whole conversation as it is, nothing condensed.

    Each `step-start` opens a new assistant message, because the steps of a turn happened one after the other. Every
    call is followed by exactly one result: a call that was never answered gets one that says so.
    """
    style = Style(_UNLIMITED, _UNLIMITED, can_read_back=False, sees_images=True)
    renderer = Renderer(style, count_text, RenderingMemo())
    ids = CallIds()
    openai_messages = [
        message
        for block in blocks(messages)
        for message in renderer.render(block, is_digest=False, ids=[*map(ids.claim, block.calls)]).messages
    ]
    return posted_system(messages) + well_formed(openai_messages)


def well_formed(messages: Iterable[Message]) -> list[Message]:
    """The messages beginning with a user message, and without two of a role in a row, as strict templates demand.

    A user message that never got an answer is followed by a placeholder, since joining it with the next one would
    change what was sent before.
    """
    result: list[Message] = []
    for message in messages:
        last = result[-1] if result else None
        if last is None and message["role"] != "user":
            continue
        if last and message["role"] == last["role"] == "user":
            result.append(UNANSWERED)
        if last and message["role"] == last["role"] == "assistant" and not last.get("tool_calls"):
            result[-1] = _join(last, message)
        else:
            result.append(message)
    return result


def posted_system(messages: Sequence[UIMessage]) -> list[Message]:
    """The system messages that a client posted with a conversation that it keeps itself."""
    return [
        {"role": "system", "content": text_of(message)} for message in messages if message["role"] == "system"
    ]


def pending_calls(message: UIMessage) -> list[Part]:
    """The calls of an assistant message that have no result yet."""
    return [part for part in tool_parts(message) if part["state"] not in SETTLED_STATES]


def _join(first: Message, second: Message) -> Message:
    texts: list[Any] = [content for content in (first["content"], second["content"]) if content]
    return {**second, "content": "\n\n".join(texts) or None}
