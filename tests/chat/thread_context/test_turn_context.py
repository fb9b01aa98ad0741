from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.compaction import clear_conversation
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.plan import ContextTooSmall
from comfyui_assistant.engine.context.tokens import Calibration, count_text
from comfyui_assistant.engine.llm.refusals.overflow import Overflow

from .turn_contexts import LONG, ONE_WORD, RULES, RUSSIAN, SHORT, TOOLS, MemoryContextLog, context


@pytest.mark.parametrize(
    ("named", "learned"),
    [(Overflow(window=9_000), [("window", 9_000)]), (Overflow(), [])],
    ids=["the window is named", "it is not"],
)
async def test_a_request_that_was_refused_as_too_long_is_made_smaller(
    named: Overflow, learned: list[Any]
) -> None:
    log = MemoryContextLog()
    turn = context(40_000, log=log)
    request = await turn.planner.plan(LONG)
    smaller = await turn.shrink(LONG, request, named)
    assert smaller.estimate < request.estimate
    assert log.kept == learned
    (divider,) = await turn.recorder.write_condensed(smaller)
    assert divider["cause"] == "emergency"


async def test_what_was_tried_after_a_refusal_is_learned_when_it_succeeds() -> None:
    log = MemoryContextLog()
    turn = context(40_000, log=log)
    smaller = await turn.shrink(LONG, await turn.planner.plan(LONG), Overflow())
    assert log.kept == []
    await turn.recorder.write_usage(smaller, None, None)
    assert log.kept == [("window", turn.planner.budget.window)]


async def test_reserve_and_factor_are_taken_once_from_what_was_refused() -> None:
    turn = context(64_000)
    request = await turn.planner.plan(LONG)
    await turn.shrink(LONG, request, Overflow())
    room = turn.planner.budget.window - turn.planner.budget.reserve
    assert room == pytest.approx(0.7 * request.tokens, abs=2)


@pytest.mark.parametrize("overflow", [Overflow(), Overflow(window=3_000)], ids=["no window", "a window"])
async def test_where_nothing_smaller_can_be_made_the_window_is_kept_for_the_next_message(
    overflow: Overflow,
) -> None:
    log = MemoryContextLog()
    turn = TurnContext.of(
        TurnPlanner(Frame(RULES, "full", TOOLS), Budget(8_000, 500), count_text), log, model="a-model"
    )
    request = await turn.planner.plan(ONE_WORD)

    async def shrink_on() -> None:
        smaller = request
        while True:
            smaller = await turn.shrink(ONE_WORD, smaller, overflow)

    with pytest.raises(ContextTooSmall):
        await shrink_on()
    kind, window = log.kept[-1]
    assert kind == "window"
    assert window < 8_000


@pytest.mark.parametrize("form", ["full", "slim"])
async def test_a_window_that_has_a_form_of_its_own_is_kept_and_the_message_asked_again(form: Any) -> None:
    log = MemoryContextLog()
    turn = TurnContext.of(
        TurnPlanner(Frame("Rules.", form), Budget(16_000, 0), count_text), log, model="a-model"
    )
    begun = [*LONG, {"id": "u61", "role": "user", "parts": [{"type": "text", "text": "And now?"}]}]
    request = await turn.planner.plan(begun)
    if form == "slim":
        assert (await turn.shrink(begun, request, Overflow(window=8_000))).tokens < 8_000
    else:
        with pytest.raises(ContextTooSmall):
            await turn.shrink(begun, request, Overflow(window=8_000))
    assert ("window", 8_000) in log.kept


async def test_a_turn_that_has_begun_goes_on_in_its_form() -> None:
    turn = context()
    request = await turn.shrink(LONG, await turn.planner.plan(LONG), Overflow(window=8_000))
    assert (request.form, LONG[-1]["role"]) == ("full", "assistant")


async def test_the_count_that_a_refusal_names_corrects_ours() -> None:
    turn = context()
    request = await turn.planner.plan(SHORT)
    await turn.shrink(SHORT, request, Overflow(requested=2 * request.estimate))
    assert (turn.planner.calibration.n, turn.planner.calibration.ratio) == (1, 2.0)


async def test_a_context_of_its_own_has_the_frame_and_nothing_of_the_thread() -> None:
    log = MemoryContextLog()
    turn = context(log=log, pins=["A pin."], compactions=[clear_conversation(SHORT)])
    fresh = turn.fresh("a-model")
    assert (fresh.frame, fresh.planner.budget) == (turn.frame, turn.planner.budget)
    assert (fresh.planner.pins, fresh.planner.compactions) == ((), [])
    await fresh.recorder.write_condensed(await fresh.planner.plan(LONG))
    assert log.kept == []


