from __future__ import annotations

from comfyui_assistant.engine.chat.calls.calls import SortedCalls
from comfyui_assistant.engine.chat.calls.tool_form import FlatTools, FullTools
from comfyui_assistant.engine.environment.snapshot import Environment
from comfyui_assistant.engine.events import (
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
)
from comfyui_assistant.engine.small_windows.open_workflow import Workflow

from ...small_windows.workflows import DEFAULT, ENVIRONMENT


async def read() -> tuple[Workflow | None, Environment]:
    return DEFAULT, ENVIRONMENT


def accepted(tool: str, **arguments: str) -> ToolInputAccepted:
    return ToolInputAccepted(ToolCall("c1", tool, "{}", ""), arguments)


async def test_a_flat_call_goes_out_as_the_browsers_own_and_keeps_what_was_asked() -> None:
    [decision] = (
        await FlatTools(read).carried_out(SortedCalls((accepted("setValue", name="steps", value="30"),)))
    ).decisions
    assert isinstance(decision, ToolInputAccepted)
    assert (decision.call.name, decision.input) == (
        "setNodeWidgetValue",
        {"node": "3", "widget": "steps", "value": "30"},
    )
    assert decision.call.asked == {"name": "setValue", "input": {"name": "steps", "value": "30"}}


async def test_one_that_names_nothing_there_is_answered_at_once() -> None:
    calls = SortedCalls((accepted("removeNode", node="the moon"),))
    [decision] = (await FlatTools(read).carried_out(calls)).decisions
    assert isinstance(decision, ToolInputRejected)
    assert "the moon" in decision.result["error"]


async def test_other_calls_stay_as_they_are_and_in_the_full_form_all_do() -> None:
    calls = SortedCalls((accepted("getNodeInfo", type="KSampler"),))
    assert await FlatTools(read).carried_out(calls) == calls
    flat = SortedCalls((accepted("setValue", name="steps", value="30"),))
    assert await FullTools().carried_out(flat) == flat


def test_the_page_is_not_told_of_a_flat_call_while_it_is_written() -> None:
    form = FlatTools(read)
    events = [
        TextDelta("Well."),
        ToolCallStarted("c1", "setValue"),
        ToolCallDelta("c1", "{"),
        ToolCallStarted("c2", "getNodeInfo"),
        ToolCallDelta("c2", "{"),
    ]
    assert [form.hides(event) for event in events] == [False, True, True, False, False]
    assert not any(map(FullTools().hides, events))


def test_a_text_that_is_nothing_but_arguments_is_a_call_in_the_flat_form_alone() -> None:
    text = '{"name": "steps", "value": "30"}'
    call = FlatTools(read).call_in(text)
    assert call is not None
    assert (call.name, call.arguments) == ("setValue", '{"name":"steps","value":"30"}')
    assert FullTools().call_in(text) is None
