from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.posted_message import PostedMessage

from ..context.conversations import call, user

DYNAMIC: Any = {"type": "dynamic-tool", "toolName": "look-up", "toolCallId": "c2", "state": "input-available"}


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
