"""The condensing of a conversation: when it is due, how far it goes at once, and its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from .budget import LOW, Budget, Thresholds
from .checkpoint import Summary, render_checkpoint
from .compaction import Block, Position, message_before
from .layout import Layout
from .ledger import Ledger, gather

CondensingStage = Literal["digest", "checkpoint"]
"""Tool rounds were digested, or history was moved into the checkpoint."""

_CHECKPOINT_SHARE = 0.18
_KEPT_SHARE = 0.25
_LEAST_GAIN = 0.20
_KEPT_ROUNDS = 2
_BASIS_SHARE = 0.6
"""The share of the room above rules and tools for the basis of the newest turn; the rest is for new results."""
_LITTLE_FREE = 0.25
"""The share of the working set below which the room is found by condensing, not by the marks."""
_CACHE_SECONDS = 300


@dataclass(frozen=True)
class Condense:
    """The user's command to condense now, and to keep what touches `focus`."""

    focus: str = ""


@dataclass(frozen=True)
class Condensing:
    """The rules of condensing one request. `fixed_tokens` are those of system message and tools."""

    fixed_tokens: int
    thresholds: Thresholds
    budget: Budget
    pins: Sequence[str] = ()
    force: Condense | None = None
    summary: Summary | None = None

    def is_due(self, layout: Layout, *, idle_seconds: float) -> bool:
        """Return whether the layout is above its marks or limits, or the user asked for condensing."""
        tokens = self.fixed_tokens + layout.tokens
        if self.force is not None or tokens > self.thresholds.hard or self._has_too_many(layout):
            return True
        if not self.budget.auto_compact:
            return False
        is_cold = idle_seconds > _CACHE_SECONDS
        return tokens > self.thresholds.high or (is_cold and tokens > self.thresholds.cold)

    def condense(self, layout: Layout, *, must_trim: bool) -> tuple[Layout, tuple[CondensingStage, ...]]:
        """Digest old tool rounds, and trim history if that does not save enough.

        The basis of the newest turn stays whole as long as everything else that is needed fits beside it.
        """
        places = [] if self.force else self._basis(layout)
        basis = tuple(layout.blocks[place].start for place in places)
        while True:
            shorter, stages = self._condense_beside(basis, layout, must_trim=must_trim)
            if not basis or self.fixed_tokens + shorter.tokens <= self._ceiling:
                return shorter, stages
            basis = basis[:-1]

    def free(self, layout: Layout, total: int) -> int:
        """Return what is free of the working set, or of the window if rules and tools alone exceed the working set."""
        basis = sum(layout.sizes[place] for place in self._basis(layout))
        checkpoint = int(_CHECKPOINT_SHARE * self.thresholds.working)
        condensed = self.fixed_tokens + checkpoint + layout.newest_message_tokens
        kept = max(self.thresholds.low, condensed + basis)
        # Where even the basis leaves next to nothing it gives way, before results come that say nothing.
        least = int((1 - _BASIS_SHARE) * (self._ceiling - condensed))
        free = max(0, self._ceiling - min(total, kept), least)
        if free > _LITTLE_FREE * self._ceiling:
            return free
        unasked = replace(self, force=None)
        shorter, _ = unasked.condense(layout.with_all_files(), must_trim=False)
        return max(free, self._ceiling - self.fixed_tokens - shorter.tokens)

    @property
    def _ceiling(self) -> int:
        working = self.thresholds.working
        return working if working > self.fixed_tokens else self.thresholds.hard

    def _basis(self, layout: Layout) -> Sequence[int]:
        return basis_that_fits(layout, int(_BASIS_SHARE * (self._ceiling - self.fixed_tokens)))

    def _condense_beside(
        self, basis: tuple[Position, ...], layout: Layout, *, must_trim: bool
    ) -> tuple[Layout, tuple[CondensingStage, ...]]:
        stages: tuple[CondensingStage, ...] = ()
        force, thresholds = self.force, self.thresholds
        whole = layout.tokens
        digest_layout = digest_old_rounds(
            layout.with_basis(basis),
            keep_rounds=_KEPT_ROUNDS,
            keep_tokens=int(_KEPT_SHARE * thresholds.working),
        )
        gain = whole - digest_layout.tokens
        if gain >= _LEAST_GAIN * thresholds.working or (gain > 0 and force is not None):
            layout = digest_layout
            stages = ("digest",)
        must_trim = must_trim or self._has_too_many(layout)
        if self.fixed_tokens + layout.tokens <= thresholds.low and force is None and not must_trim:
            return layout, stages
        room = thresholds.low - self.fixed_tokens
        share = int(_CHECKPOINT_SHARE * thresholds.working)
        if force is not None:
            room = min(room, int(LOW * whole))
            share = min(share, room // 2)
        shorter_layout = checkpoint_old_turns(
            digest_layout,
            room=room,
            share=share,
            pins=self.pins,
            focus=force.focus if force else "",
            summary=self.summary,
            max_messages=_below(self.budget.max_messages),
            max_turns=_below(self.budget.max_turns),
        )
        if shorter_layout is not digest_layout and (shorter_layout.tokens < layout.tokens or must_trim):
            return shorter_layout, (*stages, "checkpoint")
        return layout, stages

    def _has_too_many(self, layout: Layout) -> bool:
        turns = sum(block.kind == "user" for block in layout.blocks)
        messages = sum(1 + len(block.calls) for block in layout.blocks)
        most_turns, most_messages = self.budget.max_turns, self.budget.max_messages
        return (most_turns is not None and turns > most_turns) or (
            most_messages is not None and messages > most_messages
        )


def _below(limit: int | None) -> int | None:
    """Return two thirds of a limit, so that the next request does not reach it again at once."""
    return None if limit is None else max(1, limit * 2 // 3)


def digest_old_rounds(layout: Layout, *, keep_rounds: int, keep_tokens: int) -> Layout:
    """Digest the tool results of all but the newest rounds, and the pictures of all but the newest user message.

    A round is an assistant message with tool calls and their results. At least `keep_rounds` stay, and as many more as
    fit `keep_tokens`; of those that do not fit, only the newest is not capped. Results are shortened, never dropped:
    providers reject a call without a result. A digest stays a digest.
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
    """Return the places of the rounds that stay whole during their turn, from the first one on while they fit."""
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

    The cut moves forward turn by turn, always before a user message. Only if the newest turn alone is too large does it
    move into that turn, round by round, while the turn's own message stays. At least `keep` blocks stay. `share` is
    the most that the checkpoint may take.
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
    """Return the layout with its first `cut` blocks in the checkpoint."""
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
    """Return the ledger for the checkpoint, without the message of a running turn, which is sent itself."""
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
    """Return how many blocks to cut: the fewest that bring the rest within its limits, or all that may be cut."""
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
    """Return for each place the sum from there on, and one more entry for the end."""
    return [*accumulate(reversed([*sizes, 0]))][::-1]
