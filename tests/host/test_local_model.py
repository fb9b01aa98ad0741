"""A real model on this machine, served by llama.cpp as `make run` does it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev import embedded_model
from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.processes import ChildProcess, free_port
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

SECONDS_TO_LOAD = 120
SECONDS_TO_ANSWER = 240


@pytest.fixture(scope="module")
def local_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """Serves the model named by the test module's parametrisation; gives the settings that point to it."""
    port = free_port()
    log = tmp_path_factory.mktemp("model") / "model.log"
    # The small one is tried while other tests use the cores; threads that wait for each other then take minutes.
    threads = 1 if request.param == "small" else None
    process: ChildProcess = embedded_model.start(request.param, port=port, log=log, threads=threads)
    try:
        process.wait_until_it_answers(f"http://127.0.0.1:{port}/health", seconds=SECONDS_TO_LOAD)
        yield embedded_model.settings(request.param, port)
    finally:
        process.stop()


@pytest.fixture(scope="module")
def comfyui(
    frontend: str, local_model: dict[str, str], extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base: Path = tmp_path_factory.mktemp("comfyui-local-model")
    with running_comfyui(base, extension=extension, frontend=frontend, environment=local_model) as process:
        yield process


@pytest.mark.parametrize("local_model", ["small"], indirect=True)
def test_a_real_model_streams_a_turn_and_its_usage_is_shown(comfy: ComfyPage, panel: Panel, local_model):
    panel.send("Say hello in one short sentence.")

    expect(panel.answers.last.locator(".cass-markdown")).not_to_be_empty(timeout=SECONDS_TO_ANSWER * 1000)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    assert re.search(r"[1-9][\d,]* tokens", panel.answers.last.locator(".cass-about").inner_text())
    expect(panel.errors).to_have_count(0)
    assert comfy.errors == []


@pytest.mark.demonstration_model
@pytest.mark.parametrize("local_model", ["1.5b"], indirect=True)
def test_the_demonstration_model_adds_a_node_and_the_turn_ends(comfy: ComfyPage, panel: Panel, local_model):
    panel.send("Add an EmptyImage node.")

    expect(panel.tool_card("addNode").first).to_be_visible(timeout=SECONDS_TO_ANSWER * 1000)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    assert "EmptyImage" in comfy.node_types()
    assert ("addNode", "succeeded") in panel.tools_by_state()
    expect(panel.errors).to_have_count(0)


@pytest.mark.demonstration_model
@pytest.mark.parametrize("local_model", ["1.5b"], indirect=True)
def test_the_demonstration_model_makes_a_red_image_and_saves_it(comfy, comfyui, panel, local_model):
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
