"""A stranger's workflow names a file that lies elsewhere: in Auto mode nothing reads it before the person says yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui import CHOSEN
from dev.comfyui_process import ComfyUIProcess
from dev.places import SCREENSHOTS
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.test_input_files import PIXEL

RUNS = {
    "about": "Runs the workflow.",
    "pace": 0,
    "steps": [{"reply": [{"call": "executeWorkflow", "arguments": {}}]}, {"reply": [{"say": "So it went."}]}],
    "after": "repeat",
}
DROPS = """async (workflow) =>
    app.handleFile(new File([workflow], "theirs.json", { type: "application/json" }))"""


@pytest.fixture
def secret(comfyui: ComfyUIProcess) -> Path:
    """A picture beside the input folder."""
    path = comfyui.base / "elsewhere" / "secret.png"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(PIXEL)
    (comfyui.base / "input").mkdir(exist_ok=True)
    return path


def theirs(image: str) -> str:
    picture = {"name": "IMAGE", "type": "IMAGE", "links": [1]}
    plain = {"flags": {}, "order": 0, "mode": 0, "properties": {}}
    nodes = [
        plain
        | {
            "id": 1,
            "type": "LoadImage",
            "title": "A cat, nothing else",
            "pos": [0, 0],
            "size": [280, 320],
            "inputs": [],
            "outputs": [picture, {"name": "MASK", "type": "MASK", "links": []}],
            "widgets_values": [image, "image"],
        },
        plain
        | {
            "id": 2,
            "order": 1,
            "type": "PreviewImage",
            "pos": [340, 0],
            "size": [280, 320],
            "inputs": [{"name": "images", "type": "IMAGE", "link": 1}],
            "outputs": [],
            "widgets_values": [],
        },
    ]
    links = [[1, 1, 0, 2, 0, "IMAGE"]]
    return json.dumps({"last_node_id": 2, "last_link_id": 1, "version": 0.4, "nodes": nodes, "links": links})


@pytest.mark.slow
def test_a_file_that_lies_elsewhere_is_asked_about_by_its_name(
    comfy: ComfyPage, panel: Panel, model, secret: Path, no_workflows_left
):
    image = "../elsewhere/secret.png"
    comfy.page.evaluate(DROPS, theirs(image))
    runs = len(comfy.fetch("/history")["body"])
    question = panel.root.get_by_role("alertdialog")

    def has_run() -> bool:
        queue = comfy.fetch("/queue")["body"]
        waiting = queue["queue_running"] + queue["queue_pending"]
        return len(comfy.fetch("/history")["body"]) + len(waiting) > runs

    model.play(RUNS)
    panel.send("run it")
    expect(question).to_contain_text(
        f'Node 1 “A cat, nothing else” (LoadImage) names a place on the disk: image "{image}".'
    )
    assert not has_run()
    comfy.screenshot(SCREENSHOTS / "stranger-file.png")
    question.get_by_role("button", name="Deny").click()
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state()[-1] == ("executeWorkflow", "skipped")
    assert not has_run()

    panel.send("run it all the same")
    question.get_by_role("button", name="Allow", exact=True).click()
    panel.wait_until_the_turn_is_over()
    if CHOSEN.is_pinned:  # newer ones refuse files outside their folders themselves
        assert panel.tools_by_state()[-1] == ("executeWorkflow", "succeeded")
        assert has_run()
    comfy.errors.clear()


@pytest.mark.slow
def test_a_file_in_the_input_folder_is_not_asked_about(
    comfy: ComfyPage, panel: Panel, model, secret: Path, no_workflows_left
):
    inside = secret.parent.parent / "input" / "photo-of-strangers-cat.png"
    inside.write_bytes(PIXEL)
    comfy.page.evaluate(DROPS, theirs(inside.name))
    model.play(RUNS)

    panel.ask("run it")

    assert panel.tools_by_state()[-1] == ("executeWorkflow", "succeeded")
    inside.unlink()
    comfy.errors.clear()
