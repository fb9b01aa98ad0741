"""Runs that the assistant begins: what ComfyUI's page does about them stays out of the panel's way."""

from __future__ import annotations

from playwright.sync_api import expect

RUNS = {
    "about": "Runs the open workflow.",
    "steps": [{"reply": [{"call": "executeWorkflow", "arguments": {}}]}, {"reply": [{"say": "It failed."}]}],
}


def test_a_failed_run_of_ours_opens_no_dialog_over_the_panel(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=16, height=16)
    nothing = comfy.add_node("ImageScaleBy", scale_by=0.01)
    look = comfy.add_node("PreviewImage")
    comfy.connect(image, "IMAGE", nothing, "image")
    comfy.connect(nothing, "IMAGE", look, "images")
    model.play(RUNS)

    panel.ask("run it")

    assert [card.state for card in panel.tool_cards()] == ["failed"]
    expect(comfy.page.locator(".p-dialog")).to_have_count(0)
    expect(comfy.page.locator(".cass-failure")).to_have_count(0)
