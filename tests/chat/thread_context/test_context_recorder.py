from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import Calibration, count_text

from .turn_contexts import LONG, ONE_WORD, RULES, RUSSIAN, SHORT, TOOLS, MemoryContextLog, context


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
    notice = await turn.recorder.write_usage(request, Usage(2_048, 5), None)
    assert notice is not None
    assert notice.code == "prompt-cut"
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
    notice = await turn.recorder.write_usage(request, Usage(2_048, 5), None)
    assert notice is not None
    assert notice.code == "prompt-cut"


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
