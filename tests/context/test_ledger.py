from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.compaction import START, Position
from comfyui_assistant.engine.context.condensing import Condense
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.ledger import Ledger, condensed_entry, gather
from comfyui_assistant.engine.context.plan import plan
from comfyui_assistant.engine.context.tool_facts import Effect, ToolFacts
from comfyui_assistant.tools_definitions import load_catalog

from .conversations import answer, call, text, turns, user

RUN = {
    "ok": True,
    "summary": "Built SaveImage (node 9). Ran in 3 s: node 9 gave red_1.png.",
    "data": {"status": "success", "outputs": [{"node": "9", "files": [{"filename": "red_1.png"}]}]},
}
FAILURE = {"ok": False, "error": "Built SaveImage (node 9). Running it failed: out of memory."}
EDIT_OR_RUN = {
    "type": "tool-executeWorkflow",
    "toolCallId": "c1",
    "state": "output-available",
    "input": {},
    "output": {
        "ok": True,
        "summary": "Ran in 3 s.",
        "data": {"outputs": [{"node": "9", "files": [{"kind": "image", "filename": "output/fox_1.png"}]}]},
    },
}
FACTS = {"executeWorkflow": ToolFacts("runs", "usual")}
CHAT = [
    user("u1", "A fox in the\nsnow"),
    answer("a1", [EDIT_OR_RUN, text("Here is the fox.")]),
    user("u2", "A bear"),
    answer("a2", [text("Here is the bear.")]),
]


def ledger_of(*parts: Any, facts: Any) -> Ledger:
    return gather([user("u1"), answer("a1", [*parts])], START, Position(2), facts)


@pytest.mark.parametrize(
    ("effect", "changes", "runs", "findings"),
    [
        ("edits", [f"r1: {RUN['summary']}"], [], []),
        ("runs", [], [f"r1 doIt: {RUN['summary']}"], []),
        ("builds and runs", [f"r1: {RUN['summary']}"], ["r1 doIt [red_1.png]"], []),
        ("reads", [], [], [f"r1 doIt: {RUN['summary']}"]),
    ],
)
def test_what_a_call_did_is_told_where_its_tool_says_that_it_belongs(
    effect: Effect, changes: list[str], runs: list[str], findings: list[str]
) -> None:
    ledger = ledger_of(call("c1", RUN, name="doIt"), facts={"doIt": ToolFacts(effect)})
    assert (ledger.changes, ledger.artifacts, ledger.findings) == (changes, runs, findings)


def test_changes_of_several_workflows_tell_of_which() -> None:
    def changed(number: int, workflow: str | None) -> Any:
        data = {} if workflow is None else {"workflow": workflow}
        return call(
            f"c{number}", {"ok": True, "summary": f"Changed {number}.", "data": data}, name="editWorkflow"
        )

    facts = {"editWorkflow": ToolFacts("edits")}
    assert ledger_of(changed(1, "fox"), changed(2, "fox"), facts=facts).located_changes == [
        "r1: Changed 1.",
        "r2: Changed 2.",
    ]
    assert ledger_of(changed(1, "fox"), changed(2, "hen"), changed(3, None), facts=facts).located_changes == [
        'r1: Changed 1. (in "fox")',
        'r2: Changed 2. (in "hen")',
        "r3: Changed 3.",
    ]


def test_runs_of_several_workflows_are_told_with_the_workflow_s_name() -> None:
    def done(number: int, name: str, workflow: str) -> dict[str, Any]:
        output = {"ok": True, "summary": f"Did {number}.", "data": {"workflow": workflow}}
        return call(f"c{number}", output, name=name)

    facts = {"edit": ToolFacts("edits"), "run": ToolFacts("runs")}
    assert ledger_of(done(1, "run", "fox"), facts=facts).located_artifacts == ["r1 run: Did 1."]
    ledger = ledger_of(done(1, "run", "fox"), done(2, "edit", "hen"), facts=facts)
    assert ledger.located_artifacts == ['r1 run: Did 1. (in "fox")']
    assert ledger.located_changes == ['r2: Did 2. (in "hen")']


