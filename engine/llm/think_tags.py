"""Reasoning that a model writes into its answer between `<think>` tags."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ReasoningDelta, StepReset, TextDelta

OPEN, CLOSE = "<think>", "</think>"
Split = TextDelta | ReasoningDelta | StepReset


class ThinkTagSplitter:
    """Splits streamed text into answer and reasoning.

    A tag may be cut anywhere between two deltas, so a tail that could still become one is held back. Some chat
    templates write only the closing tag: then everything before it was reasoning, and the step starts over in its
    right form. A tag that is never closed was no reasoning: it is given back as text, so that nothing is lost.
    """

    def __init__(self) -> None:
        self._held = ""
        self._shown: list[str] = []
        self._thought: list[str] = []
        self._has_said = False
        self._is_thinking = False
        self._has_split = False
        self._is_after_tag = False

    def feed(self, delta: str) -> list[Split]:
        self._held += delta
        return list(self._drain())

    def finish(self) -> list[Split]:
        rest, self._held = self._held, ""
        if self._is_thinking and not self._has_said:
            thought = "".join([*self._thought, rest])
            return [StepReset(), TextDelta(thought)] if thought else []
        return self._emit(rest)

    def _drain(self) -> Iterator[Split]:
        while self._held:
            tag = self._next_tag()
            position = self._held.find(tag)
            if position < 0:
                keep = _overlap(self._held, tag)
                ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
                yield from self._emit(ready)
                return
            before, self._held = self._held[:position], self._held[position + len(tag) :]
            if tag == CLOSE and not self._is_thinking:
                thought = "".join([*self._shown, before])
                self._has_split = self._is_after_tag = True
                yield StepReset()
                yield from ([ReasoningDelta(thought)] if thought.strip() else [])
                continue
            yield from self._emit(before)
            self._is_thinking = tag == OPEN
            self._has_split = self._is_after_tag = True

    def _next_tag(self) -> str:
        """Only an answer that *begins* with a tag, or an untagged one that closes it, holds reasoning."""
        if self._is_thinking:
            return CLOSE
        if self._has_split:
            return _NEVER
        return OPEN if not self._has_said and _could_open(self._held) else CLOSE

    def _emit(self, text: str) -> list[Split]:
        text = text.lstrip("\n") if self._is_after_tag else text
        self._is_after_tag = self._is_after_tag and not text
        if not text:
            return []
        if self._is_thinking:
            self._thought.append(text)
            return [ReasoningDelta(text)]
        self._shown.append(text)
        self._has_said = self._has_said or not text.isspace()
        return [TextDelta(text)]


_NEVER = "\0never\0"


def _could_open(text: str) -> bool:
    start = text.lstrip()
    return start.startswith(OPEN) or OPEN.startswith(start)


def _overlap(text: str, tag: str) -> int:
    """The length of the longest end of `text` that begins `tag`."""
    return next(
        (size for size in range(min(len(tag) - 1, len(text)), 0, -1) if tag.startswith(text[-size:])), 0
    )
