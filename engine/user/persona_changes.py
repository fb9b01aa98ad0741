"""Notes about a persona that was chosen or edited after the system message was composed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..base.messages import UIMessage
from ..base.text.clip import clip_words
from ..context.message_metadata import MessageMetadata

_LONGEST = 2_000


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


def note_of_persona(soul: str) -> str:
    """Return the note that introduces a persona, at most 2,000 characters of it; "" ends the previous one."""
    if not soul:
        return "The user has taken the persona back: from now on speak and act as yourself."
    text = soul.replace("</", "‹/")
    if len(text) > _LONGEST:
        text = f"{clip_words(text, _LONGEST)} (of {len(soul):,} characters)"
    return f"Persona from now on, in place of any before; speak and act like this:\n{text}"
