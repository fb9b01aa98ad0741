"""From a conversation to the messages of one request that fits the model's window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

from ..messages import Message, UIMessage
from .checkpoint import Summary
from .compaction import Compaction, beyond_reach, cleared
from .convert import posted_system
from .emergency import ContextTooSmall, emergency_layout
from .history import trim_history
from .layout import Layout, Source
from .position import START
from .rendering import RenderingMemo
from .tokens import CountText, count_messages_tokens, count_text, count_tools_tokens
from .tool_facts import ToolFacts
from .tool_rounds import fold_old_tool_rounds

__all__ = [
    "Budget",
    "Compaction",
    "ContextTooSmall",
    "Plan",
    "cleared",
    "plan",
    "system_form",
    "working_set",
]

SystemForm = Literal["full", "continuation", "slim", "posted"]
Mode = Literal["auto", "full", "continuation"]

HIGH, HIGH_OF_SMALL, LOW = 0.85, 0.90, 0.40
CHECKPOINT_SHARE = 0.18
_KEPT_SHARE = 0.25
_LEAST_GAIN = 0.20
_KEPT_ROUNDS = 2
_CACHE_SECONDS = 300
_SMALL_WINDOW = 16_000
_LEAST_CAP, _MOST_CAP, _CAP_PER_TOKEN = 1_000, 4_000, 0.05
_CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True)
class Budget:
    """Upper limits of one request. `window`, `reserve` and `working` are the model's tokens.

    `working` is the part of the window that a conversation should fill: more costs money and attention, and less is
    found in it. `factor` turns an estimate into an upper bound of the model's own count. The other limits are None
    where tokens alone decide.
    """

    window: int
    reserve: int
    working: int | None = None
    factor: float = 1.0
    max_messages: int | None = None
    max_turns: int | None = None
    keep_rounds: int | None = None
    auto_compact: bool = True

    @property
    def effective_working(self) -> int:
        room = self.window - self.reserve
        return min(self.working or working_set(self.window, self.reserve), room)


def working_set(window: int, reserve: int) -> int:
    """The working set where nobody has set one: all of a small window, half of a large one, at most 64,000 tokens."""
    return min(window - reserve, max(window // 2, 32_000), 64_000)


@dataclass(frozen=True)
class Thresholds:
    """In estimated tokens of a whole request: condense above `high` down to `low`; never send more than `hard`.

    With a cache gone cold, condensing is due above `cold` already.
    """

    high: int
    cold: int
    low: int
    hard: int
    working: int

    @classmethod
    def of(cls, budget: Budget, fixed: int, condensed: int = 0) -> Thresholds:
        """`fixed` is what every request carries: where it fills much of the window, the rest is shared out above it.

        `condensed` is what the conversation came down to the last time. Where that was not down to `low`, as with a
        long newest message, half of what lies between the marks must come anew before the next time: else each
        request would condense again.
        """
        hard = int((budget.window - budget.reserve) / budget.factor)
        working = int(budget.effective_working / budget.factor)
        free = max(0, (working if working > fixed else hard) - fixed)
        low = max(int(LOW * working), fixed + free // 4)
        share = HIGH if budget.window >= _SMALL_WINDOW else HIGH_OF_SMALL
        high = max(int(share * working), low + free // 4)
        least = (fixed + condensed if condensed else 0) + (high - low) // 2
        cold = max((high + low) // 2, least)
        return cls(min(max(high, least), hard), min(cold, hard), min(low, hard), hard, working)


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
    has_compacted: bool
    stages: tuple[str, ...]
    blocks: dict[str, int]
    thresholds: Thresholds
    budget: Budget
    tokens_before: int = 0
    estimate: int = 0
    """As counted, without the factor: what a calibration compares with the provider's own figure."""

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
            "nextAction": self._next_action(),
        }

    def _next_action(self) -> dict[str, Any]:
        if not self.budget.auto_compact:
            return {"what": "emergency", "atTokens": self.window - self.budget.reserve}
        has_rounds = any(message["role"] == "tool" for message in self.messages)
        return {
            "what": "mask" if has_rounds else "checkpoint",
            "atTokens": ceil(self.thresholds.high * self.budget.factor),
        }


@dataclass(frozen=True)
class Condense:
    """A wish of the person: condense now, keeping what touches `focus`."""

    focus: str = ""


def system_form(mode: Mode, *, window: int, is_slim: bool, is_first_turn: bool) -> SystemForm:
    """Which form of the system message a step carries.

    The whole first turn has the full message, its tool follow-ups included. `auto` keeps it in every turn where the
    window is 16k tokens or more, since provider prefix caches then make it nearly free.
    """
    if is_slim:
        return "slim"
    if mode == "full" or is_first_turn:
        return "full"
    return "continuation" if mode == "continuation" or window < 16_000 else "full"


