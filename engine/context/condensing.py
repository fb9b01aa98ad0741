"""A conversation made shorter: when that is due, and how far down it goes at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .budget import LOW, Budget, Thresholds
from .checkpoint import Summary
from .layout import Layout
from .old_turns import checkpoint_old_turns
from .position import Position
from .request_plan import CondensingStage
from .tool_rounds import basis_that_fits, digest_old_rounds

_CHECKPOINT_SHARE = 0.18
_KEPT_SHARE = 0.25
_LEAST_GAIN = 0.20
_KEPT_ROUNDS = 2
_BASIS_SHARE = 0.6
"""Of what is free above rules and tools, for what the newest turn stands on; the rest is for what it still reads."""
_LITTLE_FREE = 0.25
"""Of the working set: where less is free by the marks, what condensing would really come down to is found out."""
_CACHE_SECONDS = 300


@dataclass(frozen=True)
class Condense:
    """A wish of the person: condense now, keeping what touches `focus`."""

    focus: str = ""


@dataclass(frozen=True)
class Condensing:
    """What a conversation has to fit beside, `fixed_tokens` for system message and tools, and what it keeps."""

    fixed_tokens: int
    thresholds: Thresholds
    budget: Budget
    pins: Sequence[str] = ()
    force: Condense | None = None
    summary: Summary | None = None

    def is_due(self, layout: Layout, *, idle_seconds: float) -> bool:
        tokens = self.fixed_tokens + layout.tokens
        if self.force is not None or tokens > self.thresholds.hard or self._has_too_many(layout):
            return True
        if not self.budget.auto_compact:
            return False
        is_cold = idle_seconds > _CACHE_SECONDS
        return tokens > self.thresholds.high or (is_cold and tokens > self.thresholds.cold)

    def condense(self, layout: Layout, *, must_trim: bool) -> tuple[Layout, tuple[CondensingStage, ...]]:
        """Fold old tool rounds, and where that does not win enough, trim history.

        What the newest turn stands on stays whole where what else is needed has room beside it.
        """
        places = [] if self.force else self._basis(layout)
        basis = tuple(layout.blocks[place].start for place in places)
        while True:
            shorter, stages = self._condense_beside(basis, layout, must_trim=must_trim)
            if not basis or self.fixed_tokens + shorter.tokens <= self._ceiling:
                return shorter, stages
            basis = basis[:-1]

    def free(self, layout: Layout, total: int) -> int:
        """What is left of the working set, or of the window where that is too small for rules and tools."""
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
        shorter, _ = unasked.condense(layout.with_files_moved(), must_trim=False)
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
    """Down to two thirds of a limit, so that the next request does not reach it again at once."""
    return None if limit is None else max(1, limit * 2 // 3)
