"""The line below an answer that tells what its calls did, whatever its text says."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

FAR_AWAY = "() => { app.canvas.ds.offset = [-9000, -9000]; app.canvas.setDirty(true, true); }"
IS_IN_VIEW = "() => app.canvas.ds.offset[0] > -5000"


def facts(panel: Panel):
    return panel.answers.last.locator(".cass-facts")


@pytest.mark.slow
def test_what_was_done_stands_below_the_answer_and_is_shown_on_the_canvas(
    comfy: ComfyPage, panel: Panel, model, chain: dict[str, str]
):
    sets = {"op": "set", "nodes": [chain["image"]], "widgets": {"color": 255}}
    model.play(
        {
            "about": "Turns the image blue, and runs it.",
            "steps": [
                {"reply": [{"call": "editWorkflow", "arguments": {"operations": [sets]}}]},
                {"reply": [{"call": "executeWorkflow", "arguments": {}}]},
                {"reply": [{"say": "It is blue now."}]},
            ],
        }
    )
    panel.ask("make it blue and run it")
    expect(facts(panel)).to_have_text("Changed 1 node · ran once · 1 picture")
    panel.look_at("turn-facts")

    comfy.page.evaluate(FAR_AWAY)
    facts(panel).get_by_role("button").click()
    comfy.page.wait_for_function(IS_IN_VIEW)
    panel.look_at("turn-facts-shown")

    comfy.page.evaluate("(id) => app.graph.remove(app.graph.getNodeById(id))", chain["image"])
    facts(panel).get_by_role("button").click()
    expect(facts(panel).get_by_role("status")).to_have_text("Nothing of it is on the canvas now.")
    panel.look_at("turn-facts-gone")
    assert comfy.errors == []


def test_a_change_that_is_only_claimed_is_seen_to_be_none(
    comfy: ComfyPage, panel: Panel, model, chain: dict[str, str]
):
    model.play({"about": "Only talks.", "steps": [{"reply": [{"say": "I have set the width to 128."}]}]})
    panel.ask("width 128 please")
    expect(facts(panel)).to_have_text("Nothing in the workflow was changed")
    expect(facts(panel).get_by_role("button")).to_have_count(0)
    panel.look_at("turn-facts-nothing")
    assert comfy.errors == []
