"""The invariants of `plan()` on random conversations: `docs/architecture.md`, context engine."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.messages import is_tool_part
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.checkpoint import Summary
from hypothesis import given
from hypothesis import strategies as st

from ..cases import cases
from .invariants import (
    LastCondensing,
    check_deterministic,
    check_follows,
    check_monotony,
    check_pays,
    check_request,
    planned,
)
from .random_conversations import (
    conversations,
    drawn,
    factors,
    repeated,
    select_pins,
    step,
    summaries,
    text,
    user,
    windows,
)
from .tally import CASES, invariant

LEAST_WINDOW = 1_024
"""Less than this no turn tries after a refusal."""


def budget_of(window: int, factor: float = 1.0) -> Budget:
    return Budget(window=window, reserve=min(4_096, window // 4), factor=factor)


@pytest.mark.slow
@cases("single requests")
@given(conversations(), windows, factors, select_pins, summaries)
def test_every_request_fits_is_paired_and_loses_nothing(
    conversation: Any, window: int, factor: float, pins: list[str], summary: Summary | None
) -> None:
    CASES["single requests"] += 1
    budget = budget_of(window, factor)
    made = planned(conversation, budget, pins=pins, summary=summary)
    if made is not None:
        check_request(made, conversation, budget, pins=pins, what="single requests")


@pytest.mark.slow
@cases("requests planned again")
@given(conversations(3_000), windows)
def test_the_same_conversation_gives_the_same_bytes_also_after_a_restart(
    conversation: Any, window: int
) -> None:
    CASES["requests planned again"] += 1
    budget = budget_of(window)
    made = planned(conversation, budget)
    if made is not None:
        check_deterministic(made, conversation, budget)
        check_deterministic(
            planned(conversation, budget, compaction=made.compaction) or made,
            conversation,
            budget,
            compaction=made.compaction,
        )


def has_unique_ids(conversation: Any) -> bool:
    ids = [part["toolCallId"] for message in conversation for part in message["parts"] if is_tool_part(part)]
    return len(ids) == len(set(ids))


def growing(conversation: Any) -> Any:
    """The conversation as it stands at each request: after each user message, and after each step with results."""
    for index, message in enumerate(conversation):
        parts = message["parts"]
        if message["role"] == "user":
            yield conversation[: index + 1]
            continue
        for end in range(1, len(parts) + 1):
            is_end_of_step = end == len(parts) or parts[end]["type"] == "step-start"
            if is_end_of_step and is_tool_part(parts[end - 1]):
                yield [*conversation[:index], {**message, "parts": parts[:end]}]


@pytest.mark.slow
@cases("growing threads")
@given(conversations(6_000), windows, factors)
def test_a_thread_only_grows_until_it_is_condensed(conversation: Any, window: int, factor: float) -> None:
    CASES["growing threads"] += 1
    budget = budget_of(window, factor)
    before = None
    condensing = LastCondensing()
    for so_far in list(growing(conversation))[:16]:
        made = planned(so_far, budget, compaction=before.compaction if before else None)
        if made is None:
            return
        check_request(made, so_far, budget, what="growing threads")
        check_pays(made)
        condensing.check(made, so_far)
        if before is not None:
            if has_unique_ids(so_far):
                check_monotony(before, made)
            if not made.has_compacted:
                check_follows(before, made)
        before = made


@pytest.mark.slow
@cases("requests after a refusal")
@given(conversations(6_000), windows, st.sampled_from((1.0, 1.05)))
def test_each_request_after_a_refusal_is_smaller_than_the_refused_one(
    conversation: Any, window: int, factor: float
) -> None:
    """As a turn does it: the provider's refusal shows that the window is smaller than was thought."""
    CASES["requests after a refusal"] += 1
    budget = budget_of(window, factor)
    refused = planned(conversation, budget)
    for stage in (1, 2, 3):
        if refused is None or len(refused.messages) == 1:
            return
        smaller = max(LEAST_WINDOW, int(refused.tokens * 0.7))
        budget = Budget(smaller, min(budget.reserve, smaller // 4), factor=factor)
        made = planned(conversation, budget, compaction=refused.compaction, emergency=stage)
        if made is None:
            return
        check_request(made, conversation, budget, what="requests after a refusal")
        with invariant("I1"):
            assert made.estimate < refused.estimate or smaller == LEAST_WINDOW, "no smaller"
        refused = made


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["word ", "{", "日本語", "👩‍👩‍👧‍👦", "\ud83d", "9"])
@pytest.mark.parametrize("place", ["a user message", "an answer", "a result", "a summary", "an argument"])
def test_five_megabytes_anywhere_end_in_a_request_that_fits(piece: str, place: str) -> None:
    huge = repeated(piece, 5_000_000 // len(piece.encode("utf-8", "surrogatepass")))
    result: dict[str, Any] = {"type": "tool-look", "state": "output-available", "input": {}, "output": "done"}
    conversation = [user("u1", "Begin."), {"id": "a1", "role": "assistant", "parts": []}, user("u2", "On.")]
    if place == "a user message":
        conversation[2] = user("u2", huge)
    elif place == "an answer":
        conversation[1]["parts"] = step(huge, [], name="s")
    elif place == "a result":
        conversation[1]["parts"] = step(None, [{**result, "output": {"ok": True, "data": huge}}], name="s")
    elif place == "a summary":
        conversation[1]["parts"] = step(None, [{**result, "output": {"ok": True, "summary": huge}}], name="s")
    else:
        conversation[1]["parts"] = step(None, [{**result, "input": {"text": huge}}], name="s")
    budget = budget_of(8_192)
    made = planned(conversation, budget)
    assert made is not None
    check_request(made, conversation, budget, what="five megabytes")


@cases("histories that begin with a result")
@given(drawn(lambda choices: [text(choices, 200) for _ in range(1 + choices.below(4))], 64), windows)
def test_any_history_that_begins_with_results_is_sent_from_its_first_user_message(
    said: list[str], window: int
) -> None:
    CASES["histories that begin with a result"] += 1
    result = {"type": "tool-look", "state": "output-available", "input": {}, "output": "x" * 900}
    lead = {"id": "a0", "role": "assistant", "parts": step(None, [result] * (len(said) % 4 + 1), name="s")}
    conversation = [lead, *(user(f"u{number}", each) for number, each in enumerate(said))]
    budget = budget_of(window)
    made = planned(conversation, budget)
    assert made is not None
    check_request(made, conversation, budget, what="histories that begin with a result")
