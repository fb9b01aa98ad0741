"""Older tool results, as digests of one line each."""

from __future__ import annotations

from dataclasses import replace

from .compaction import message_before
from .layout import Layout


def digest_old_rounds(layout: Layout, *, keep_rounds: int, keep_tokens: int) -> Layout:
    """Digest the tool results of all but the newest rounds, and the pictures of all but the newest user message.

    A round is an assistant message with tool calls and the results that answer it. At least `keep_rounds` stay, and as
    many more as fit `keep_tokens`; of those that do not fit only the newest is not capped. Results are shortened, never
    dropped: providers reject a call whose result is missing. What is a digest stays one.
    """
    state = layout.state
    digested = layout.digests_keeping(rounds=keep_rounds, tokens=keep_tokens)
    capped = max(state.capped, layout.digests_keeping(rounds=min(1, keep_rounds), tokens=keep_tokens))
    if digested == state.digested and capped == state.capped:
        return layout
    newest = max((block.user for block in layout.blocks if block.kind == "user"), default=state.users)
    users = [block.user for block in layout.blocks if block.kind == "user" and block.end <= digested]
    return Layout(
        layout.source,
        replace(
            state,
            digested=digested,
            capped=capped,
            capped_id=message_before(layout.source.conversation, capped) or "",
            digested_id=message_before(layout.source.conversation, digested) or "",
            plain_users=max(state.plain_users, min(max(users, default=0), newest - 1)),
        ),
    )


def basis_that_fits(layout: Layout, tokens: int) -> list[int]:
    """The places of the rounds that stay whole while their turn lasts: the first of them first, while they fit."""
    places: list[int] = []
    for place in layout.basis:
        block = layout.blocks[place]
        is_short = layout.is_digest(block) or layout.is_capped(block)
        if not is_short and layout.sizes[place] <= tokens:
            places.append(place)
            tokens -= layout.sizes[place]
    return places


def cap_rounds(layout: Layout) -> Layout:
    """Cap the results of all rounds, the newest one's too."""
    if not layout.blocks:
        return layout
    capped = layout.blocks[-1].end
    name = message_before(layout.source.conversation, capped) or ""
    return Layout(layout.source, replace(layout.state, capped=capped, capped_id=name, basis=()))
