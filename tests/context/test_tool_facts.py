from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.tool_facts import Effect, ToolFacts, find_facts


@pytest.mark.parametrize(
    ("effect", "edits", "runs"),
    [
        ("reads", False, False),
        ("edits", True, False),
        ("runs", False, True),
        ("builds and runs", True, True),
    ],
)
def test_what_a_call_does_to_the_workflow(effect: Effect, edits: bool, runs: bool) -> None:
    facts = ToolFacts(effect)
    assert (facts.edits, facts.runs) == (edits, runs)


def test_a_tool_that_nobody_knows_only_reads() -> None:
    facts = {"run": ToolFacts("runs", "most")}
    assert find_facts("run", facts) == ToolFacts("runs", "most")
    assert find_facts("gone", facts) == ToolFacts("reads", "usual")
