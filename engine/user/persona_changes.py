"""A persona that was switched or edited after a system message was composed, which stays as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..base.messages import UIMessage
from ..base.text.clip import clip_words
from ..context.message_metadata import MessageMetadata

_LONGEST = 2_000


def digest_of_persona(soul: str) -> str:
    return hashlib.sha256(soul.encode("utf-8", "replace")).hexdigest()[:16] if soul else ""


def persona_mark(soul: str, *, condensings: int) -> str:
    """Return what a message that told a persona whole keeps: its digest, and after how many condensings it did."""
    return f"{condensings}:{digest_of_persona(soul)}"


def is_persona_news(
    composed: str | None, conversation: Sequence[UIMessage], soul: str, *, condensings: int
) -> bool:
    """Whether the model does not have this persona: neither from the system message nor from a later message.

    What was told before the newest condensing counts no more: then the system message was composed anew.
    """
    marks = (MessageMetadata.of(message).persona for message in reversed(conversation))
    told = next((mark for mark in marks if mark.startswith(f"{condensings}:")), None)
    if told is not None:
        return told != persona_mark(soul, condensings=condensings)
    return composed is not None and composed != digest_of_persona(soul)


def note_of_persona(soul: str) -> str:
    if not soul:
        return "The user has taken the persona back: from now on speak and act as yourself."
    text = soul.replace("</", "‹/")
    if len(text) > _LONGEST:
        text = f"{clip_words(text, _LONGEST)} (of {len(soul):,} characters)"
    return f"Persona from now on, in place of any before; speak and act like this:\n{text}"