async def test_what_was_condensed_holds_for_the_next_request_and_is_told_once() -> None:
    log = MemoryContextLog()
    turn = context(log=log)
    request = await turn.planner.plan(LONG)
    (divider,) = await turn.recorder.write_condensed(request)
    assert (divider["id"], divider["cause"]) == ("compaction-1", "rule")
    again = await turn.planner.plan(LONG)
    assert again.messages == request.messages
    assert await turn.recorder.write_condensed(again) == []
    assert log.kept == [("compaction", "rule")]


async def test_dividers_that_no_answer_shows_yet_come_with_the_next_request() -> None:
    turn = context(pending_dividers=[{"id": "compaction_1"}])
    request = await turn.planner.plan(SHORT)
    assert await turn.recorder.write_condensed(request) == [{"id": "compaction_1"}]
    assert await turn.recorder.write_condensed(request) == []


async def test_each_request_is_written_down_with_what_it_cost_and_teaches() -> None:
    log = MemoryContextLog()
    turn = context(log=log, idle_seconds=3_600)
    request = await turn.planner.plan(SHORT)
    turn.recorder.write_request(request, message_id="a3", step=2)
    assert turn.planner.idle_seconds == 0
    usage = Usage(2 * request.estimate, 5, cached_tokens=request.estimate)
    assert await turn.recorder.write_usage(request, usage, 12.5) is None
    assert log.kept == [
        ("request", ("a3", 2)),
        ("reply", ("request-1", usage, 12.5)),
        ("calibration", 1),
        ("success", usage.input_tokens + 5),
    ]
    assert turn.planner.calibration.ratio == 2.0
    assert turn.recorder.report(request, 2)["cachedShare"] == 0.5


async def test_a_model_that_reads_much_less_than_it_was_sent_is_named_and_teaches_nothing() -> None:
    turn = context(window=100_000)
    request = await turn.planner.plan(LONG)
    cut = await turn.recorder.write_usage(request, Usage(2_050, 5), None)
    assert cut is not None
    assert cut.notice.code == "prompt-cut"
    assert cut.overflow == Overflow(4_096)
    assert turn.planner.calibration == Calibration()


@pytest.mark.parametrize(
    ("text", "usage"),
    [
        pytest.param(RUSSIAN, Usage(len(RULES) // 5 * 2 + len(RUSSIAN) // 4, 5), id="a text in Russian"),
        pytest.param("hello", Usage(len(RULES) // 5, 5), id="a server that leaves the tools out"),
        pytest.param(
            "hello", Usage(400, 5, cached_tokens=3_000), id="a server that tells the cached ones apart"
        ),
    ],
)
async def test_a_server_that_counts_less_than_we_do_has_not_cut_the_prompt(text: str, usage: Usage) -> None:
    conversation: Any = [{**ONE_WORD[0], "parts": [{"type": "text", "text": text}]}]
    turn = TurnContext.of(
        TurnPlanner(Frame(RULES, "full", TOOLS), Budget(100_000, 0), count_text), model="a-model"
    )
    request = await turn.planner.plan(conversation)
    assert usage.input_tokens < request.estimate / 2
    assert await turn.recorder.write_usage(request, usage, None) is None
    assert turn.planner.calibration == Calibration()


async def test_a_cut_to_a_small_window_is_told_at_the_first_message_where_tools_are_sent() -> None:
    turn = TurnContext.of(
        TurnPlanner(Frame(RULES, "full", 2 * TOOLS), Budget(100_000, 0), count_text), model="a-model"
    )
    request = await turn.planner.plan(ONE_WORD)
    cut = await turn.recorder.write_usage(request, Usage(2_050, 5), None)
    assert cut is not None
    assert cut.notice.code == "prompt-cut"
    assert cut.overflow == Overflow(4_096)


@pytest.mark.parametrize("usage", [None, Usage(0, 5)], ids=["none", "nothing read"])
async def test_a_reply_without_figures_teaches_nothing(usage: Usage | None) -> None:
    turn = context()
    request = await turn.planner.plan(SHORT)
    assert await turn.recorder.write_usage(request, usage, None) is None
    assert turn.planner.calibration == Calibration()
    assert "cachedShare" not in turn.recorder.report(request, 1)


async def test_a_turn_does_not_fail_for_want_of_what_could_not_be_written_down() -> None:
    turn = context(log=MemoryContextLog(refuses=True))
    request = await turn.planner.plan(LONG)
    (divider,) = await turn.recorder.write_condensed(request)
    assert divider["id"] == ""
    turn.recorder.write_request(request, message_id="a3", step=1)
    assert await turn.recorder.write_usage(request, Usage(request.estimate, 5), 1.0) is None
    assert (await turn.planner.plan(LONG)).messages == request.messages
