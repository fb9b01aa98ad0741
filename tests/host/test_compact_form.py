"""Workflows through the compact form and back, in the real frontends: what is run must be the same."""

from __future__ import annotations

from typing import Any

import pytest

from dev.templates import NEWEST, OF_PINNED_COMFYUI, TEMPLATES
from tests.host.bridge import Bridge
from tests.host.official_templates import read_workflow
from tests.host.random_workflows import random_workflow
from tests.host.round_trip import differences, round_trip

TEMPLATES_TRIED = {
    "sdxl_refiner_prompt_example": OF_PINNED_COMFYUI,
    "image_flux2": OF_PINNED_COMFYUI,
    "02_qwen_Image_edit_subgraphed": OF_PINNED_COMFYUI,
    "03_video_wan2_2_14B_i2v_subgraphed": OF_PINNED_COMFYUI,
    "image_qwen_image_instantx_inpainting_controlnet": OF_PINNED_COMFYUI,
    "hidream_e1_1": OF_PINNED_COMFYUI,
    "video_wan2_2_14B_flf2v": OF_PINNED_COMFYUI,
    "flux_kontext_dev_basic": OF_PINNED_COMFYUI,
    "image_netayume_lumina_t2i": NEWEST,
    "image_ovis_text_to_image": NEWEST,
    "3d_hunyuan3d-v2.1": NEWEST,
    "video_wan_vace_14B_ref2v": NEWEST,
}
"""With primitives, bypassed nodes, nested groups, subgraphs in subgraphs and promoted widgets; by name, their set."""

OPEN_WORKFLOW = "() => app.extensionManager.workflow.activeWorkflow.path"
NOTE_CHANGES = """() => {
    const tracker = app.extensionManager.workflow.activeWorkflow.changeTracker;
    tracker.beforeChange();
    tracker.afterChange();
}"""


@pytest.fixture(scope="session")
def definitions() -> dict[str, Any]:
    return {}


@pytest.fixture
def installed(bridge: Bridge, definitions: dict[str, Any]) -> dict[str, Any]:
    """What ComfyUI tells of its nodes, asked once."""
    if not definitions:
        definitions.update(bridge.page.evaluate("async () => (await fetch('/object_info')).json()"))
    return definitions


@pytest.mark.slow
@pytest.mark.parametrize("name", TEMPLATES_TRIED)
def test_a_template_is_run_the_same_after_the_compact_form(name, bridge, installed):
    workflow = read_workflow(TEMPLATES / TEMPLATES_TRIED[name] / f"{name}.json")

    trip = round_trip(bridge, workflow)

    assert len(trip.before) > 1
    assert differences(trip, installed) == []
    assert bridge.read() == bridge.saved()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_workflow_by_chance_is_run_the_same_after_the_compact_form(seed, bridge, installed):
    trip = round_trip(bridge, random_workflow(seed))

    assert trip.before
    assert differences(trip, installed) == [], trip.text


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_one_undo_takes_back_what_was_applied(bridge, comfy):
    comfy.add_node("EmptyImage", width=64)
    comfy.page.evaluate(NOTE_CHANGES)
    prompt = comfy.prompt()

    result = bridge.call(
        "applyWorkflow", {"workflow": "1 EmptyImage width=96\n2 SaveImage images<1"}, turn="u1"
    )
    assert result["ok"], result
    assert comfy.node_types() == ["EmptyImage", "SaveImage"]
    comfy.page.evaluate("() => app.extensionManager.command.execute('Comfy.Undo')")

    assert comfy.prompt() == prompt


def test_what_cannot_be_applied_leaves_the_graph_as_it_was(bridge, comfy):
    comfy.add_node("EmptyImage", width=64)
    before = comfy.page.evaluate("() => JSON.stringify(app.graph.serialize())")

    for given in (
        "1 NoSuchNode",
        "1 SaveImage images<7",
        '{"steps": 20}',
        "1 ImageInvert image<2\n2 ImageInvert image<1",
    ):
        assert not bridge.call("applyWorkflow", {"workflow": given})["ok"]

    assert comfy.page.evaluate("() => JSON.stringify(app.graph.serialize())") == before


def test_a_workflow_is_put_beside_what_is_open(bridge, comfy):
    comfy.add_node("EmptyImage", width=64)

    given = {"workflow": "1 EmptyImage width=96\n2 SaveImage images<1", "mode": "insert"}
    result = bridge.call("applyWorkflow", given)

    assert comfy.node_types() == ["EmptyImage", "EmptyImage", "SaveImage"]
    added = result["data"]["changes"]["added"]
    [save] = [node for node, node_type in added.items() if node_type == "SaveImage"]
    source = comfy.prompt()[save]["inputs"]["images"][0]
    assert comfy.prompt()[source]["inputs"]["width"] == 96


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_saved_picture_brings_back_its_workflow(bridge, comfy, comfyui):
    image = comfy.add_node("EmptyImage", width=64, height=64)
    save = comfy.add_node("SaveImage", filename_prefix="carrier")
    comfy.connect(image, "IMAGE", save, "images")
    comfy.run()
    comfy.clear_graph()

    result = bridge.call("applyWorkflow", {"file": "output/carrier_00001_.png"})

    assert result["ok"], result
    assert comfy.prompt()[image]["inputs"]["width"] == 64
    assert comfy.prompt()[save]["inputs"]["images"] == [image, 0]


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_workflow_opens_in_a_tab_of_its_own(bridge, comfy):
    comfy.add_node("EmptyImage", width=64)
    open_before = comfy.page.evaluate(OPEN_WORKFLOW)

    result = bridge.call("applyWorkflow", {"workflow": "1 EmptyImage width=96", "mode": "newTab"})

    assert result["ok"], result
    assert comfy.page.evaluate(OPEN_WORKFLOW) != open_before
    assert [node["inputs"]["width"] for node in comfy.prompt().values()] == [96]


def test_the_points_that_a_person_led_a_link_over_stay(comfy, bridge):
    image = comfy.add_node("EmptyImage")
    save = comfy.add_node("SaveImage")
    comfy.connect(image, "IMAGE", save, "images")
    comfy.page.evaluate(
        """() => {
            const [link] = app.graph.links.values();
            app.graph.createReroute([120, 80], link);
            app.graph.extra.packs = { own: [1] };
        }"""
    )
    text = bridge.call("getWorkflowInfo", {"values": "full"})["data"]["text"]

    applied = bridge.call("applyWorkflow", {"workflow": f'{text}\n9 EmptyLatentImage "more"'})

    assert applied["ok"], applied
    points = comfy.page.evaluate(
        """() => [...app.graph.reroutes.values()].map(({ pos, linkIds }) => [[...pos], linkIds.size])"""
    )
    assert points == [[[120, 80], 1]]
    assert comfy.page.evaluate("() => app.graph.serialize().extra.packs") == {"own": [1]}

    saved = comfy.page.evaluate("() => JSON.stringify(app.graph.serialize())")
    added = bridge.call("applyWorkflow", {"workflow": saved, "mode": "insert"})

    assert added["ok"], added
    led = comfy.page.evaluate(
        """() => [...app.graph.reroutes.values()].map(({ id, linkIds }) => [...linkIds].map((link) =>
            app.graph.getLink(link)?.parentId === id))"""
    )
    assert led == [[True], [True]]
