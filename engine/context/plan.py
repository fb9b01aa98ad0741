"""The planning of a request: from a conversation to messages that fit the model's window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

from ..base.messages import Message, UIMessage
from .budget import Budget, Thresholds
from .checkpoint import Summary, render_checkpoint
from .compaction import START, Compaction, skip_unsendable
from .condensing import (
    Condense,
    Condensing,
    CondensingStage,
    cap_rounds,
    checkpoint_old_turns,
    digest_old_rounds,
    move_to_checkpoint,
)
from .frame import Frame, LeftOut, SystemForm
from .layout import Layout, Material, posted_system
from .ledger import Ledger
from .rendering import IMAGES_OF_RESULTS, RenderingMemo
from .tokens import CountText, count_messages_tokens, count_text, count_tool_texts

_LEAST_CAP, _MOST_CAP, _CAP_PER_TOKEN = 1_000, 4_000, 0.05
_CHARACTERS_PER_TOKEN = 3
_HALVED = 1_000
_SHARES = (0.25, 0.15)
_LEAST_TEXT = 120

EmergencyStage = Literal["emergency-1", "emergency-2", "emergency-3"]
EMERGENCY_STAGES: tuple[EmergencyStage, ...] = ("emergency-1", "emergency-2", "emergency-3")
Stage = CondensingStage | EmergencyStage
"""A stage of making a request fit."""


@dataclass(frozen=True)
class Plan:
    """A request, and the stages that made it fit. `tokens` is an upper bound, tools included.

    `compaction` is the one now in effect: the given object if nothing was condensed. `blocks` are upper bounds of the
    tokens of each part.
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
    """The tokens as counted, without the factor; a calibration compares them with the provider's count."""
    left_out: tuple[LeftOut, ...] = ()
    """The parts that the system message had no room for."""
    free: int = 0
    """Estimated tokens that are free for new results after condensing."""

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
        """Return the tokens of each part and the next action (docs/api.md, data-context)."""
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
    """Plan a request: system message, checkpoint, then the conversation, condensed if that is due.

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
    condensing = Condensing(fixed_tokens, thresholds, budget, pins, force, summary)
    if owes_checkpoint or condensing.is_due(layout, idle_seconds=idle_seconds):
        shorter, stages = condensing.condense(layout.with_all_files(), must_trim=owes_checkpoint)
        layout = shorter if stages else layout
    if emergency or fixed_tokens + layout.tokens > thresholds.hard:
        layout, last = emergency_layout(
            layout.with_all_files(),
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
        free=condensing.free(layout, total),
    )


def _head(conversation: Sequence[UIMessage], frame: Frame) -> list[Message]:
    if frame.form == "posted":
        return posted_system(conversation)
    return [{"role": "system", "content": frame.system}] if frame.system else []


def _first_state(
    conversation: Sequence[UIMessage], previous: Compaction | None, budget: Budget
) -> Compaction:
    """Return the state to begin with. Caps depend on the window alone and never grow within a thread."""
    cap = min(_MOST_CAP, max(_LEAST_CAP, int(_CAP_PER_TOKEN * budget.effective_working)))
    text_cap = max(400, (budget.window - budget.reserve) // 2 * _CHARACTERS_PER_TOKEN)
    if previous is None:
        return replace(
            skip_unsendable(conversation, tokens=2 * budget.window, text_cap=text_cap),
            cap=cap,
            text_cap=text_cap,
        )
    return replace(previous, cap=min(previous.cap, cap), text_cap=min(previous.text_cap, text_cap))


def _blocks(costs: Mapping[str, int], layout: Layout, total: int, factor: float) -> dict[str, int]:
    tail = layout.newest_message_tokens
    turns = total - sum(costs.values()) - layout.checkpoint_tokens - tail
    parts = {**costs, "checkpoint": layout.checkpoint_tokens, "turns": turns, "tail": tail}
    return {name: ceil(tokens * factor) for name, tokens in parts.items()}


class ContextTooSmall(Exception):
    """Raised if not even the floor fits: system message, tools, pins and a shortened newest message."""

    def __init__(self, tokens: int, room: int) -> None:
        super().__init__(f"at least {tokens:,} tokens are needed, {room:,} can be used")
        self.tokens = tokens
        self.room = room


def emergency_layout(
    layout: Layout, *, hard: int, first: int, pins: Sequence[str], fixed_tokens: int
) -> tuple[Layout, EmergencyStage]:
    """Return the first of three smaller and smaller layouts that fits `hard` tokens, and its stage.

    1: everything but the newest round is digested, and older turns go into the checkpoint; that round is capped if it
    does not fit. 2: all results are digested, with a smaller cap from then on. 3: the floor is the checkpoint and the
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
    """Return the smaller layout: a checkpoint of very little is longer than what it replaces."""
    return other if other.tokens < one.tokens else one


def _longest_text(layout: Layout) -> int:
    """Return the characters of the longest text: a cap above it would cut nothing."""
    contents = [message["content"] or "" for message in layout.messages()]
    texts = [
        part.get("text", "")
        for content in contents
        for part in ([{"text": content}] if isinstance(content, str) else content)
    ]
    return max(map(len, texts), default=0)


def _floor(layout: Layout, hard: int, pins: Sequence[str]) -> Layout:
    """Return the checkpoint and the newest user message, both cut until they fit, in the end without pictures."""
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


def with_workflow(request: Plan, workflow: str, tokens: int) -> Plan:
    """Return the request with the open workflow, of so many tokens, before its newest message."""
    said = (i for i in range(len(request.messages) - 1, -1, -1) if _is_user_message(request.messages[i]))
    index = next(said, None)
    if index is None or not workflow:
        return request
    newest = request.messages[index]
    messages = [*request.messages[:index], _with_text(newest, workflow), *request.messages[index + 1 :]]
    return replace(
        request,
        messages=messages,
        tokens=request.tokens + ceil(tokens * request.budget.factor),
        estimate=request.estimate + tokens,
    )


def _is_user_message(message: Message) -> bool:
    content = message["content"]
    return message["role"] == "user" and not (isinstance(content, list) and IMAGES_OF_RESULTS in content)


def _with_text(message: Message, text: str) -> Message:
    content = message["content"]
    if isinstance(content, list):
        return {**message, "content": [{"type": "text", "text": text}, *content]}
    return {**message, "content": f"{text}\n\n{content or ''}"}
