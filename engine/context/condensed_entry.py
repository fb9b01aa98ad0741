"""What a condensing leaves for the person's memory: the facts of the stretch that it took, gathered by rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..messages import UIMessage, text_of
from ..text.clip import clip_line
from .ledger import gather
from .position import START, Position
from .tool_facts import ToolFacts

_LONGEST_TITLE, _LONGEST_LINE = 80, 400


def condensed_entry(
    conversation: Sequence[UIMessage], begin: Position, upto: Position, facts: Mapping[str, ToolFacts]
) -> str:
    """The lines of what lies between two positions; "" where nothing does."""
    before = gather(conversation, START, begin, facts)
    after = gather(conversation, START, upto, facts)
    lines = [
        *_new("Asked", _texts(before.requests), _texts(after.requests)),
        *_new("Answered", _texts(before.outcomes), _texts(after.outcomes)),
        *_new("Changed", before.changes, after.changes, has_handle=True),
        *_new("Made", before.artefacts, after.artefacts, has_handle=True),
    ]
    if not lines:
        return ""
    title = next(
        (text for message in conversation if message["role"] == "user" and (text := text_of(message))), ""
    )
    return "\n".join([f"## {clip_line(title, _LONGEST_TITLE) or 'A chat'}", "", *lines])


def _texts(entries: Iterable[tuple[int, str]]) -> list[str]:
    return [text for _, text in entries]


def _new(
    label: str, before: Sequence[str], after: Sequence[str], *, has_handle: bool = False
) -> Iterable[str]:
    """Handles lead nowhere outside of their chat."""
    present = set(before)
    for text in after:
        if text not in present and text.strip():
            words = text.partition(" ")[2] if has_handle else text
            yield f"- {label}: {clip_line(words, _LONGEST_LINE)}"
