from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.well_formed import UNANSWERED, posted_system, well_formed

from .conversations import text, user

ASKED: Any = {"role": "user", "content": "ask"}
SAID: Any = {"role": "assistant", "content": "said"}
CALLED: Any = {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}
GIVEN: Any = {"role": "tool", "tool_call_id": "c", "content": "x"}


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([SAID, GIVEN, ASKED], [ASKED], id="what comes before the first user message goes"),
        pytest.param([ASKED, ASKED], [ASKED, UNANSWERED, ASKED], id="an unanswered message says so"),
        pytest.param(
            [ASKED, SAID, SAID], [ASKED, {**SAID, "content": "said\n\nsaid"}], id="answers are joined"
        ),
        pytest.param(
            [ASKED, SAID, CALLED],
            [ASKED, {**CALLED, "content": "said"}],
            id="also with the calls that follow",
        ),
        pytest.param([ASKED, CALLED, GIVEN, SAID], [ASKED, CALLED, GIVEN, SAID], id="a round stays as it is"),
        pytest.param(
            [ASKED, CALLED, GIVEN, ASKED], [ASKED, CALLED, GIVEN, ASKED], id="pictures of its results"
        ),
    ],
)
def test_no_two_of_a_role_follow_each_other(messages: Any, expected: Any) -> None:
    assert well_formed(messages) == expected


def test_the_system_messages_of_a_client_go_first() -> None:
    rules = {"id": "s", "role": "system", "parts": [text("Rules."), text("More.")]}
    assert posted_system([user("u1"), rules]) == [{"role": "system", "content": "Rules.\n\nMore."}]
