"""From a conversation to the messages of one request that fits the model's window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

from ..messages import Message, UIMessage
from .budget import LOW, Budget, Thresholds
from .checkpoint import Summary
from .compaction import Compaction, skip_unsendable
from .convert import posted_system
from .emergency import EMERGENCY_STAGES, EmergencyStage, emergency_layout
from .frame import Frame, LeftOut, SystemForm
from .layout import Layout, Material
from .old_turns import checkpoint_old_turns
from .position import START, Position
from .rendering import RenderingMemo
from .tokens import CountText, count_messages_tokens, count_text, count_tool_texts
from .tool_rounds import basis_that_fits, digest_old_rounds

Stage = Literal["digest", "checkpoint"] | EmergencyStage
"""What was done to make a request fit: tool rounds digested, history put into the checkpoint, or more than that."""

CHECKPOINT_SHARE = 0.18
_KEPT_SHARE = 0.25
_LEAST_GAIN = 0.20
_KEPT_ROUNDS = 2
_BASIS_SHARE = 0.6
"""Of what is free above rules and tools, for what the newest turn stands on; the rest is for what it still reads."""
_CACHE_SECONDS = 300
_LEAST_CAP, _MOST_CAP, _CAP_PER_TOKEN = 1_000, 4_000, 0.05
_CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True)
class Plan:
    """What is sent, and what was done to make it fit. `tokens` is an upper bound, the tools included.

    `compaction` is what now holds: the object that was given where nothing was condensed. `blocks` are upper bounds
    of what the parts take.
    """

    messages: list[Message]
    form: SystemForm
    tokens: int
    window: int
    compaction: Compaction | None
    stages: tuple[Stage, ...]
    blocks: dict[str, int]
    thresholds: Thresholds
    budget: Budget
    tokens_before: int = 0
    estimate: int = 0
    """As counted, without the factor: what a calibration compares with the provider's own figure."""
    left_out: tuple[LeftOut, ...] = ()
    """What the system message had no room for."""
    free: int = 0
    """Estimated tokens that are free for new results, once what is old has given way to them."""

    @property
    def has_compacted(self) -> bool:
        return bool(self.stages)

    @property
    def new_compaction(self) -> Compaction | None:
        return self.compaction if self.has_compacted else None

    @property
    def is_emergency(self) -> bool:
        return any(stage in EMERGENCY_STAGES for stage in self.stages)

    def report(self) -> dict[str, Any]:
        """Where the tokens go, and what happens next: docs/api.md, data-context."""
        factor = self.budget.factor
        return {
            "form": self.form,
            "estimatedTokens": self.tokens,
            "window": self.window,
            "working": ceil(self.thresholds.working * factor),
            "high": ceil(self.thresholds.high * factor),
            "low": ceil(self.thresholds.low * factor),
            "reserve": self.budget.reserve,
            "blocks": self.blocks,
            "messages": len(self.messages),
            "leftOut": [entry.as_json() for entry in self.left_out],
            "nextAction": self._next_action(),
        }

    def _next_action(self) -> dict[str, Any]:
        if not self.budget.auto_compact:
            return {"what": "emergency", "atTokens": self.window - self.budget.reserve}
        has_rounds = any(message["role"] == "tool" for message in self.messages)
        return {
            "what": "digest" if has_rounds else "checkpoint",
            "atTokens": ceil(self.thresholds.high * self.budget.factor),
        }


@dataclass(frozen=True)
class Condense:
    """A wish of the person: condense now, keeping what touches `focus`."""

    focus: str = ""


