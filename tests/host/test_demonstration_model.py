"""What the demonstration model of `make run` can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.demonstration_model import service as demonstration_model
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.served_model import SECONDS_TO_ANSWER, serving

pytestmark = pytest.mark.demonstration_model


@pytest.fixture(scope="module")
def comfyui(
    frontend: str, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    """ComfyUI as `make run` starts it where nothing is configured."""
    base: Path = tmp_path_factory.mktemp("comfyui-local-model")
    with (
        serving("1.5b", log=base / "model.log") as port,
        running_comfyui(
            base,
            extension=extension,
            frontend=frontend,
            environment=demonstration_model.settings("1.5b", port),
        ) as process,
    ):
        yield process


def test_the_demonstration_model_adds_a_node_and_the_turn_ends(comfy: ComfyPage, panel: Panel):
    panel.send("Add an EmptyImage node for my friend.")

    expect(panel.tool_card("addNode").first).to_be_visible(timeout=SECONDS_TO_ANSWER * 1000)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    assert "EmptyImage" in comfy.node_types()
    assert ("addNode", "succeeded") in panel.tools_by_state()
    expect(panel.errors).to_have_count(0)


def test_the_demonstration_model_makes_a_red_image_and_saves_it(comfy, comfyui, panel):
    panel.send("make a red 64x64 image and save it")

    card = panel.tool_card("runNewWorkflow").first
    expect(card).to_be_visible(timeout=SECONDS_TO_ANSWER * 1000)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    assert comfy.node_types() == ["EmptyImage", "SaveImage"]
    image, save = sorted(comfy.prompt().values(), key=lambda node: node["class_type"])
    assert (image["inputs"]["width"], image["inputs"]["height"], image["inputs"]["color"]) == (
        64,
        64,
        0xFF0000,
    )
    assert save["inputs"]["images"][1] == 0
    assert len([*(comfyui.base / "output").glob("*.png")]) == 1
    expect(card.locator("img")).to_have_js_property("naturalWidth", 64)
    expect(panel.errors).to_have_count(0)
