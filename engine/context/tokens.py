"""How many tokens a request takes."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from typing import Any

from ..base.messages import Message, dump
from .images import image_tokens

CountText = Callable[[str], int]
"""Tokens of a text. Called for every text of a request in every step, so it should remember what it has counted."""

_PER_MESSAGE = 6
_PER_CALL = 6
_PER_TOOL = 12
_PER_FILE = 1_500
_LETTERS = (string.ascii_letters + " ").encode()
_DIGITS = string.digits.encode()


def count_text(text: str) -> int:
    """Tokens of `text`, estimated without a vocabulary.

    0.3 for an ASCII character, 1.5 for any other and one more outside the basic plane. Where digits are dense that is
    too little, so each class has a weight of its own there. It errs on the high side for prose, code and JSON.
    """
    characters = text.encode("ascii", "ignore")
    others = len(text) - len(characters)
    marks = characters.translate(None, _LETTERS)
    punctuation = len(marks.translate(None, _DIGITS))
    letters, digits = len(characters) - len(marks), len(marks) - punctuation
    plain = max(0.30 * len(characters), 0.22 * letters + 0.90 * digits + 0.50 * punctuation)
    beyond = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text) if others else 0
    return ceil(plain + 1.5 * others + beyond)


def count_message_tokens(message: Message, count: CountText = count_text) -> int:
    """Tokens of one message: text, images by their size, calls with ids, names and arguments, and what surrounds it.

    `reasoning_content` is not counted: it goes only to the few endpoints that insist on it, whose calibration
    learns it.
    """
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    total = sum(_count_part(part, count) for part in parts)
    for call in message.get("tool_calls", []):
        function = call["function"]
        total += _PER_CALL + count(call["id"]) + count(function["name"]) + count(function["arguments"])
    return total + count(message.get("tool_call_id", "")) + _PER_MESSAGE


def count_messages_tokens(messages: Iterable[Message], count: CountText = count_text) -> int:
    return sum(count_message_tokens(message, count) for message in messages)


def count_fewest_tokens(messages: Iterable[Message], count: CountText = count_text) -> int:
    """Tokens that the messages take at least, where `count` errs on the high side.

    Images and files count for nothing, since some servers leave them out of their figures. Of Cyrillic or Arabic four
    characters are one token in newer vocabularies.
    """

    def count_fewest(text: str) -> int:
        characters = len(text.encode("ascii", "ignore"))
        return min(count(text), ceil(0.30 * characters + 0.25 * (len(text) - characters)))

    return count_messages_tokens(map(_words_alone, messages), count_fewest)


def count_tools_tokens(tools: Iterable[dict[str, Any]], count: CountText = count_text) -> int:
    """Tokens of the tool list, names, descriptions and schemas included."""
    return count_tool_texts(map(dump, tools), count)


def count_tool_texts(texts: Iterable[str], count: CountText = count_text) -> int:
    """The same of the JSON of each tool."""
    return sum(_PER_TOOL + count(text) for text in texts)


def _words_alone(message: Message) -> Message:
    content = message["content"]
    if not isinstance(content, list):
        return message
    return {**message, "content": [part for part in content if part.get("type") == "text"]}


def _count_part(part: Mapping[str, Any], count: CountText) -> int:
    kind = part.get("type")
    if kind == "text" and isinstance(text := part.get("text"), str):
        return count(text)
    if kind == "image_url":
        image = part.get("image_url")
        url = image.get("url") if isinstance(image, Mapping) else image
        return image_tokens(url if isinstance(url, str) else "")
    # Files and sound: their base64 is data that the provider decodes, not text that the model reads.
    data = [value for value in _texts(part) if len(value) > _PER_FILE]
    words = sum(count(value) for value in _texts(part) if len(value) <= _PER_FILE)
    return words + _PER_FILE * len(data)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)
