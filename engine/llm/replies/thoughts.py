"""Thoughts that arrive in the text of a reply, within the marks of the model's chat template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...base.events import ReasoningDelta, ReplyEvent, ReplyFinished, StepReset, TextDelta
from .reply_filter import ReplyFilter

Split = TextDelta | ReasoningDelta | StepReset


@dataclass(frozen=True)
class ThoughtForm:
    """The marks around a thought.

    Prose has no reason to begin with the opening mark of a form that is `certain`: its thought stays one even if it is
    never closed.
    """

    opens: str
    closes: str
    is_certain: bool = True


_OF_HARMONY = ThoughtForm("<|channel|>analysis<|message|>", "<|end|>")
_FORMS = (
    ThoughtForm("<think>", "</think>", is_certain=False),  # R1, Qwen, GLM, MiniMax
    ThoughtForm("[THINK]", "[/THINK]", is_certain=False),  # Mistral
    ThoughtForm("<seed:think>", "</seed:think>"),  # Seed
    ThoughtForm("<|channel>thought", "<channel|>"),  # Gemma 4
    _OF_HARMONY,  # gpt-oss
)
_LONE_CLOSERS = ("</think>", "<channel|>")
"""Marks behind a thought that the chat template may have opened in the request: only they arrive then."""

_ROLE_OF_HARMONY = "<|start|>assistant"
_ANSWERS_OF_HARMONY = ("<|channel|>final<|message|>", "<|channel|>commentary<|message|>")
_ENDS_OF_HARMONY = ("<|end|>", "<|return|>")
_OPENERS: dict[str, ThoughtForm | None] = {
    **{form.opens: form for form in _FORMS},
    _ROLE_OF_HARMONY + _OF_HARMONY.opens: _OF_HARMONY,
    **{role + mark: None for role in ("", _ROLE_OF_HARMONY) for mark in _ANSWERS_OF_HARMONY},
}
"""The form of the thought behind each mark; None where the answer follows."""


class Thoughts(ReplyFilter):
    """Splits the text of a reply into answer and reasoning.

    A mark may be split between two deltas, so a suffix that could become one is held back. A thought opens only where
    the answer has not begun. Some chat templates write only the closing mark: then everything before it was reasoning,
    and the step is sent again in its right form. A tag that is never closed was no reasoning: it is passed on as text,
    so that nothing is lost.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._thought: ThoughtForm | None = None
        self._may_open = True
        self._is_after_mark = self._has_split = self._is_of_harmony = False
        self._answer_pieces: list[str] = []
        self._thought_pieces: list[str] = []
        self._earlier_thoughts: list[str] = []

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        if isinstance(event, TextDelta):
            self._tail += event.text
            return [*self._drain()]
        if isinstance(event, ReplyFinished):
            return [*self._finish(), event]
        return (event,)

    def _finish(self) -> Iterator[Split]:
        rest = self._take(len(self._tail))
        if not self._thought or self._thought.is_certain:
            yield from self._emit(rest)
        elif text := "".join([*self._answer_pieces, *self._thought_pieces, rest]):
            yield StepReset()
            yield from _reasoning("".join(self._earlier_thoughts))
            yield TextDelta(text)

    def _drain(self) -> Iterator[Split]:
        while self._tail:
            if self._may_open and not self._thought:
                yield from self._emit(self._take(len(self._tail) - len(self._tail.lstrip())))
                opener = next((each for each in _OPENERS if self._tail.startswith(each)), "")
                if opener:
                    self._open(opener)
                    continue
                if any(each.startswith(self._tail) for each in _OPENERS):
                    return
            mark, position = _first(self._tail, self._marks)
            text = self._take(position)
            if mark in _LONE_CLOSERS and not self._thought:
                yield StepReset()
                yield from _reasoning("".join([*self._answer_pieces, text]))
                self._answer_pieces, self._thought_pieces = [], [*self._answer_pieces, text]
            else:
                yield from self._emit(text)
            if not mark:
                return
            self._pass(mark)

    @property
    def _marks(self) -> tuple[str, ...]:
        """The marks that mean something at this place."""
        if self._thought:
            return (self._thought.closes,)
        if self._is_of_harmony:
            return _ENDS_OF_HARMONY
        return () if self._has_split else _LONE_CLOSERS

    def _open(self, opener: str) -> None:
        self._pass(opener)
        self._thought = _OPENERS[opener]
        self._is_of_harmony = self._thought in (None, _OF_HARMONY)

    def _pass(self, mark: str) -> None:
        """Take a mark out of the text: the thought before it is over, and another may open."""
        self._take(len(mark))
        self._earlier_thoughts += self._thought_pieces
        self._thought, self._thought_pieces = None, []
        self._may_open = self._is_after_mark = self._has_split = True

    def _take(self, size: int) -> str:
        taken, self._tail = self._tail[:size], self._tail[size:]
        return taken

    def _emit(self, text: str) -> Iterator[Split]:
        text = text.lstrip("\n") if self._is_after_mark else text
        if not text:
            return
        self._is_after_mark = False
        if self._thought:
            self._thought_pieces.append(text)
            yield ReasoningDelta(text)
        else:
            self._answer_pieces.append(text)
            self._may_open = self._may_open and text.isspace()
            yield TextDelta(text)


def _reasoning(text: str) -> Iterator[ReasoningDelta]:
    if text.strip():
        yield ReasoningDelta(text)


def _first(text: str, marks: Iterable[str]) -> tuple[str, int]:
    """Return the mark that stands first, and where; without one "", and where the suffix begins that may become one."""
    found = [(position, mark) for mark in marks if (position := text.find(mark)) >= 0]
    if found:
        position, mark = min(found)
        return mark, position
    return "", len(text) - max((_overlap(text, mark) for mark in marks), default=0)


def _overlap(text: str, mark: str) -> int:
    """Return the length of the longest suffix of `text` that begins `mark`."""
    return next(
        (size for size in range(min(len(mark) - 1, len(text)), 0, -1) if mark.startswith(text[-size:])), 0
    )
