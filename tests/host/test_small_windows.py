"""The flat tools of small windows, and the open workflow that a model is shown there with each message."""

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


@pytest.mark.slow
def test_a_value_is_set_by_its_name_in_the_workflow_that_the_message_brings_along(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=64)
    save = comfy.add_node("SaveImage")
    comfy.connect(image, "IMAGE", save, "images")
    calls = [
        {"call": "setValue", "arguments": {"name": "image_width", "value": "128"}},
        {
            "call": "insertNode",
            "arguments": {"type": "Invert Image", "where": "before", "node": "Save Image"},
        },
    ]
    model.play({"about": "Flat tools.", "steps": [{"reply": calls}, {"reply": [{"say": "It is 128 wide."}]}]})

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


def test_a_node_is_looked_at_replaced_and_switched_off_by_its_title(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=64)
    save = comfy.add_node("SaveImage")
    comfy.connect(image, "IMAGE", save, "images")
    calls = [
        {"call": "readNode", "arguments": {"node": "Save Image"}},
        {"call": "replaceNode", "arguments": {"node": save, "type": "PreviewImage"}},
        {"call": "setNodeMode", "arguments": {"nodes": [image], "mode": "mute"}},
    ]
    model.play({"about": "Flat tools.", "steps": [{"reply": calls}, {"reply": [{"say": "Done."}]}]})

    assert panel.ask("show, do not save; and keep it from running, 30 steps or not") == "Done."

    assert [tool for tool, _ in panel.tools_by_state()] == [
        "getWorkflowInfo",
        "editWorkflow",
        "editWorkflow",
    ]
    assert comfy.node_types() == ["EmptyImage", "PreviewImage"]
    assert [call["function"]["name"] for call in model.requests[-1].messages[-4]["tool_calls"]] == [
        "readNode",
        "replaceNode",
        "setNodeMode",
    ]
    assert "filename_prefix" in str(model.requests[-1].messages[-3]["content"])
    assert comfy.errors == []


def test_values_of_a_node_that_a_reply_makes_are_set_in_it_and_names_of_the_list_stay(comfy, panel, model):
    comfy.add_node("EmptyImage", width=64)
    second = comfy.add_node("EmptyImage", width=32)
    save = comfy.add_node("SaveImage")
    comfy.connect(second, "IMAGE", save, "images")
    calls = [
        {
            "call": "insertNode",
            "arguments": {"type": "ImageScaleBy", "where": "before", "node": "Save Image"},
        },
        {"call": "setValue", "arguments": {"name": "scale by", "value": "2"}},
        {"call": "addNode", "arguments": {"type": "EmptyImage"}},
    ]
    later = {"call": "setValue", "arguments": {"name": "EmptyImage 2 width", "value": "128"}}
    steps = [{"reply": calls}, {"reply": [later]}, {"reply": [{"say": "Done."}]}]
    model.play({"about": "Flat tools.", "steps": steps})

    assert panel.ask("scale it by two and make it 128 wide; I want a third picture, too") == "Done."

    assert [state for _, state in panel.tools_by_state()] == ["succeeded"] * 4
    prompt = comfy.prompt()
    assert prompt[second]["inputs"]["width"] == 128
    [scaled] = [each["inputs"] for each in prompt.values() if each["class_type"] == "ImageScaleBy"]
    assert scaled["scale_by"] == 2
    assert comfy.errors == []


def test_a_small_model_gets_what_a_workflow_lacks(comfy, panel, model):
    comfy.add_node("EmptyImage")
    look = {"reply": [{"call": "findMissing", "arguments": {}}]}
    model.play({"about": "Missing.", "steps": [look, {"reply": [{"say": "All is here."}]}]})

    assert panel.ask("get what this workflow lacks") == "All is here."

    assert panel.tools_by_state() == [("findMissing", "succeeded")]
    assert "Nothing is missing." in str(model.requests[-1].messages[-1]["content"])


@pytest.mark.any_frontend
def test_a_small_model_keeps_a_rule_after_a_yes_for_this_chat_and_for_others(comfy, panel: Panel, model):
    agree_to_the_rule(panel, model)
    assert len(str(model.requests[0].messages[0]["content"])) < 4_000
    find_the_rule_in_this_chat_and_in_others(comfy, panel, model)
    assert comfy.errors == []
