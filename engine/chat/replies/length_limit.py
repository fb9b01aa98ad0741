"""A limit to the replies of the smallest models, which may repeat themselves or never end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...base.events import ReplyEvent, ReplyFinished, StepReset, TextDelta, ToolCallDelta
from ...context.tokens import count_text
from ...llm.replies.reply_filter import ReplyFilter
from ..calls.calls import ToolForm

MOST_OF_AN_ANSWER, MOST_OF_CALLS = 256, 400
"""Limits in tokens: their answers are a few sentences, and their longest call is a script of a dozen lines."""
_LOOKED_AT = 12
"""The number of pieces between two checks for repetition."""
_SHORTEST, _LONGEST, _TIMES = 12, 240, 3
_WORDS = re.compile(r"\w+")
_BILLIONS = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d+)?)\s?b(?![a-z])", re.IGNORECASE)
_MILLIONS = re.compile(r"(?<![\d.])\d{2,3}m(?![a-z])", re.IGNORECASE)
_FEW_BILLIONS = 4.0


def is_of_few_parameters(model: str) -> bool:
    """Return whether a model's name tells fewer than four billion parameters in all, as "qwen2.5-coder-1.5b" does."""
    billions = [float(number) for number in _BILLIONS.findall(model)]
    return max(billions) < _FEW_BILLIONS if billions else _MILLIONS.search(model) is not None


class LengthLimit(ReplyFilter):
    """Ends a reply of one of the smallest models that grows too long, and takes back what it repeats."""

    def __init__(self, model: str, tool_form: ToolForm) -> None:
        self._is_on = tool_form.is_for_small_windows and is_of_few_parameters(model)
        self._text = ""
        self._pieces = self._answered = self._called = 0

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        if not self._is_on:
            return (event,)
        if isinstance(event, TextDelta):
            self._text += event.text
            self._answered += count_text(event.text)
            self._pieces += 1
            if self._pieces % _LOOKED_AT == 0 and (once := without_repetition(self._text)) != self._text:
                return (event, StepReset(), TextDelta(once), ReplyFinished("stop", (), None))
        elif isinstance(event, ToolCallDelta):
            self._called += count_text(event.text)
        if self._answered > MOST_OF_AN_ANSWER or self._called > MOST_OF_CALLS:
            return (event, ReplyFinished("length", (), None))
        return (event,)


def without_repetition(text: str) -> str:
    """Return the text up to the first repetition if its end repeats itself at least three times."""
    for period in range(_SHORTEST, min(_LONGEST, len(text) // _TIMES) + 1):
        part = text[-period:]
        if text.endswith(part * _TIMES) and _WORDS.search(part):
            while text.endswith(part * 2):
                text = text[:-period]
            return text.rstrip()
    lines = text.splitlines()
    said = [_bare(line) for line in lines]
    newest = next((line for line in reversed(said[:-1]) if len(line) >= _SHORTEST), "")
    places = [place for place, line in enumerate(said) if newest and line == newest]
    return "\n".join(lines[: places[1]]).rstrip() if len(places) >= _TIMES else text


def _bare(line: str) -> str:
    """Return a line without its number or bullet."""
    return line.strip(" \t*-#0123456789.)")
