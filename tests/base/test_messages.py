from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.messages import (
    PostedMessage,
    answer_metadata,
    answer_text,
    dump,
    is_tool_part,
    last_user_index,
    text_of,
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
    assert text_of({"id": "a", "role": "assistant", "parts": parts}) == "One.\n\n \n\n\nTwo."
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


def test_of_a_message_only_what_we_know_is_kept() -> None:
    given = [user("u1", "hi", metadata={"reminder": "x"}, createdAt=7), user("u2", "ho", metadata="x")]
    assert [PostedMessage.read(each).message("messages[0]") for each in given] == [
        user("u1", "hi", metadata={"reminder": "x"}),
        user("u2", "ho"),
    ]


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({}, "parts[0] is dict; expected an object with a type."),
        ({"type": "text"}, "parts[0].text is nothing; expected a text."),
        ({"type": "reasoning", "text": 7}, "parts[0].text is int; expected a text."),
        ({"type": "file", "url": "x"}, "parts[0] is dict; expected a file part with url and mediaType."),
        (call("c1") | {"toolCallId": ""}, 'parts[0].toolCallId is ""; expected the id of the call.'),
        (DYNAMIC | {"toolName": None}, "parts[0].toolName is nothing; expected the name of the tool."),
        (call("c1") | {"state": None}, "parts[0].state is nothing; expected the state of the call."),
    ],
)
def test_a_part_of_another_form_is_refused_with_the_place_and_what_was_expected(
    part: Any, complaint: str
) -> None:
    with pytest.raises(RequestError) as refused:
        PostedMessage.read({"id": "u1", "role": "user", "parts": [part]}).message("messages[0]")
    assert (refused.value.code, refused.value.message) == ("invalid_request", f"messages[0].{complaint}")
    assert refused.value.hint
