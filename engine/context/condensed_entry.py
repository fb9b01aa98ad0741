"""What a condensing leaves for the person's memory: the facts of the stretch that it took, gathered by rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..base.messages import UIMessage, text_of
from ..base.text.clip import clip_line
from .ledger import gather
from .position import Position
from .tool_facts import ToolFacts

_LONGEST_TITLE, _LONGEST_LINE = 80, 400


def condensed_entry(
    conversation: Sequence[UIMessage], begin: Position, upto: Position, facts: Mapping[str, ToolFacts]
) -> str:
    """The lines of what lies between two positions; "" where nothing does."""
    ledger = gather(conversation, begin, upto, facts)
    lines = [
        *_lines("Asked", (text for _, text in ledger.requests)),
        *_lines("Answered", (text for _, text in ledger.outcomes)),
        *_lines("Changed", map(_without_handle, ledger.changes)),
        *_lines("Made", map(_without_handle, ledger.artefacts)),
    ]
    if not lines:
        return ""
    title = next(
        (text for message in conversation if message["role"] == "user" and (text := text_of(message))), ""
    )
    return "\n".join([f"## {clip_line(title, _LONGEST_TITLE) or 'A chat'}", "", *lines])


def _lines(label: str, texts: Iterable[str]) -> list[str]:
    return [f"- {label}: {clip_line(text, _LONGEST_LINE)}" for text in texts if text.strip()]


def _without_handle(entry: str) -> str:
    """Handles lead nowhere outside of their chat."""
    return entry.partition(" ")[2]
