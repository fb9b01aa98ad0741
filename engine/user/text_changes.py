"""Notes about the user's rules, preferences and persona that changed after the system message was composed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..base.messages import UIMessage
from ..base.text.clip import clip_words
from ..context.message_metadata import MessageMetadata

_LONGEST = 400
_MOST_CHARACTERS = 1_600
_MOST_PREFERENCES = 8
_LONGEST_PERSONA = 2_000


def rule_change_notes(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return lines for the reminder about changed rules.

    Every message has them as long as the rules differ, since older messages may have been condensed.
    """
    added = [_quoted(rule) for rule in now if rule not in before]
    gone = [_quoted(rule) for rule in before if rule not in now]
    return [
        *_lines("Rule of the user since this chat began, always follow it", added, more="of these"),
        *_lines("No longer a rule of the user", gone, more="no longer hold"),
    ]


def preference_change_notes(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return lines for the reminder about changed preferences, each `name: value`."""
    changed = [entry for entry in now if entry not in before]
    names = {_name(entry) for entry in now}
    gone = [_name(entry) for entry in before if _name(entry) not in names]
    lines = [
        *(f"Preference of the user since this chat began: {_quoted(entry)}" for entry in changed),
        *(f"No longer a preference of the user: {_quoted(name)}" for name in gone),
    ]
    return lines[:_MOST_PREFERENCES] + (
        [f"{len(lines) - _MOST_PREFERENCES} more preferences changed."]
        if len(lines) > _MOST_PREFERENCES
        else []
    )


def _name(entry: str) -> str:
    return entry.partition(": ")[0]


def _lines(what: str, rules: Sequence[str], *, more: str) -> list[str]:
    lines: list[str] = []
    for count, rule in enumerate(rules):
        line = f"{what}: {rule}"
        if lines and sum(map(len, lines)) + len(line) > _MOST_CHARACTERS:
            return [*lines, f'{len(rules) - count} more {more}: getUserSkill "rules" reads all that hold.']
        lines.append(line)
    return lines


def _quoted(rule: str) -> str:
    """Return the user's own words on one line, unable to end a block of ours."""
    return clip_words(rule, _LONGEST).replace("</", "‹/")


def persona_digest(soul: str) -> str:
    """Return a short hash of a persona's text; "" for no text."""
    return hashlib.sha256(soul.encode("utf-8", "replace")).hexdigest()[:16] if soul else ""


def persona_mark(soul: str, *, condensings: int) -> str:
    """Return the mark of a persona that was sent after so many condensings."""
    return f"{condensings}:{persona_digest(soul)}"


def is_persona_news(
    composed: str | None, conversation: Sequence[UIMessage], soul: str, *, condensings: int
) -> bool:
    """Return whether the model has not seen this persona, neither in the system message nor in a later message.

    Messages before the newest condensing do not count: the system message was composed anew then.
    """
    marks = (MessageMetadata.of(message).persona for message in reversed(conversation))
    told = next((mark for mark in marks if mark.startswith(f"{condensings}:")), None)
    if told is not None:
        return told != persona_mark(soul, condensings=condensings)
    return composed is not None and composed != persona_digest(soul)


def persona_note(soul: str) -> str:
    """Return the note that introduces a persona, at most 2,000 characters of it; "" ends the previous one."""
    if not soul:
        return "The user has taken the persona back: from now on speak and act as yourself."
    text = soul.replace("</", "‹/")
    if len(text) > _LONGEST_PERSONA:
        text = f"{clip_words(text, _LONGEST_PERSONA)} (of {len(soul):,} characters)"
    return f"Persona from now on, in place of any before; speak and act like this:\n{text}"
