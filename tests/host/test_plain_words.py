"""A small model's calls in plain words, and the open workflow that it is shown with each message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from tests.host.conftest import set_up_scripted_model
from tests.host.panel import Panel
from tests.host.rule_for_all_chats import agree_to_the_rule, find_the_rule_in_this_chat_and_in_others


@pytest.fixture(scope="module")
def comfyui(
    frontend: str, model_port: int, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"comfyui-slim-{frontend}")
    environment = {"COMFYUI_ASSISTANT_PROFILE": "slim"}
    with running_comfyui(base, extension=extension, frontend=frontend, environment=environment) as process:
        set_up_scripted_model(process, model_port)
        yield process


def test_a_value_is_set_by_its_plain_name_in_the_workflow_that_the_message_brings_along(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=64)
    save = comfy.add_node("SaveImage")
    comfy.connect(image, "IMAGE", save, "images")
    calls = [
        {"call": "setValue", "arguments": {"name": "image_width", "value": "128 pixels"}},
        {
            "call": "insertNode",
            "arguments": {"type": "Invert Image", "where": "before", "node": "Save Image"},
        },
    ]
    model.play(
        {"about": "Plain words.", "steps": [{"reply": calls}, {"reply": [{"say": "It is 128 wide."}]}]}
    )

    assert panel.ask("make it 128 wide and invert it") == "It is 128 wide."

    assert panel.tools_by_state() == [("setNodeWidgetValue", "succeeded"), ("editWorkflow", "succeeded")]
    assert comfy.node_types() == ["EmptyImage", "ImageInvert", "SaveImage"]
    assert comfy.prompt()[image]["inputs"]["width"] == 128
    first, second = (request.messages for request in model.requests)
    assert "width = 64" in first[-1]["content"]
    assert first[-1]["content"].endswith("make it 128 wide and invert it")
    assert second[: len(first)] == first
    assert [call["function"]["name"] for call in second[len(first)]["tool_calls"]] == [
        "setValue",
        "insertNode",
    ]
    assert comfy.errors == []


def test_a_plain_order_and_the_run_behind_it_are_carried_out_without_the_model(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=64)
    save = comfy.add_node("SaveImage")
    comfy.connect(image, "IMAGE", save, "images")

    assert panel.ask("wdith 128 please") == "width = 128"
    assert panel.tools_by_state() == [("setNodeWidgetValue", "succeeded")]
    assert comfy.prompt()[image]["inputs"]["width"] == 128

    told = panel.ask("make it 96x80 and run it")
    assert "width = 96" in told
    assert "height = 80" in told
    assert [tool for tool, _ in panel.tools_by_state()][1:] == ["editWorkflow", "executeWorkflow"]
    assert len(model.requests) == 0
    assert comfy.errors == []


def test_shapes_and_seeds_by_plain_words(comfy, panel, model):
    latent = comfy.add_node("EmptyLatentImage", width=512, height=768)
    sampler = comfy.add_node("KSampler", control_after_generate="randomize")
    comfy.connect(latent, "LATENT", sampler, "latent_image")

    told = panel.ask("make it landscape")
    assert "width = 768" in told
    assert "height = 512" in told
    assert "fixed" in panel.ask("fix the seed")
    control = "(id) => app.graph.getNodeById(id).widgets.find((one) => one.name.startsWith('control')).value"
    assert comfy.page.evaluate(control, sampler) == "fixed"
    assert comfy.page.evaluate("(id) => app.graph.getNodeById(id).widgets[0].value", latent) == 768
    assert len(model.requests) == 0
    assert comfy.errors == []


def test_a_small_model_gets_what_a_workflow_lacks(comfy, panel, model):
    comfy.add_node("EmptyImage")
    look = {"reply": [{"call": "findMissing", "arguments": {}}]}
    model.play({"about": "Missing.", "steps": [look, {"reply": [{"say": "All is here."}]}]})

    assert panel.ask("get what this workflow lacks") == "All is here."

    assert panel.tools_by_state() == [("findMissing", "succeeded")]
    assert "Nothing is missing." in str(model.requests[-1].messages[-1]["content"])


def test_a_claim_that_no_call_made_true_is_taken_back_and_then_contradicted(comfy, panel, model):
    comfy.add_node("EmptyImage")
    claim = {"reply": [{"say": "I have removed the node."}]}
    model.play({"about": "Claims in vain.", "steps": [claim, claim]})

    assert panel.ask("remove the node") == "I have removed the node."

    assert len(model.requests) == 2
    assert "no tool" in panel.answers.last.locator(".cass-notice").inner_text()
    assert comfy.node_types() == ["EmptyImage"]


@pytest.mark.any_frontend
def test_a_small_model_keeps_a_rule_after_a_yes_for_this_chat_and_for_others(comfy, panel: Panel, model):
    agree_to_the_rule(panel, model)
    first = model.requests[0]
    assert "call rememberRule with it first: always answer in German" in str(first.messages[-1])
    assert len(str(first.messages[0]["content"])) < 4_000
    find_the_rule_in_this_chat_and_in_others(comfy, panel, model)
    assert comfy.errors == []