def plan(
    conversation: Sequence[UIMessage],
    frame: Frame,
    budget: Budget,
    *,
    compaction: Compaction | None = None,
    idle_seconds: float = 0,
    pins: Sequence[str] = (),
    emergency: int = 0,
    force: Condense | None = None,
    summary: Summary | None = None,
    count: CountText = count_text,
    memo: RenderingMemo | None = None,
) -> Plan:
    """Build the request: the system message in its form, then `/skill` texts injected, old tool rounds digested and
    history trimmed where that is due, in this order.

    Nothing is condensed below `high`: each request is the one before with something added, which is what prefix
    caches need. Above it, or when the cache has gone cold anyway, everything goes down to `low` at once.
    `emergency` (1 to 3) is the stage to begin with after a provider refused the request as too long.

    Pure: the same arguments give the same messages.

    Raises:
        ContextTooSmall: not even system message, tools, pins and a shortened newest message fit.
    """
    memo = RenderingMemo() if memo is None else memo
    memo.begin_request()
    head = _head(conversation, frame)
    costs = {
        "tools": count_tool_texts(memo.texts_of_tools(frame.tools), count),
        "system": count_messages_tokens(head, count),
    }
    fixed_tokens = sum(costs.values())
    source = Material(conversation, frame, count, budget.keep_rounds, memo)
    previous = compaction if compaction is not None and compaction.holds_for(conversation) else None
    thresholds = Thresholds.of(budget, fixed_tokens, previous.tokens if previous else 0)
    layout = Layout(source, _first_state(conversation, previous, budget))
    tokens_before = fixed_tokens + layout.tokens
    stages: tuple[Stage, ...] = ()
    owes_checkpoint = previous is None and layout.state.upto > START
    if owes_checkpoint or _is_due(layout, tokens_before, thresholds, budget, idle_seconds, force):
        shorter, stages = _condense(
            layout.with_files_moved(),
            fixed_tokens,
            thresholds,
            budget,
            pins=pins,
            force=force,
            summary=summary,
            must_trim=owes_checkpoint,
        )
        layout = shorter if stages else layout
    if emergency or fixed_tokens + layout.tokens > thresholds.hard:
        layout, last = emergency_layout(
            layout.with_files_moved(),
            hard=thresholds.hard - fixed_tokens,
            first=max(1, emergency),
            pins=pins,
            fixed_tokens=fixed_tokens,
        )
        stages = (*stages, last)
    messages = layout.messages()
    total = fixed_tokens + layout.count(messages)
    state = replace(layout.state, tokens=layout.tokens) if stages else previous
    return Plan(
        messages=head + messages,
        form=frame.form,
        tokens=ceil(total * budget.factor),
        window=budget.window,
        compaction=state,
        stages=stages,
        blocks=_blocks(costs, layout, total, budget.factor),
        thresholds=Thresholds.of(budget, fixed_tokens, state.tokens if state else 0),
        budget=budget,
        tokens_before=ceil(tokens_before * budget.factor),
        estimate=total,
        left_out=frame.left_out,
        free=_free(layout, fixed_tokens, total, thresholds),
    )


def _head(conversation: Sequence[UIMessage], frame: Frame) -> list[Message]:
    if frame.form == "posted":
        return posted_system(conversation)
    return [{"role": "system", "content": frame.system}] if frame.system else []


