"""Older history, put into the checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from .checkpoint import Summary, render_checkpoint
from .compaction import message_before
from .layout import Layout
from .ledger import Ledger, gather
from .position import Block, Position


def checkpoint_old_turns(
    layout: Layout,
    *,
    room: int,
    share: int,
    pins: Sequence[str] = (),
    focus: str = "",
    summary: Summary | None = None,
    keep: int = 1,
    max_messages: int | None = None,
    max_turns: int | None = None,
) -> Layout:
    """Move the oldest blocks into the checkpoint until checkpoint and rest fit `room` tokens.

    The cut goes forward turn by turn, always before a user message; only where the newest turn alone is too large
    does it go on into that turn, round by round, while the turn's own message stays. At least `keep` blocks stay.
    `share` is the most that the checkpoint may take.
    """
    cut = _find_cut(layout, room - share, keep, max_messages, max_turns)
    return (
        move_to_checkpoint(layout, cut, share=share, pins=pins, focus=focus, summary=summary)
        if cut
        else layout
    )


def move_to_checkpoint(
    layout: Layout,
    cut: int,
    *,
    share: int,
    pins: Sequence[str] = (),
    focus: str = "",
    summary: Summary | None = None,
) -> Layout:
    """The layout with its first `cut` blocks in the checkpoint."""
    if not layout.blocks:
        return layout
    source, state = layout.source, layout.state
    upto = layout.blocks[cut].start if cut < len(layout.blocks) else layout.blocks[-1].end
    last = layout.blocks[cut - 1] if cut else None
    new_state = replace(
        state,
        upto=upto,
        upto_id=message_before(source.conversation, upto) or "",
        digested=max(state.digested, upto),
        basis=tuple(place for place in state.basis if place >= upto),
        digested_id=message_before(source.conversation, max(state.digested, upto)) or "",
        users=last.user if last else state.users,
        results=last.results + len(last.calls) if last else state.results,
    )
    ledger = _ledger(layout, new_state.begin, upto)
    text = render_checkpoint(
        ledger,
        pins=pins,
        limit=share,
        count=source.count,
        can_read_back=source.frame.can_read_back,
        focus=focus,
        summary=summary,
    )
    carries = bool(ledger.users) and _goes_on(layout.blocks, upto)
    return Layout(
        source,
        replace(new_state, text=text, carries=carries, turns=len(ledger.requests), rounds=ledger.rounds),
    )


def _ledger(layout: Layout, begin: Position, upto: Position) -> Ledger:
    """The ledger from where the checkpoint's memory begins; the message of a turn still open is sent itself."""
    ledger = gather(layout.source.conversation, begin, upto, layout.source.frame.facts)
    if not _goes_on(layout.blocks, upto):
        ledger.is_within_turn = False
    elif ledger.requests:
        ledger.requests.pop()
    return ledger


def _goes_on(blocks: Sequence[Block], upto: Position) -> bool:
    next_block = next((block for block in blocks if block.start >= upto), None)
    return next_block is None or next_block.kind == "step"


def _find_cut(layout: Layout, room: int, keep: int, max_messages: int | None, max_turns: int | None) -> int:
    """How many blocks go: the fewest that bring the rest within its limits, or as many as may go at all."""
    blocks = layout.blocks
    turns_after = [*_sums_from_the_end(block.kind == "user" for block in blocks)]
    messages_after = [*_sums_from_the_end(1 + len(block.calls) for block in blocks)]
    tokens_after = [*_sums_from_the_end(layout.sizes)]
    newest = max((index for index, block in enumerate(blocks) if block.kind == "user"), default=-1)
    message_of_turn = layout.whole[newest] if newest >= 0 else layout.carried_tokens
    cut = 0
    for index in range(1, len(blocks) - keep + 1):
        if blocks[index - 1].start in layout.state.basis:
            break
        at_turn = blocks[index].kind == "user" if index < len(blocks) else False
        if not at_turn and index <= newest + 1:
            continue
        cut = index
        rest = tokens_after[index] + (0 if at_turn else message_of_turn)
        if (
            rest <= room
            and (max_messages is None or messages_after[index] <= max_messages)
            and (max_turns is None or turns_after[index] <= max_turns)
        ):
            break
    return cut


def _sums_from_the_end(sizes: Iterable[int]) -> list[int]:
    """For each place, what lies from there on; one more entry for the end."""
    return [*accumulate(reversed([*sizes, 0]))][::-1]
