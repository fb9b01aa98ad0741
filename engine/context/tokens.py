"""The tokens of a request: an estimate, and its correction by the model's own counts."""

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
"""A function that counts the tokens of a text. It sees every text in every step, so it should remember its counts."""

_PER_MESSAGE = 6
_PER_CALL = 6
_PER_TOOL = 12
_PER_FILE = 1_500
_LETTERS = (string.ascii_letters + " ").encode()
_DIGITS = string.digits.encode()
_LOWEST, _HIGHEST = 0.5, 3.0
_NEWEST_SHARE = 0.75
"""The weight of the newest request, which tells most, since requests of one thread resemble each other."""
_NEWEST_SURPRISE_SHARE = 0.1
_FIRST_MARGIN, _LEAST_MARGIN, _MOST_MARGIN = 0.15, 0.05, 0.5
_SPREADS, _SHORTFALLS = 3.0, 1.25
_FORGETTING = 0.95
_CLAUDE = re.compile(
    r"claude-(?:[a-z]+-)?(?P<major>\d{1,2})(?:[.-](?P<minor>\d{1,2})(?!\d))?(?!\d)", re.IGNORECASE
)


def count_text(text: str) -> int:
    """Estimate the tokens of a text without a vocabulary.

    An ASCII character counts 0.3, any other one 1.5, and one more outside the basic plane. That is too little for dense
    digits, so there each class has a weight of its own. The estimate errs on the high side for prose, code and JSON.
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
    """Count the tokens of a message: text, images by size, calls with ids, names and arguments, and the envelope.

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
    """Count the least tokens that the messages can take, since `count` errs on the high side.

    Images and files count nothing, since some servers leave them out of their counts. Four characters of Cyrillic or
    Arabic are one token in newer vocabularies.
    """

    def count_fewest(text: str) -> int:
        characters = len(text.encode("ascii", "ignore"))
        return min(count(text), ceil(0.30 * characters + 0.25 * (len(text) - characters)))

    return count_messages_tokens(map(_words_alone, messages), count_fewest)


def count_tools_tokens(tools: Iterable[dict[str, Any]], count: CountText = count_text) -> int:
    """Count the tokens of the tool list, with names, descriptions and schemas."""
    return count_tool_texts(map(dump, tools), count)


def count_tool_texts(texts: Iterable[str], count: CountText = count_text) -> int:
    """Count the tokens of the tool list, given the JSON of each tool."""
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
    """The correction of estimates for one model, learned from its requests.

    `ratio` is reported tokens divided by estimated ones, `n` the number of requests. `spread` is the mean distance of a
    request from the ratio before it, and `shortfall` the largest excess over it, slowly forgotten; both are shares.
    """

    ratio: float = 1.0
    n: int = 0
    spread: float = 0.0
    shortfall: float = 0.0

    @property
    def margin(self) -> float:
        """The safety margin as a share: 15 % before the first request, and at least 5 %."""
        first_share = _FIRST_MARGIN / (1 + self.n) ** 0.5
        share = max(first_share, _SPREADS * self.spread, _SHORTFALLS * self.shortfall)
        return min(_MOST_MARGIN, max(_LEAST_MARGIN, share))

    @property
    def factor(self) -> float:
        """The factor from an estimate to an upper bound."""
        return self.ratio * (1 + self.margin)

    def observe(self, estimate: int, input_tokens: int) -> Calibration:
        """Learn from the estimate of a request and the input tokens that the provider reported, cached ones included.

        A request that the server has cut silently must not be passed.
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
        """Read the form of `as_json`; None for anything else."""
        if not isinstance(value, Mapping):
            return None
        ratio, n, spread, shortfall = (
            _number(value.get(name)) for name in ("ratio", "n", "spread", "shortfall")
        )
        if not (_LOWEST <= ratio <= _HIGHEST and 0 <= n < 1e9 and 0 <= spread < 10 and 0 <= shortfall < 10):
            return None
        return cls(ratio, int(n), spread, shortfall)


def first_calibration(model: str) -> Calibration:
    """Return the calibration before the first request: Claude's tokens are smaller, from 4.7 on much smaller."""
    match = _CLAUDE.search(model)
    if match is None:
        return Calibration(ratio=1.25 if "claude" in model.lower() else 1.0)
    version = (int(match["major"]), int(match["minor"] or 0))
    return Calibration(ratio=1.6 if version >= (4, 7) else 1.25)


def _clamp(ratio: float) -> float:
    return min(_HIGHEST, max(_LOWEST, ratio))


def _number(value: object) -> float:
    """Return the number, or NaN, with which every comparison fails."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("nan")
