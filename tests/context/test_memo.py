"""What was written before is not written again, and no more of it is kept than two requests hold."""

from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.memo import Memo, Recent
from comfyui_assistant.engine.context.plan import plan
from comfyui_assistant.engine.context.rendering import RenderingMemo
from comfyui_assistant.engine.context.request_plan import Plan

from tests.context.conversations import turns


def planned(conversation: Any, memo: RenderingMemo, **options: Any) -> Plan:
    return plan(conversation, Frame("Rules.", "full"), Budget(32_000, 0), memo=memo, **options)


def test_a_request_writes_only_what_is_new() -> None:
    conversation, memo = turns(20), RenderingMemo()
    before = planned(conversation[:-2], memo)
    after = planned(conversation, memo)
    assert after.messages[: len(before.messages)] == before.messages
    assert all(one is other for one, other in zip(before.messages[1:], after.messages[1:], strict=False))
    assert after.estimate == planned(conversation, RenderingMemo()).estimate


def test_what_two_requests_had_no_use_for_is_forgotten() -> None:
    recent: Recent[str, int] = Recent()
    recent.keep("a", 1)
    recent.keep("b", 2)
    recent.begin_request()
    assert recent.get("a") == 1
    recent.begin_request()
    assert (recent.get("a"), recent.get("b")) == (1, None)


def test_another_style_or_counter_begins_anew_and_mixes_with_nothing() -> None:
    memo: Memo[str] = Memo()
    plain = memo.for_style("plain")
    plain.keep("key", "in plain words")
    assert memo.for_counter("").for_style("plain").get("key") == "in plain words"
    fancy = memo.for_style("fancy")
    plain.keep("key", "written late")
    assert (fancy.get("key"), memo.for_style("fancy").get("key")) == (None, None)
    fancy.keep("key", "in fancy words")
    assert memo.for_counter("another").for_style("fancy").get("key") is None


def test_the_tools_of_another_list_are_written_anew() -> None:
    memo: Memo[str] = Memo()
    one, other = [{"name": "a"}], [{"name": "b"}]
    written = memo.texts_of_tools(one)
    assert memo.texts_of_tools(one) is written
    assert (memo.texts_of_tools(other), memo.texts_of_tools(one)) == (['{"name":"b"}'], ['{"name":"a"}'])
