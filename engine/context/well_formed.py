"""Chat messages in an order that every provider accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..base.messages import Message, UIMessage, text_of

UNANSWERED: Message = {"role": "assistant", "content": "(This was not answered.)"}


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


def _join(first: Message, second: Message) -> Message:
    texts: list[Any] = [content for content in (first["content"], second["content"]) if content]
    return {**second, "content": "\n\n".join(texts) or None}
