from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.checkpoint import Summary, render_checkpoint
from comfyui_assistant.engine.context.condensing import Condense
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.ledger import Ledger
from comfyui_assistant.engine.context.tokens import count_text

from .conversations import answer, text, turns
from .planned import contents, planned


def test_the_checkpoint_has_every_request_the_decisions_and_the_handles() -> None:
    conversation = turns(40)
    made = planned(conversation, window=16_000)
    checkpoint = made.messages[1]["content"]
    assert all(f"keep seed {1000 + number}" in contents(made) for number in range(40))
    assert "a1: Answer 0. I chose sampler 0 because it is fast." in checkpoint
    assert "r1 to r" in checkpoint
    assert "Question 3" in (read_back(conversation, "u4") or "")
    assert "Answer 3" in (read_back(conversation, "a4") or "")
    assert read_back(conversation, "r999") is None
    assert read_back(conversation, "everything") is None


def test_pins_stand_word_for_word_in_the_checkpoint() -> None:
    made = planned(turns(80), window=16_000, pins=["Never change node 7."])
    assert "- Never change node 7." in made.messages[1]["content"]


def test_condensing_on_demand_keeps_what_touches_the_focus() -> None:
    conversation = turns(30)
    conversation[1] = answer(
        "a0", [text("We talked. " * 40 + "The hires pass stays at denoise 0.35. " + "Fine. " * 300)]
    )
    made = planned(conversation, window=100_000, force=Condense("hires denoise"))
    assert made.has_compacted
    assert "The hires pass stays at denoise 0.35." in made.messages[1]["content"]


def ledger() -> Ledger:
    return Ledger(
        requests=[(1, "Paint a lighthouse."), (2, "Make it  night.\nKeep seed 7.")],
        outcomes=[(1, "Built it.")],
        changes=["r1: Added KSampler."],
        artifacts=["r2 runWorkflow: Ran. [a.png]"],
        failures=["r3 addNode: No such type."],
        findings=["r4 searchNodes: Found 3."],
        users=2,
        first_result=1,
        last_result=4,
        is_within_turn=True,
    )


def rendered(given: Ledger, **options: Any) -> str:
    needed: dict[str, Any] = {
        "pins": [],
        "limit": 2_000,
        "count": count_text,
        "can_read_back": True,
        **options,
    }
    return render_checkpoint(given, **needed)


def test_a_checkpoint_is_a_record_with_a_section_for_each_kind_of_fact() -> None:
    assert rendered(ledger(), pins=["Never change node 7."]) == (
        "[Summary of the conversation so far. It is a record, not a new request. u3 is the user's 3rd message, "
        "a3 the answer to it, r12 the 12th tool result. readToolResult shows any of u1 to u2 and r1 to r4 whole.]\n\n"
        "## Goals and constraints, word for word\n- Never change node 7.\n\n"
        "## What the user asked\nu1: Paint a lighthouse.\nu2: Make it night. Keep seed 7.\n\n"
        "## Decisions and outcomes\na1: Built it.\n\n"
        "## Changes made to the workflow\nr1: Added KSampler.\n\n"
        "## Runs and what they made\nr2 runWorkflow: Ran. [a.png]\n\n"
        "## Attempts that failed\nr3 addNode: No such type.\n\n"
        "## What was looked up\nr4 searchNodes: Found 3.\n\n"
        "## Open\nThe request u2 is being worked on; the steps up to r4 are done."
    )


def test_nothing_is_promised_that_cannot_be_read_back() -> None:
    assert "readToolResult" not in rendered(ledger(), can_read_back=False)


def test_where_there_was_nothing_there_is_no_checkpoint() -> None:
    assert rendered(Ledger()) == ""
    assert "- Keep this." in rendered(Ledger(), pins=["Keep this."])


def test_a_summary_takes_the_place_of_the_outcomes_that_it_covers_and_is_quoted() -> None:
    given = Ledger(users=3, outcomes=[(1, "First."), (2, "Second."), (3, "Third.")])
    told = rendered(given, summary=Summary("## Open\nAll is well.", users=2))
    assert "## Decisions and outcomes\n> ## Open\n> All is well.\na3: Third." in told
    assert "First." not in told


@pytest.mark.parametrize("limit", [200, 400, 1_000, 4_000])
def test_a_checkpoint_keeps_to_its_limit_whatever_it_stands_for(limit: int) -> None:
    long = "The red sky stays at denoise 0.35 because it is calm. " * 40
    given = Ledger(
        requests=[(number, long) for number in range(1, 60)],
        outcomes=[(number, long) for number in range(1, 60)],
        changes=[f"r{number}: Added node {number}." for number in range(1, 200)],
        users=59,
        first_result=1,
        last_result=199,
    )
    told = rendered(given, limit=limit)
    assert count_text(told) <= limit * 1.1
    assert "u1: " in told
    assert "u59: " in told


def test_between_the_first_and_the_newest_the_handles_of_what_is_left_out_are_named() -> None:
    given = Ledger(requests=[(number, f"Request {number}.") for number in range(1, 31)], users=30)
    told = rendered(given, limit=100).split("## What the user asked\n")[1].splitlines()
    assert told[0] == "u1: Request 1."
    assert told[1] == "u2 to u29: left out here, 27 in all"
    assert told[-1] == "u30: Request 30."


@pytest.mark.parametrize("limit", [500, 1_000, 2_000])
def test_what_was_changed_and_run_stays_before_what_was_looked_up(limit: int) -> None:
    numbers = range(1, 31)
    given = Ledger(
        requests=[(number, f"Can you set the steps to {number}? I want it warmer.") for number in numbers],
        outcomes=[(number, f"Steps are {number} now. " * 6) for number in numbers],
        changes=[f"r{number}: 1 change: ~ 3 KSampler steps={number}" for number in numbers],
        artifacts=[f"r{number} executeWorkflow: Ran. [a{number}.png]" for number in numbers],
        findings=[f"r{number} searchInstalledNodes: 8 types for {number}." for number in numbers],
        users=30,
    )
    told = rendered(given, limit=limit)
    counts = [told.count(words) for words in ("1 change:", "executeWorkflow:", "searchInstalledNodes:")]
    assert counts == sorted(counts, reverse=True)
    assert "r30: 1 change" in told
    assert "[a30.png]" in told


def test_of_a_list_whose_newest_line_is_too_long_that_line_is_cut() -> None:
    given = Ledger(changes=[f"r{number}: Set " + "a" * 900 for number in range(1, 4)], users=1)
    told = rendered(given, limit=150).split("## Changes made to the workflow\n")[1]
    assert told.startswith("r3: Set aaa")
    assert len(told) < 450


def test_of_long_lists_the_newest_stay_and_those_that_touch_the_focus() -> None:
    given = Ledger(changes=[f"r{number}: Set seed of node {number}." for number in range(1, 60)], users=1)
    given.changes[4] = "r5: Set denoise of the hires pass."
    told = (
        rendered(given, limit=300, focus="hires").split("## Changes made to the workflow\n")[1].splitlines()
    )
    assert told[0] == f"({59 - len(told[1:])} older ones left out)"
    assert told[1] == "r5: Set denoise of the hires pass."
    assert told[-1] == "r59: Set seed of node 59."
