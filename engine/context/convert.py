"""UIMessages to OpenAI chat messages that every provider accepts."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.messages import Message, UIMessage
from .position import blocks
from .rendering import CallIds, Renderer, RenderingMemo, Style
from .tokens import count_text
from .well_formed import posted_system, well_formed

_UNLIMITED = 1 << 60


def to_openai(messages: Sequence[UIMessage]) -> list[Message]:
    """A whole conversation as it is, nothing condensed.

    Each `step-start` opens a new assistant message, because the steps of a turn happened one after the other. Every
    call is followed by exactly one result: a call that was never answered gets one that says so.
    """
    style = Style(_UNLIMITED, _UNLIMITED, can_read_back=False, sees_images=True)
    renderer = Renderer(style, count_text, RenderingMemo())
    ids = CallIds()
    openai_messages = [
        message
        for block in blocks(messages)
        for message in renderer.render(block, is_digest=False, ids=[*map(ids.claim, block.calls)]).messages
    ]
    return posted_system(messages) + well_formed(openai_messages)
