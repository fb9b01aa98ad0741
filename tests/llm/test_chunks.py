"""What tells that a reply is over."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.chunks import ReplyEnd


def chunk(reason: str | None = None, text: str = "") -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


USAGE: dict[str, Any] = {"choices": [], "usage": {"prompt_tokens": 1}}


@pytest.mark.parametrize(
    ("chunks", "is_over"),
    [
        pytest.param([], False, id="nothing came"),
        pytest.param([chunk(text="a")], False, id="text"),
        pytest.param([chunk(text="a"), chunk("stop")], True, id="a reason"),
        pytest.param([chunk("stop", "a")], True, id="a reason beside text"),
        pytest.param([chunk("stop"), USAGE], True, id="what was used, behind it"),
        pytest.param([chunk("stop", "a"), chunk(text="b")], False, id="it went on"),
        pytest.param([USAGE], False, id="what was used, before it"),
        pytest.param(
            ["stop", None, {"choices": "stop"}, {"choices": ["stop"]}], False, id="what is no chunk"
        ),
    ],
)
def test_it_is_over_once_a_reason_came_and_nothing_of_the_answer_behind_it(
    chunks: list[Any], is_over: bool
) -> None:
    end = ReplyEnd()
    for each in chunks:
        end.note(each)
    assert end.has_finish_reason is is_over
