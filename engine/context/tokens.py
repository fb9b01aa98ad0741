"""How many tokens a request will take, estimated without a vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from typing import Any

from ..messages import Message, dump

CountText = Callable[[str], int]

_PER_MESSAGE = 6
_PER_CALL = 12
_PER_IMAGE = 1_500


def count_text(text: str) -> int:
    """Tokens of `text`: 0.3 for an ASCII character, 1.5 for any other. It errs on the high side for prose."""
    ascii_characters = len(text) if text.isascii() else sum(character < "\x80" for character in text)
    return ceil(ascii_characters * 0.30 + (len(text) - ascii_characters) * 1.5)


def count_message_tokens(message: Message, count: CountText = count_text) -> int:
    """Tokens of one message: text, images, tool calls with names and arguments, and what surrounds it."""
    content = message["content"]
    if isinstance(content, str):
        total = count(content)
    else:
        total = sum(
            _PER_IMAGE if part.get("type") == "image_url" else count(dump(part)) for part in content or []
        )
    for call in message.get("tool_calls", []):
        total += _PER_CALL + count(call["function"]["name"]) + count(call["function"]["arguments"])
    return total + _PER_MESSAGE


def count_messages_tokens(messages: Iterable[Message], count: CountText = count_text) -> int:
    return sum(count_message_tokens(message, count) for message in messages)


def count_tools_tokens(tools: Iterable[dict[str, Any]], count: CountText = count_text) -> int:
    return sum(_PER_CALL + count(dump(tool)) for tool in tools)
