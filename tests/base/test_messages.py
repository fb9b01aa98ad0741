from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.messages import (
    answer_metadata,
    answer_text,
    dump,
    is_tool_part,
    last_user_index,
    message_text,
    pending_calls,
    tool_name,
    tool_parts,
    user_count,
)

from ..context.conversations import STEP, answer, call, text, user

DYNAMIC: Any = {"type": "dynamic-tool", "toolName": "look-up", "toolCallId": "c2", "state": "input-available"}


def test_a_tool_is_named_by_its_part_whatever_dashes_its_name_has() -> None:
    parts = [call("c1", name="look-up-now"), DYNAMIC]
    assert [tool_name(part) for part in parts] == ["look-up-now", "look-up"]
    assert list(tool_parts(answer("a1", [text("x"), *parts]))) == parts
    assert [is_tool_part(part) for part in (STEP, text("tool-"), {})] == [False, False, False]


def test_the_text_of_a_message_is_its_text_parts_and_what_a_step_says_has_words() -> None:
    parts = [text("One."), STEP, text(" \n"), call("c1"), text("Two.")]
    assert message_text({"id": "a", "role": "assistant", "parts": parts}) == "One.\n\n \n\n\nTwo."
    assert answer_text(parts) == "One.\n\nTwo."
    assert answer_text([]) == ""


def test_user_messages_are_counted_and_the_newest_is_found() -> None:
    conversation = [user("u1"), answer("a1"), user("u2"), answer("a2")]
    assert (user_count(conversation), last_user_index(conversation)) == (2, 2)
    assert (user_count([]), last_user_index([answer("a1")])) == (0, -1)


def test_json_is_compact_and_readable_and_in_order_where_that_is_asked_for() -> None:
    assert dump({"b": "ä", "a": [1, None]}) == '{"b":"ä","a":[1,null]}'
    assert dump({"b": 1, "a": {"d": 1, "c": 2}}, in_order=True) == '{"a":{"c":2,"d":1},"b":1}'


def test_what_is_said_of_an_answer_stands_where_applications_may_write() -> None:
    about = {"model": "small"}
    metadata = answer_metadata(about)
    assert metadata == {"custom": {"model": "small"}}
    assert metadata["custom"] is not about


@pytest.mark.parametrize(
    ("state", "is_pending"),
    [
        ("input-streaming", True),
        ("input-available", True),
        ("output-available", False),
        ("output-error", False),
        ("output-denied", False),
    ],
)
def test_a_call_waits_until_it_has_a_result(state: str, is_pending: bool) -> None:
    part = call("c1", state=state)
    assert pending_calls(answer("a1", [text("x"), part])) == ([part] if is_pending else [])
