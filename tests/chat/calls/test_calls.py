from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    FinishReason,
    ReplyFinished,
    ToolCall,
    ToolInputAccepted,
    ToolInputRejected,
)
from comfyui_assistant.engine.chat.calls.calls import SortedCalls, sort_calls
from comfyui_assistant.engine.chat.calls.limits import Limits
from comfyui_assistant.engine.context.tool_facts import ToolFacts

LIMITS = Limits(parallel_calls=2, repeats=3)
TOOLS = {"addNode", "getNodeInfo"}


def calls(*named: tuple[str, str]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(f"c{number}", name, arguments, "") for number, (name, arguments) in enumerate(named)
    )


def settled(name: str, arguments: dict[str, Any], output: Any) -> dict[str, Any]:
    return {
        "type": f"tool-{name}",
        "toolCallId": "c",
        "state": "output-available",
        "input": arguments,
        "output": output,
    }


def sort(
    *named: tuple[str, str], reason: FinishReason | None = "tool-calls", earlier: Any = ()
) -> SortedCalls:
    return sort_calls(ReplyFinished(reason, calls(*named), None), earlier, tool_names=TOOLS, limits=LIMITS)


def told(sorted_calls: SortedCalls) -> list[str]:
    return [
        decision.result["error"] if isinstance(decision, ToolInputRejected) else decision.call.name
        for decision in sorted_calls.decisions
    ]


def test_calls_that_fit_their_tools_are_accepted_with_their_arguments() -> None:
    sorted_calls = sort(("addNode", '{"type": "KSampler"}'), ("getNodeInfo", ""))
    assert [decision.input for decision in sorted_calls.accepted] == [{"type": "KSampler"}, {}]
    assert sorted_calls.loop is None


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("addnode", "{}", 'There is no tool "addnode". Did you mean addNode?'),
        ("fly", "{}", 'There is no tool "fly". There are: addNode, getNodeInfo.'),
        (
            "saveWorkflow",
            "{}",
            'There is no tool "saveWorkflow". No tool saves or exports a workflow: the user does, in the menu behind '
            "ComfyUI's logo, File: Save, Save As, Export or Export (API).",
        ),
        (
            "addNode",
            '{"type": ',
            "The arguments of addNode are no JSON object: '{\"type\": '. Make the call again.",
        ),
        ("addNode", "[1]", "The arguments of addNode are no JSON object: '[1]'. Make the call again."),
    ],
)
def test_a_call_that_cannot_be_run_is_answered_so_that_it_can_be_repaired(
    name: str, arguments: str, words: str
) -> None:
    assert told(sort((name, arguments), ("addNode", "{}"))) == [words, "addNode"]


@pytest.mark.parametrize("reason", [None, "length", "content-filter"])
def test_of_a_reply_that_was_cut_nothing_is_run(reason: FinishReason | None) -> None:
    sorted_calls = sort(("addNode", '{"type": "KSampler"}'), reason=reason)
    assert told(sorted_calls) == ["Not run: the reply ended before this call was complete."]
    assert sorted_calls.accepted == []


def test_what_is_more_than_a_step_runs_has_to_be_called_again() -> None:
    *first, last = told(sort(*[("addNode", f'{{"type": "{name}"}}') for name in "ABC"]))
    assert (first, last) == (
        ["addNode", "addNode"],
        "Not run: at most 2 calls fit into one step. Make it again.",
    )


@pytest.mark.parametrize(
    ("outputs", "is_run"),
    [(["same", "same"], False), (["one", "other"], True), (["same"], True)],
    ids=["the same result each time", "another result", "only twice"],
)
def test_a_call_is_stopped_where_it_brings_the_same_again_and_again(outputs: list[str], is_run: bool) -> None:
    earlier = [settled("getNodeInfo", {"types": "KSampler"}, output) for output in outputs]
    sorted_calls = sort(("getNodeInfo", '{"types": "KSampler"}'), earlier=earlier)
    assert (sorted_calls.loop is None, len(sorted_calls.accepted)) == (is_run, int(is_run))
    assert all(isinstance(decision, ToolInputAccepted) is is_run for decision in sorted_calls.decisions)


READ, SET, RUN = ("getNodeInfo", "{}"), ("addNode", '{"type": "KSampler"}'), ("executeWorkflow", "{}")
TWICE = Limits(repeats=2)
FACTS = {
    "addNode": ToolFacts("edits"),
    "getNodeInfo": ToolFacts("reads"),
    "executeWorkflow": ToolFacts("runs"),
}


@pytest.mark.parametrize(
    ("earlier", "reply", "is_run"),
    [
        pytest.param([READ], [READ], False, id="a second reading"),
        pytest.param([READ, SET], [READ], True, id="a reading after a change"),
        pytest.param([SET], [SET], False, id="the same change at once"),
        pytest.param([RUN], [RUN], False, id="the same run at once"),
        pytest.param([SET, RUN], [("addNode", "{}"), RUN], True, id="a run after a change of the same reply"),
        pytest.param([READ], [SET, READ], True, id="a reading after a change of the same reply"),
    ],
)
def test_what_stands_between_two_calls_makes_the_second_no_repetition(
    earlier: list[tuple[str, str]], reply: list[tuple[str, str]], is_run: bool
) -> None:
    parts = [settled(name, json.loads(arguments), {"ok": True}) for name, arguments in earlier]
    finished = ReplyFinished("tool-calls", calls(*reply), None)
    names = [*TOOLS, "executeWorkflow"]
    sorted_calls = sort_calls(finished, parts, tool_names=names, limits=TWICE, facts=FACTS)
    assert (sorted_calls.loop is None) is is_run
