from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.chat.calls.allowed_tools import AllowedTools, allowed_tools, find_refusal
from comfyui_assistant.engine.context.message_metadata import MessageMetadata, UsedSkill
from comfyui_assistant.engine.context.tool_facts import ToolFacts

FACTS = {
    "editWorkflow": ToolFacts("edits"),
    "executeWorkflow": ToolFacts("runs"),
    "getWorkflowInfo": ToolFacts(),
    "setValue": ToolFacts("edits"),
    "runWorkflow": ToolFacts("runs"),
    "makeColorImage": ToolFacts("builds and runs"),
}
PLAIN = ("setValue", "runWorkflow", "makeColorImage")


def message(name: str, *tools: str) -> Any:
    skill = UsedSkill("look", "Look first.", "", tools)
    return {
        "id": id,
        "role": "user",
        "parts": [{"type": "text", "text": "/skill look"}],
        "metadata": MessageMetadata(skill=skill).as_json(),
    }


def refused(conversation: Any, plain: tuple[str, ...] = ()) -> set[str]:
    allowed = allowed_tools(conversation, FACTS, plain)
    return {name for name in FACTS if find_refusal(allowed, name) is not None}


def only(conversation: Any) -> AllowedTools:
    [allowed] = allowed_tools(conversation, FACTS)
    return allowed


def reading(slug: str, *tools: str) -> Any:
    """An answer in which the model read a skill."""
    output = {"ok": True, "summary": "", "data": {"slug": slug, "allowedTools": list(tools)}}
    call = {"toolCallId": slug, "state": "output-available", "input": {}, "output": output}
    return {"id": slug, "role": "assistant", "parts": [{"type": "tool-getUserSkill", **call}]}


def test_a_skill_without_a_list_allows_all() -> None:
    assert allowed_tools([message("u1")], FACTS) == []
    assert allowed_tools([], FACTS) == []


def test_only_what_the_list_has_may_be_called() -> None:
    assert refused([message("u1", "getWorkflowInfo")]) == set(FACTS) - {"getWorkflowInfo"}


def test_the_refusal_says_what_may_be_called() -> None:
    allowed = only([message("u1", "getWorkflowInfo", "executeWorkflow")])
    assert allowed.refusal("editWorkflow") == {
        "ok": False,
        "error": 'Not run: the skill "look" does not allow editWorkflow.',
        "hint": "It allows getWorkflowInfo, executeWorkflow.",
    }


def test_the_list_holds_for_the_turn_of_its_message_alone() -> None:
    later = {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "and now?"}]}
    assert refused([message("u1", "getWorkflowInfo"), later]) == set()


@pytest.mark.parametrize("name", ["readToolResult", "getUserSkill"])
def test_what_reads_on_in_a_text_may_always_be_called(name: str) -> None:
    assert only([message("u1", "getWorkflowInfo")]).refusal(name) is None


@pytest.mark.parametrize(
    ("tools", "plain"),
    [
        (("getWorkflowInfo",), {"setValue", "runWorkflow", "makeColorImage"}),
        (("editWorkflow",), {"runWorkflow", "makeColorImage"}),
        (("executeWorkflow",), {"setValue", "makeColorImage"}),
        (("editWorkflow", "executeWorkflow"), set()),
    ],
)
def test_calls_in_plain_words_may_do_no_more_than_what_is_allowed(tools: Any, plain: set[str]) -> None:
    assert refused([message("u1", *tools)], PLAIN) & set(PLAIN) == plain


def test_a_skill_that_the_model_reads_narrows_the_rest_of_the_turn() -> None:
    turn = [message("u1"), reading("neon", "getWorkflowInfo")]
    assert refused(turn) == set(FACTS) - {"getWorkflowInfo"}
    assert refused([*turn, message("u2")]) == set()


def test_a_second_skill_gives_nothing_back() -> None:
    turn = [message("u1", "getWorkflowInfo", "editWorkflow"), reading("wide", "editWorkflow", "runWorkflow")]
    assert refused(turn) == set(FACTS) - {"editWorkflow"}


def test_a_skill_that_allows_only_tools_of_others_narrows_nothing() -> None:
    assert refused([message("u1"), reading("foreign", "Bash")]) == set()
