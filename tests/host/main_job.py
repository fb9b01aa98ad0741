"""The job that everything else is for: a picture is asked for, and is there."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel


def make_a_red_image(
    comfy: ComfyPage, comfyui: ComfyUIProcess, panel: Panel, model: ScriptedProviderThread
) -> None:
    """Ask for it in an empty graph, and look that it was built, run, saved and shown."""
    model.play("red-image")

    answer = panel.ask("make a red 64x64 image and save it")

    by_type = {node["class_type"]: (node_id, node["inputs"]) for node_id, node in comfy.prompt().items()}
    assert sorted(by_type) == ["EmptyImage", "SaveImage"]
    image_id, image = by_type["EmptyImage"]
    assert (image["width"], image["height"], image["color"]) == (64, 64, 0xFF0000)
    assert by_type["SaveImage"][1]["images"] == [image_id, 0]
    shown = panel.tool_card("executeWorkflow").locator("img")
    expect(shown).to_have_count(1)
    expect(shown).to_have_js_property("naturalWidth", 64)
    [saved] = parse_qs(urlsplit(shown.get_attribute("src")).query)["filename"]
    assert (comfyui.base / "output" / saved).is_file()
    assert "Done" in answer
    assert panel.tools_by_state() == [
        ("getWorkflowInfo", "succeeded"),
        ("addNode", "succeeded"),
        ("addNode", "succeeded"),
        ("connectNodes", "succeeded"),
        ("executeWorkflow", "succeeded"),
    ]
    assert [request.step for request in model.requests] == [0, 1, 2, 3, 4, 5]
    assert model.refusals == []
    assert comfy.errors == []
