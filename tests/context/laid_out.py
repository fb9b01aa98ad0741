"""A layout of a conversation, and what can be seen of it at a glance."""

from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.context.compaction import Compaction
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.layout import Layout, Material
from comfyui_assistant.engine.context.tokens import count_text

from .planned import READ_BACK


def laid_out(conversation: Any, state: Compaction | None = None, **fields: Any) -> Layout:
    return Layout(
        Material(conversation, Frame("", "full", [READ_BACK]), count_text, **fields), state or Compaction()
    )


def folded(layout: Layout) -> str:
    """One letter for each block: `u` and `s` for user messages and steps, capital ones where they are whole."""
    return "".join(
        letter if layout.is_digest(block) else letter.upper()
        for block in layout.blocks
        for letter in block.kind[0]
    )
