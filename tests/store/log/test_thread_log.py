from __future__ import annotations

import copy
from typing import Any

import pytest
from comfyui_assistant.engine.store.log.thread_log import LogEvent, fold

from ..log_events import call, result, rewind, step, text, user

START = {"type": "step-start"}
NOTICE = {"type": "data-notice", "data": {"code": "x"}}
OUTPUT = {"ok": True, "summary": "Added.", "data": {}}
ADDED = {**call("c1"), "state": "output-available", "output": OUTPUT}


def asked(message_id: str, words: str, **fields: Any) -> dict[str, Any]:
    return {"id": message_id, "role": "user", "parts": [{"type": "text", "text": words}], **fields}


def answered(message_id: str, *parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": message_id, "role": "assistant", "parts": list(parts), **fields}


@pytest.mark.parametrize(
    ("events", "conversation"),
    [
        pytest.param([], [], id="nothing was said"),
        pytest.param(
            [LogEvent("user", "u1", {**user("u1", "one").payload, "metadata": {"custom": {"a": 1}}})],
            [asked("u1", "one", metadata={"custom": {"a": 1}})],
            id="a question keeps its metadata",
        ),
        pytest.param(
            [user("u1", "one"), step("a1", call("c1")), result("a1", "c1", "Added."), step("a1", text("2"))],
            [asked("u1", "one"), answered("a1", START, ADDED, START, text("2"))],
            id="steps of one answer stand in one message, a result at its call",
        ),
        pytest.param(
            [step("a1", text("1")), step("a2", text("2"))],
            [answered("a1", START, text("1")), answered("a2", START, text("2"))],
            id="another answer is another message",
        ),
        pytest.param(
            [step("a1"), LogEvent("data", "a1", {"part": NOTICE}), LogEvent("metadata", "a1", {"steps": 1})],
            [answered("a1", START, NOTICE, metadata={"custom": {"steps": 1}})],
            id="a notice stands in the answer, and what is known of it beside",
        ),
        pytest.param(
            [step("a1", call("c1")), step("a2", call("c1")), result("a2", "c1", "Added.")],
            [answered("a1", START, call("c1")), answered("a2", START, ADDED)],
            id="of two calls of one name the newest is meant",
        ),
        pytest.param(
            [user("u1", "one"), step("a1", text("1")), rewind("u1"), step("a2", text("2"))],
            [asked("u1", "one"), answered("a2", START, text("2"))],
            id="going back leaves out what came after",
        ),
        pytest.param([user("u1", "one"), rewind("")], [], id="going back to the start"),
        pytest.param(
            [user("u1", "one"), rewind("nobody"), result("a1", "nothing", "Added.")],
            [asked("u1", "one")],
            id="what refers to what is not there is passed over",
        ),
        pytest.param(
            [user("u1", "one"), LogEvent("switch", "", {"branch": "0"})],
            [asked("u1", "one")],
            id="a switch says nothing within a branch",
        ),
    ],
)
def test_a_log_amounts_to_a_conversation(events: list[LogEvent], conversation: list[dict[str, Any]]) -> None:
    assert fold(events) == conversation


def test_folding_leaves_what_it_was_given_as_it_was() -> None:
    begun = fold([user("u1", "one"), step("a1", call("c1"))])
    as_it_was = copy.deepcopy(begun)
    events = [
        result("a1", "c1", "Added."),
        step("a1", text("done")),
        LogEvent("metadata", "a1", {"steps": 1}),
    ]
    payloads = copy.deepcopy(events)
    grown = fold([*events, user("u2", "two"), rewind("a1")], begun)
    assert grown[1]["parts"][1]["state"] == "output-available"
    assert (begun, events) == (as_it_was, payloads)
    assert grown[0] is begun[0]
