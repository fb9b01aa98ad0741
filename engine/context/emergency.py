"""The last stages: smaller and smaller until the request is proven to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from .checkpoint import render_checkpoint
from .layout import Layout
from .ledger import Ledger
from .old_turns import checkpoint_old_turns, move_to_checkpoint
from .request_plan import EMERGENCY_STAGES, EmergencyStage
from .tool_rounds import cap_rounds, digest_old_rounds

_HALVED = 1_000
_SHARES = (0.25, 0.15)
_LEAST_TEXT = 120


class ContextTooSmall(Exception):
    """Not even the floor fits: the system message, the tools, the pins and a shortened newest message."""

    def __init__(self, tokens: int, room: int) -> None:
        super().__init__(f"at least {tokens:,} tokens are needed, {room:,} can be used")
        self.tokens = tokens
        self.room = room


def emergency_layout(
    layout: Layout, *, hard: int, first: int, pins: Sequence[str], fixed_tokens: int
) -> tuple[Layout, EmergencyStage]:
    """The first of three stages, each smaller than the one before, that fits `hard` tokens.

    1: digests for everything but the newest round, older turns into the checkpoint; that round is capped where it does
    not fit. 2: digests for all results, and a smaller cap from then on. 3: the floor, which is the checkpoint and the
    newest user message, shortened as far as needed.

    Raises:
        ContextTooSmall: the floor does not fit.
    """
    layout = layout.with_basis(())
    for stage in EMERGENCY_STAGES[first - 1 :]:
        if stage == "emergency-1":
            layout = digest_old_rounds(layout, keep_rounds=1, keep_tokens=0)
            layout = _smaller(
                layout, checkpoint_old_turns(layout, room=hard, share=int(_SHARES[0] * hard), pins=pins)
            )
            if layout.tokens > hard:
                layout = cap_rounds(layout)
        elif stage == "emergency-2":
            layout = digest_old_rounds(layout, keep_rounds=0, keep_tokens=0)
            layout = Layout(layout.source, replace(layout.state, cap=min(layout.state.cap, _HALVED)))
            shorter_layout = checkpoint_old_turns(
                layout, room=hard // 2, share=int(_SHARES[1] * hard), pins=pins
            )
            layout = _smaller(layout, shorter_layout)
        else:
            layout = _floor(layout, hard, pins)
        if layout.tokens <= hard:
            return layout, stage
    raise ContextTooSmall(fixed_tokens + layout.tokens, fixed_tokens + hard)


def _smaller(one: Layout, other: Layout) -> Layout:
    """A checkpoint of very little is longer than what it replaces."""
    return other if other.tokens < one.tokens else one


def _longest_text(layout: Layout) -> int:
    """Characters of the longest text: a cap above it would cut nothing."""
    contents = [message["content"] or "" for message in layout.messages()]
    texts = [
        part.get("text", "")
        for content in contents
        for part in ([{"text": content}] if isinstance(content, str) else content)
    ]
    return max(map(len, texts), default=0)


def _floor(layout: Layout, hard: int, pins: Sequence[str]) -> Layout:
    """The checkpoint and the newest user message, both cut until they fit; at the very last without its pictures."""
    layout = move_to_checkpoint(layout, len(layout.blocks), share=hard // 4, pins=pins)
    for _ in range(12):
        if layout.tokens <= max(hard, 0) or layout.state.text_cap <= _LEAST_TEXT:
            break
        smaller = int(min(layout.state.text_cap, _longest_text(layout)) * max(hard, 1) / layout.tokens / 1.1)
        cap = max(_LEAST_TEXT, min(smaller, ceil(hard * 2.5)))
        layout = Layout(layout.source, replace(layout.state, text_cap=cap))
    if layout.tokens > hard:
        state = layout.state
        only_names = Ledger(users=state.users, first_result=min(1, state.results), last_result=state.results)
        text = render_checkpoint(
            only_names,
            pins=pins,
            limit=hard,
            count=layout.source.count,
            can_read_back=layout.source.frame.can_read_back,
        )
        layout = Layout(layout.source, replace(state, text=text))
    if layout.tokens > hard:
        blind = replace(layout.source.frame, sees_images=False)
        layout = Layout(replace(layout.source, frame=blind), layout.state)
    return layout
