from __future__ import annotations

from comfyui_assistant.engine.chat.calls.calls import SortedCalls
from comfyui_assistant.engine.chat.calls.plain_calls import HiddenCalls, PlainCalls, request_read
from comfyui_assistant.engine.events import (
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
)

from ...plain.workflows import DEFAULT, ENVIRONMENT

PLAIN = PlainCalls(DEFAULT, ENVIRONMENT)


def accepted(tool: str, **arguments: str) -> ToolInputAccepted:
    return ToolInputAccepted(ToolCall("c1", tool, "{}", ""), arguments)


def test_a_call_in_plain_words_goes_out_as_the_browsers_own_and_keeps_what_was_asked() -> None:
    [decision] = PLAIN.as_browser_calls(
        SortedCalls((accepted("setValue", name="steps", value="30"),))
    ).decisions
    assert isinstance(decision, ToolInputAccepted)
    assert (decision.call.name, decision.input) == (
        "setNodeWidgetValue",
        {"node": "3", "widget": "steps", "value": "30"},
    )
    assert decision.call.asked == {"name": "setValue", "input": {"name": "steps", "value": "30"}}


def test_a_message_is_read_without_courtesies_and_one_longer_than_any_order_not_at_all() -> None:
    assert request_read("could you set the steps to 30 please") == "set the steps to 30"
    assert request_read("set the steps to 30 and " * 1_000) == ""


def test_where_the_request_went_before_the_call_the_model_is_shown_what_was_done() -> None:
    plain = PlainCalls(DEFAULT, ENVIRONMENT, "remove the Save Image node")
    [decision] = plain.as_browser_calls(SortedCalls((accepted("removeNode", node="8"),))).decisions
    assert decision.call.asked == {"name": "removeNode", "input": {"node": "9"}}


def test_a_new_workflow_is_not_built_where_a_value_was_to_be_set() -> None:
    plain = PlainCalls(DEFAULT, ENVIRONMENT, "steps to 28 please")
    [decision] = plain.as_browser_calls(SortedCalls((accepted("runNewWorkflow", script="x"),))).decisions
    assert isinstance(decision, ToolInputRejected)
    assert decision.result["hint"] == 'Call setValue {"name":"steps","value":"28"}.'


def test_what_was_said_goes_out_in_place_of_another_call_and_is_shown_as_the_models_own() -> None:
    plain = PlainCalls(DEFAULT, ENVIRONMENT, "steps to 28 please")
    [decision] = plain.as_browser_calls(SortedCalls((accepted("removeNode", node="3"),))).decisions
    assert isinstance(decision, ToolInputAccepted)
    assert decision.call.asked == {"name": "setValue", "input": {"name": "steps", "value": "28"}}


def test_only_the_first_call_of_a_step_sets_what_was_said() -> None:
    plain = PlainCalls(DEFAULT, ENVIRONMENT, "steps to 28 and run it")
    calls = SortedCalls((accepted("setValue", name="steps", value="28"), accepted("runWorkflow")))
    tools = [each.call.name for each in plain.as_browser_calls(calls).decisions]
    assert tools == ["setNodeWidgetValue", "executeWorkflow"]


def test_one_that_names_nothing_there_is_answered_at_once() -> None:
    [decision] = PLAIN.as_browser_calls(SortedCalls((accepted("removeNode", node="the moon"),))).decisions
    assert isinstance(decision, ToolInputRejected)
    assert "the moon" in decision.result["error"]


def test_other_calls_stay_as_they_are() -> None:
    calls = SortedCalls((accepted("getNodeInfo", type="KSampler"),))
    assert PLAIN.as_browser_calls(calls) == calls


def test_the_page_is_not_told_of_a_call_while_it_is_written() -> None:
    hidden = HiddenCalls()
    events = [
        TextDelta("Well."),
        ToolCallStarted("c1", "setValue"),
        ToolCallDelta("c1", "{"),
        ToolCallStarted("c2", "getNodeInfo"),
        ToolCallDelta("c2", "{"),
    ]
    assert [hidden.hides(event) for event in events] == [False, True, True, False, False]
