"""Types that ComfyUI has others in the place of, where it lists such: newer versions do."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from dev.scripted.provider import ScriptedProviderThread
from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.scenarios import scenario
from tests.host.strangers_page import question

GONE = {
    "version": 0.4,
    "nodes": [
        {
            "id": 7,
            "type": "T2IAdapterLoader",
            "pos": [0, 0],
            "outputs": [{"name": "CONTROL_NET", "type": "CONTROL_NET", "links": []}],
            "widgets_values": ["a.safetensors"],
        }
    ],
    "links": [],
}
SCALED = "1 EmptyImage width=64\n2 ImageScaleBy image<1 upscale_method=lanczos scale_by=1.5\n3 PreviewImage images<2"


@pytest.fixture(autouse=True)
def _lists_replacements(comfy: ComfyPage) -> None:
    listed = comfy.page.evaluate(
        "async () => { const reply = await app.api.fetchApi('/node_replacements'); return reply.ok; }"
    )
    if not listed:
        pytest.skip("this ComfyUI lists no replacements")


def replaced(bridge: Bridge, node: str, node_type: str) -> None:
    done = bridge.edit({"op": "replace", "nodes": [node], "type": node_type})
    assert done["ok"], done


def test_an_installed_type_is_replaced_with_what_it_has_and_what_comfyui_sets(
    comfy: ComfyPage, bridge: Bridge
) -> None:
    assert bridge.call("applyWorkflow", {"workflow": SCALED})["ok"]

    replaced(bridge, "2", "ResizeImageMaskNode")

    node = comfy.prompt()["2"]
    assert node["class_type"] == "ResizeImageMaskNode"
    assert node["inputs"] == {
        "input": ["1", 0],
        "resize_type": "scale by multiplier",
        "resize_type.multiplier": 1.5,
        "scale_method": "lanczos",
    }


def test_two_images_of_a_batch_come_into_the_node_that_takes_any_number(
    comfy: ComfyPage, bridge: Bridge
) -> None:
    lines = "1 EmptyImage\n2 EmptyImage width=8\n3 ImageBatch image1<1 image2<2\n4 PreviewImage images<3"
    assert bridge.call("applyWorkflow", {"workflow": lines})["ok"]

    replaced(bridge, "3", "BatchImagesNode")

    inputs = comfy.prompt()["3"]["inputs"]
    assert inputs["images.image0"] == ["1", 0]
    assert inputs["images.image1"] == ["2", 0]


def test_one_that_is_not_installed_is_told_and_replaced(bridge: Bridge) -> None:
    refused = bridge.call("applyWorkflow", {"workflow": json.dumps(GONE)})
    assert "ControlNetLoader replaces it here (t2i_adapter_name → control_net_name)" in refused["error"]

    assert bridge.call("applyWorkflow", {"workflow": json.dumps(GONE), "allowMissing": True})["ok"]
    replaced(bridge, "7", "ControlNetLoader")
    read = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert read.startswith("7 ControlNetLoader")


def test_who_wants_it_run_has_it_replaced_by_one_yes_and_no_registry_is_named(
    comfy: ComfyPage, bridge: Bridge, panel: Panel, model: ScriptedProviderThread
) -> None:
    model.play(scenario("from-elsewhere"))
    assert bridge.call("applyWorkflow", {"workflow": json.dumps(GONE), "allowMissing": True})["ok"]

    panel.send("make this run here")

    expect(question(panel)).to_contain_text(
        "This workflow lacks 1 model and 1 node type that ComfyUI replaces"
    )
    expect(question(panel)).to_contain_text("A yes replaces the nodes of 1 type.")
    panel.look_at("replaced-type")
    question(panel).get_by_role("button", name="Do it").click()
    panel.wait_until_the_turn_is_over()
    assert comfy.page.evaluate("() => app.graph.nodes.map(({ type }) => type)") == ["ControlNetLoader"]
