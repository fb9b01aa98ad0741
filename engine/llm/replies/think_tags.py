"""Reasoning that a model writes into its answer between `<think>` tags."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.events import ReasoningDelta, StepReset, TextDelta

OPEN, CLOSE = "<think>", "</think>"
Split = TextDelta | ReasoningDelta | StepReset


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