def plan(
    conversation: Sequence[UIMessage],
    *,
    system: str,
    form: SystemForm,
    tools: Sequence[dict[str, Any]],
    facts: Mapping[str, ToolFacts],
    skills: Mapping[str, str],
    budget: Budget,
    compaction: Compaction | None = None,
    idle_seconds: float = 0,
    pins: Sequence[str] = (),
    emergency: int = 0,
    force: Condense | None = None,
    summary: Summary | None = None,
    sees_images: bool = True,
    count: CountText = count_text,
    memo: RenderingMemo | None = None,
) -> Plan:
    """Build the request: the system message in its form, then `/skill` texts injected, old tool rounds folded and
    history trimmed where that is due, in this order.

    Nothing is condensed below `high`: each request is the one before with something added, which is what prefix
    caches need. Above it, or when the cache has gone cold anyway, everything goes down to `low` at once.
    `facts` are those of every tool that the conversation may have called, by name; not only of those in `tools`.
    `emergency` (1 to 3) is the stage to begin with after a provider refused the request as too long.

    Pure: the same arguments give the same messages.

    Raises:
        ContextTooSmall: not even system message, tools, pins and a shortened newest message fit.
    """
    head: list[Message] = posted_system(conversation) if form == "posted" else []
    if form != "posted" and system:
        head = [{"role": "system", "content": system}]
    costs = {"tools": count_tools_tokens(tools, count), "system": count_messages_tokens(head, count)}
    fixed = sum(costs.values())
    can_read_back = any(tool.get("function", tool).get("name") == "readToolResult" for tool in tools)
    memo = RenderingMemo() if memo is None else memo
    memo.begin_request()
    source = Source(conversation, skills, facts, count, can_read_back, sees_images, budget.keep_rounds, memo)
    given = compaction if compaction is not None and compaction.holds_for(conversation) else None
    thresholds = Thresholds.of(budget, fixed, given.tokens if given else 0)
    layout = Layout(source, _started(conversation, given, budget))
    before = fixed + layout.tokens
    stages: list[str] = []
    owes_checkpoint = given is None and layout.state.upto > START
    if owes_checkpoint or _is_due(layout, before, thresholds, budget, idle_seconds, force):
        layout = _condensed(
            layout,
            fixed,
            thresholds,
            budget,
            stages,
            pins=pins,
            force=force,
            summary=summary,
            must_trim=owes_checkpoint,
        )
    if emergency or fixed + layout.tokens > thresholds.hard:
        layout = emergency_layout(
            layout,
            hard=thresholds.hard - fixed,
            first=max(1, emergency),
            pins=pins,
            stages=stages,
            fixed=fixed,
        )
    messages = layout.messages()
    total = fixed + count_messages_tokens(messages, count)
    has_compacted = bool(stages)
    state = replace(layout.state, tokens=layout.tokens) if has_compacted else given
    return Plan(
        messages=head + messages,
        form=form,
        tokens=ceil(total * budget.factor),
        window=budget.window,
        compaction=state,
        has_compacted=has_compacted,
        stages=tuple(stages),
        blocks=_blocks(costs, layout, total, budget.factor),
        thresholds=Thresholds.of(budget, fixed, state.tokens if state else 0),
        budget=budget,
        tokens_before=ceil(before * budget.factor),
        estimate=total,
    )


def _started(conversation: Sequence[UIMessage], given: Compaction | None, budget: Budget) -> Compaction:
    """The state to begin with. Caps come from the window alone and never grow within a thread."""
    cap = min(_MOST_CAP, max(_LEAST_CAP, int(_CAP_PER_TOKEN * budget.effective_working)))
    text_cap = max(400, (budget.window - budget.reserve) // 2 * _CHARACTERS_PER_TOKEN)
    if given is None:
        return replace(
            beyond_reach(conversation, tokens=2 * budget.window, text_cap=text_cap),
            cap=cap,
            text_cap=text_cap,
        )
    return replace(given, cap=min(given.cap, cap), text_cap=min(given.text_cap, text_cap))


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


def _condensed(
    layout: Layout,
    fixed: int,
    thresholds: Thresholds,
    budget: Budget,
    stages: list[str],
    *,
    pins: Sequence[str],
    force: Condense | None,
    summary: Summary | None,
    must_trim: bool,
) -> Layout:
    """Fold old tool rounds, and where that does not win enough, trim history."""
    whole = layout.tokens
    folded = fold_old_tool_rounds(
        layout, keep_rounds=_KEPT_ROUNDS, keep_tokens=int(_KEPT_SHARE * thresholds.working)
    )
    gain = whole - folded.tokens
    if gain >= _LEAST_GAIN * thresholds.working or (gain > 0 and force is not None):
        layout = folded
        stages.append("mask")
    must_trim = must_trim or _has_too_many(layout, budget)
    if fixed + layout.tokens <= thresholds.low and force is None and not must_trim:
        return layout
    room, share = thresholds.low - fixed, int(CHECKPOINT_SHARE * thresholds.working)
    if force is not None:
        room = min(room, int(LOW * whole))
        share = min(share, room // 2)
    trimmed = trim_history(
        folded,
        room=room,
        share=share,
        pins=pins,
        focus=force.focus if force else "",
        summary=summary,
        max_messages=_below(budget.max_messages),
        max_turns=_below(budget.max_turns),
    )
    if trimmed is not folded and (trimmed.tokens < layout.tokens or must_trim):
        layout = trimmed
        stages.append("checkpoint")
    return layout


def _below(limit: int | None) -> int | None:
    """Down to two thirds of a limit, so that the next request does not reach it again at once."""
    return None if limit is None else max(1, limit * 2 // 3)


def _blocks(costs: Mapping[str, int], layout: Layout, total: int, factor: float) -> dict[str, int]:
    newest = next(
        (index for index in reversed(range(len(layout.blocks))) if layout.blocks[index].kind == "user"), None
    )
    tail = layout.sizes[newest] if newest is not None else layout.carried_tokens
    turns = total - sum(costs.values()) - layout.checkpoint_tokens - tail
    parts = {**costs, "checkpoint": layout.checkpoint_tokens, "turns": turns, "tail": tail}
    return {name: ceil(tokens * factor) for name, tokens in parts.items()}
