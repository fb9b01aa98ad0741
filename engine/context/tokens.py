"""How many tokens a request takes: estimated, and corrected by what the model itself has counted."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
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
_LOWEST, _HIGHEST = 0.5, 3.0
_NEWEST_SHARE = 0.75
"""Requests of one thread resemble each other, so the newest tells most."""
_NEWEST_SURPRISE_SHARE = 0.1
_FIRST_MARGIN, _LEAST_MARGIN, _MOST_MARGIN = 0.15, 0.05, 0.5
_SPREADS, _SHORTFALLS = 3.0, 1.25
_FORGETTING = 0.95
_CLAUDE = re.compile(
    r"claude-(?:[a-z]+-)?(?P<major>\d{1,2})(?:[.-](?P<minor>\d{1,2})(?!\d))?(?!\d)", re.IGNORECASE
)


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


@dataclass(frozen=True)
class Calibration:
    """What the requests to one model have taught about estimates for it.

    `ratio` is reported by estimated tokens, `n` the number of requests seen. `spread` is the mean distance of a
    request from the ratio before it, and `shortfall` the largest by which one went over it, slowly forgotten; both as
    shares.
    """

    ratio: float = 1.0
    n: int = 0
    spread: float = 0.0
    shortfall: float = 0.0

    @property
    def margin(self) -> float:
        """The share that is added on top: 15 % before the first request, 5 % at the least."""
        first_share = _FIRST_MARGIN / (1 + self.n) ** 0.5
        share = max(first_share, _SPREADS * self.spread, _SHORTFALLS * self.shortfall)
        return min(_MOST_MARGIN, max(_LEAST_MARGIN, share))

    @property
    def factor(self) -> float:
        """What an estimate is multiplied by to get an upper bound."""
        return self.ratio * (1 + self.margin)

    def observe(self, estimate: int, input_tokens: int) -> Calibration:
        """Learn from one request: its estimate as counted, and the input that the provider reported, cached included.

        A request that the server has cut silently teaches nothing and must not be given.
        """
        if estimate <= 0 or input_tokens <= 0:
            return self
        ratio = _clamp(input_tokens / estimate)
        share = max(_NEWEST_SHARE, 1 / (self.n + 1))
        # Against the ratio from before: how far off the next request may be as well.
        surprise = ratio / self.ratio - 1 if self.n else 0.0
        return Calibration(
            ratio=_clamp(self.ratio + share * (ratio - self.ratio)),
            n=self.n + 1,
            spread=self.spread
            + max(_NEWEST_SURPRISE_SHARE, 1 / max(1, self.n)) * (abs(surprise) - self.spread),
            shortfall=max(self.shortfall * _FORGETTING, surprise),
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Calibration | None:
        """What `as_json` gave; None for anything else."""
        if not isinstance(value, Mapping):
            return None
        ratio, n, spread, shortfall = (
            _number(value.get(name)) for name in ("ratio", "n", "spread", "shortfall")
        )
        if not (_LOWEST <= ratio <= _HIGHEST and 0 <= n < 1e9 and 0 <= spread < 10 and 0 <= shortfall < 10):
            return None
        return cls(ratio, int(n), spread, shortfall)


def first_calibration(model: str) -> Calibration:
    """What is known before the first request: Claude's tokens are smaller than OpenAI's, from 4.7 on much smaller."""
    match = _CLAUDE.search(model)
    if match is None:
        return Calibration(ratio=1.25 if "claude" in model.lower() else 1.0)
    version = (int(match["major"]), int(match["minor"] or 0))
    return Calibration(ratio=1.6 if version >= (4, 7) else 1.25)


def _clamp(ratio: float) -> float:
    return min(_HIGHEST, max(_LOWEST, ratio))


def _number(value: object) -> float:
    """The number, or NaN, with which every comparison fails."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("nan")
