from __future__ import annotations

from comfyui_assistant.engine.base.events import ReasoningDelta, ReplyFinished, TextDelta
from comfyui_assistant.engine.llm.refusals.overflow import ContextOverflow, Overflow

from tests.fake_model import Reply, says

from ...stream.reference_reader import read
from ..one_response import Run

EMPTY: Reply = [ReasoningDelta("hm"), ReplyFinished("stop", (), None)]
TOO_LONG: Reply = [ContextOverflow("It is too long.", hint="", overflow=Overflow(window=16_000))]


async def test_an_empty_reply_is_tried_once_more_and_then_named() -> None:
    assert (await Run(EMPTY, says("Yes.")).go()).types[-1] == "finish"
    run = await Run(EMPTY, EMPTY).go()
    assert run.types[-2:] == ["data-error", "error"]
    assert run.one("data-error")["data"]["code"] == "empty_reply"
    assert "its thoughts and without an answer" in run.one("data-error")["data"]["message"]


async def test_a_call_that_the_server_could_not_form_is_asked_for_once_more() -> None:
    malformed: Reply = [ReplyFinished("other", (), None)]
    assert (await Run(malformed, says("Yes.")).go()).types[-1] == "finish"


async def test_an_empty_reply_after_a_request_that_was_made_smaller_is_tried_once_more_too() -> None:
    run = await Run(TOO_LONG, EMPTY, says("Yes.")).go()
    assert len(run.model.requests) == 3
    assert run.kept[-1] == {"type": "text", "text": "Yes.", "state": "done"}


async def test_an_overflow_after_an_empty_reply_still_has_all_its_stages() -> None:
    run = await Run(EMPTY, TOO_LONG, TOO_LONG, TOO_LONG, says("Yes.")).go()
    assert run.kept[-1] == {"type": "text", "text": "Yes.", "state": "done"}


async def test_a_divider_of_a_step_that_is_asked_again_stands_once_in_the_panel_and_in_the_log() -> None:
    run = await Run(TOO_LONG, EMPTY, says("Yes.")).go()
    shown = read(run.chunks)
    assert [part["type"] for part in shown] == ["step-start", "data-compaction", "text"]
    assert shown == run.kept


async def test_thoughts_before_an_overflow_are_not_joined_with_those_of_the_next_attempt() -> None:
    run = await Run([ReasoningDelta("hm"), *TOO_LONG], [ReasoningDelta("so"), *says("Yes.")]).go()
    assert run.kept[-2:] == [
        {"type": "reasoning", "text": "so", "state": "done"},
        {"type": "text", "text": "Yes.", "state": "done"},
    ]


async def test_a_reply_that_ends_without_saying_so_was_cut_off() -> None:
    run = await Run([TextDelta("Half")]).go()
    assert run.one("data-notice")["data"]["code"] == "cut-off"
