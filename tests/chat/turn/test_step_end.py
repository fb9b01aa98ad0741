from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Notice, ReplyFinished, ToolCall, ToolInputAccepted
from comfyui_assistant.engine.chat.calls.calls import SortedCalls
from comfyui_assistant.engine.chat.turn.step_end import decide_step_end

LOOK, ADD_NODE = ToolCall("c1", "look", "{}", ""), ToolCall("c2", "addNode", "{}", "")
LOOP = Notice("loop", "Again.")


@pytest.mark.parametrize(
    ("reason", "calls", "loop", "expected"),
    [
        pytest.param("stop", [], None, ("stop", None), id="text ends the response"),
        pytest.param("tool-calls", [LOOK], None, (None, None), id="server tools lead to another step"),
        pytest.param("tool-calls", [LOOK, ADD_NODE], None, ("tool-calls", None), id="the browser has to act"),
        pytest.param("tool-calls", [LOOK], LOOP, ("interrupted", "loop"), id="a loop ends the response"),
        pytest.param(
            "tool-calls", [ADD_NODE], LOOP, ("tool-calls", None), id="what the browser does is waited for"
        ),
        pytest.param("length", [LOOK], LOOP, ("length", "length"), id="too long, whatever it called"),
        pytest.param("content-filter", [], None, ("content-filter", "filtered"), id="filtered"),
        pytest.param(None, [LOOK], None, ("other", "cut-off"), id="cut off"),
    ],
)
def test_how_a_response_goes_on_after_a_step(reason: Any, calls: Any, loop: Any, expected: Any) -> None:
    decisions = SortedCalls(tuple(ToolInputAccepted(call, {}) for call in calls), loop)
    end = decide_step_end(ReplyFinished(reason, tuple(calls), None), decisions, browser_tools={"addNode"})
    assert (end.reason, end.notice and end.notice.code) == expected