@pytest.mark.parametrize("effect", ["edits", "runs", "builds and runs", "reads"])
def test_a_call_that_failed_changed_nothing_that_counts(effect: Effect) -> None:
    ledger = ledger_of(call("c1", FAILURE, name="doIt"), facts={"doIt": ToolFacts(effect)})
    assert ledger.failures == [f"r1 doIt: {FAILURE['error']}"]
    assert (ledger.changes, ledger.artifacts, ledger.findings) == ([], [], [])


def test_files_that_the_line_does_not_tell_stand_behind_it() -> None:
    run = {**RUN, "summary": "Ran, node 9 gave 2 of red_1.png.bak"}
    ledger = ledger_of(call("c1", run, name="doIt"), facts={"doIt": ToolFacts("runs")})
    assert ledger.artifacts == ["r1 doIt: Ran, node 9 gave 2 of red_1.png.bak [red_1.png]"]


def test_the_files_of_several_runs_of_one_call_are_all_told() -> None:
    runs = [{"seed": seed, "outputs": [{"files": [{"filename": f"fox_{seed}.png"}]}]} for seed in (1, 2)]
    output = {"ok": True, "summary": "Ran 2 times.", "data": {"runs": runs}}
    ledger = ledger_of(call("c1", output, name="doIt"), facts={"doIt": ToolFacts("runs")})
    assert ledger.artifacts == ["r1 doIt: Ran 2 times. [fox_1.png, fox_2.png]"]


def test_a_tool_that_there_is_no_more_only_looked_something_up() -> None:
    ledger = ledger_of(call("c1", RUN, name="gone"), facts={})
    assert ledger.findings == [f"r1 gone: {RUN['summary']}"]


def test_what_a_small_model_built_and_ran_stands_in_its_checkpoint_with_the_files() -> None:
    conversation = [
        user("u0", "A red image."),
        answer("a0", [call("c", RUN, name="runNewWorkflow")], [text("Here it is.")]),
        *turns(6, first=1),
    ]
    made = plan(
        conversation,
        Frame("", "slim", load_catalog().flat(8_192), facts=load_catalog().facts),
        Budget(16_000, 0),
        force=Condense(),
    )
    assert made.compaction is not None
    sections = dict(section.split("\n", 1) for section in made.compaction.text.split("\n\n## ")[1:])
    assert f"r1: {RUN['summary']}" in sections["Changes made to the workflow"]
    assert "r1 runNewWorkflow [red_1.png]" in sections["Runs and what they made"]
    assert "runNewWorkflow" not in sections["What was looked up"]


def test_what_was_asked_answered_and_made_is_kept_with_its_files():
    assert condensed_entry(CHAT, START, Position(2), FACTS) == (
        "## A fox in the snow\n\n- Asked: A fox in the snow\n- Answered: Here is the fox.\n"
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]"
    )


def test_only_what_is_new_is_kept_the_next_time():
    assert condensed_entry(CHAT, Position(2), Position(4), FACTS) == (
        "## A fox in the snow\n\n- Asked: A bear\n- Answered: Here is the bear."
    )


def test_nothing_comes_of_nothing():
    assert condensed_entry(CHAT, Position(2), Position(2), FACTS) == ""


def test_of_an_answer_that_was_condensed_in_part_only_the_rest_is_told():
    chat = [user("u1", "A fox"), answer("a1", [text("First."), EDIT_OR_RUN], [text("Then."), EDIT_OR_RUN])]
    assert condensed_entry(chat, START, Position(1, 1), FACTS).splitlines()[2:] == [
        "- Asked: A fox",
        "- Answered: First.",
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]",
    ]
    assert condensed_entry(chat, Position(1, 1), Position(2), FACTS).splitlines()[2:] == [
        "- Answered: Then.",
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]",
    ]