def _first_state(
    conversation: Sequence[UIMessage], previous: Compaction | None, budget: Budget
) -> Compaction:
    """The state to begin with. Caps come from the window alone and never grow within a thread."""
    cap = min(_MOST_CAP, max(_LEAST_CAP, int(_CAP_PER_TOKEN * budget.effective_working)))
    text_cap = max(400, (budget.window - budget.reserve) // 2 * _CHARACTERS_PER_TOKEN)
    if previous is None:
        return replace(
            skip_unsendable(conversation, tokens=2 * budget.window, text_cap=text_cap),
            cap=cap,
            text_cap=text_cap,
        )
    return replace(previous, cap=min(previous.cap, cap), text_cap=min(previous.text_cap, text_cap))


def _is_due(
    layout: Layout,
    tokens: int,
    thresholds: Thresholds,
    budget: Budget,
    idle_seconds: float,
    force: Condense | None,
) -> bool:
    if force is not None or tokens > thresholds.hard:
        return True
    if _has_too_many(layout, budget):
        return True
    if not budget.auto_compact:
        return False
    is_cold = idle_seconds > _CACHE_SECONDS
    return tokens > thresholds.high or (is_cold and tokens > thresholds.cold)


def _has_too_many(layout: Layout, budget: Budget) -> bool:
    turns = sum(block.kind == "user" for block in layout.blocks)
    messages = sum(1 + len(block.calls) for block in layout.blocks)
    return (budget.max_turns is not None and turns > budget.max_turns) or (
        budget.max_messages is not None and messages > budget.max_messages
    )


def _condense(
    layout: Layout,
    fixed_tokens: int,
    thresholds: Thresholds,
    budget: Budget,
    *,
    pins: Sequence[str],
    force: Condense | None,
    summary: Summary | None,
    must_trim: bool,
) -> tuple[Layout, tuple[Stage, ...]]:
    """Fold old tool rounds, and where that does not win enough, trim history.

    What the newest turn stands on stays whole where what else is needed has room beside it.
    """
    ceiling = _ceiling(thresholds, fixed_tokens)
    places = [] if force else basis_that_fits(layout, int(_BASIS_SHARE * (ceiling - fixed_tokens)))
    basis = tuple(layout.blocks[place].start for place in places)
    while True:
        shorter, stages = _condense_beside(
            basis,
            layout,
            fixed_tokens,
            thresholds,
            pins=pins,
            force=force,
            summary=summary,
            budget=budget,
            must_trim=must_trim,
        )
        if not basis or fixed_tokens + shorter.tokens <= ceiling:
            return shorter, stages
        basis = basis[:-1]


def _condense_beside(
    basis: tuple[Position, ...],
    layout: Layout,
    fixed_tokens: int,
    thresholds: Thresholds,
    *,
    budget: Budget,
    pins: Sequence[str],
    force: Condense | None,
    summary: Summary | None,
    must_trim: bool,
) -> tuple[Layout, tuple[Stage, ...]]:
    stages: tuple[Stage, ...] = ()
    whole = layout.tokens
    digest_layout = digest_old_rounds(
        layout.with_basis(basis), keep_rounds=_KEPT_ROUNDS, keep_tokens=int(_KEPT_SHARE * thresholds.working)
    )
    gain = whole - digest_layout.tokens
    if gain >= _LEAST_GAIN * thresholds.working or (gain > 0 and force is not None):
        layout = digest_layout
        stages = ("digest",)
    must_trim = must_trim or _has_too_many(layout, budget)
    if fixed_tokens + layout.tokens <= thresholds.low and force is None and not must_trim:
        return layout, stages
    room, share = thresholds.low - fixed_tokens, int(CHECKPOINT_SHARE * thresholds.working)
    if force is not None:
        room = min(room, int(LOW * whole))
        share = min(share, room // 2)
    shorter_layout = checkpoint_old_turns(
        digest_layout,
        room=room,
        share=share,
        pins=pins,
        focus=force.focus if force else "",
        summary=summary,
        max_messages=_below(budget.max_messages),
        max_turns=_below(budget.max_turns),
    )
    if shorter_layout is not digest_layout and (shorter_layout.tokens < layout.tokens or must_trim):
        return shorter_layout, (*stages, "checkpoint")
    return layout, stages


def _below(limit: int | None) -> int | None:
    """Down to two thirds of a limit, so that the next request does not reach it again at once."""
    return None if limit is None else max(1, limit * 2 // 3)


def _free(layout: Layout, fixed_tokens: int, total: int, thresholds: Thresholds) -> int:
    """What is left of the working set, or of the window where that is too small for rules and tools."""
    ceiling = _ceiling(thresholds, fixed_tokens)
    places = basis_that_fits(layout, int(_BASIS_SHARE * (ceiling - fixed_tokens)))
    basis = sum(layout.sizes[place] for place in places)
    checkpoint = int(CHECKPOINT_SHARE * thresholds.working)
    condensed = fixed_tokens + checkpoint + _newest_message_tokens(layout)
    kept = max(thresholds.low, condensed + basis)
    # Where even the basis leaves next to nothing it gives way, before results come that say nothing.
    least = int((1 - _BASIS_SHARE) * (ceiling - condensed))
    return max(0, ceiling - min(total, kept), least)


def _ceiling(thresholds: Thresholds, fixed_tokens: int) -> int:
    return thresholds.working if thresholds.working > fixed_tokens else thresholds.hard


def _newest_message_tokens(layout: Layout) -> int:
    newest = next(
        (index for index in reversed(range(len(layout.blocks))) if layout.blocks[index].kind == "user"), None
    )
    return layout.sizes[newest] if newest is not None else layout.carried_tokens


def _blocks(costs: Mapping[str, int], layout: Layout, total: int, factor: float) -> dict[str, int]:
    tail = _newest_message_tokens(layout)
    turns = total - sum(costs.values()) - layout.checkpoint_tokens - tail
    parts = {**costs, "checkpoint": layout.checkpoint_tokens, "turns": turns, "tail": tail}
    return {name: ceil(tokens * factor) for name, tokens in parts.items()}
