"""Workflows with nodes that keep their values in ways of their own, as packs do, built from lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.pack_nodes import add_film, hand_over, listing, values_of

pytestmark = pytest.mark.nodes_2


@pytest.mark.parametrize("is_fresh", [False, True], ids=["over itself", "on an empty canvas"])
def test_values_that_a_node_saves_by_name_come_back_by_name(
    bridge: Bridge, comfy: ComfyPage, is_fresh: bool
) -> None:
    film = add_film(comfy)
    before = values_of(comfy, film)
    assert before["crf"] == 12
    text = listing(bridge)
    if is_fresh:
        comfy.clear_graph()

    result = bridge.call("applyWorkflow", {"workflow": text})

    assert result["ok"], result
    assert values_of(comfy, film) == before
    assert "preview=" not in text


def test_a_node_that_saves_by_name_is_built_from_a_few_values(bridge: Bridge, comfy: ComfyPage) -> None:
    lines = "1 EmptyImage\n2 TestFilm images<1 format=video/h264 crf=12 filename_prefix=mine"

    assert bridge.call("applyWorkflow", {"workflow": lines})["ok"]

    values = values_of(comfy, "2")
    assert (values["crf"], values["filename_prefix"], values["frame_rate"]) == (12, "mine", 8)


@pytest.mark.parametrize("is_fresh", [False, True], ids=["over itself", "on an empty canvas"])
def test_a_slot_that_a_node_renames_is_the_same_slot(
    bridge: Bridge, comfy: ComfyPage, is_fresh: bool
) -> None:
    given, _, invert = hand_over(comfy)
    before = comfy.prompt()
    assert "image" in before[invert]["inputs"]
    text = listing(bridge)
    if is_fresh:
        comfy.clear_graph()

    result = bridge.call("applyWorkflow", {"workflow": text})

    assert result["ok"], result
    assert {node: entry["inputs"] for node, entry in comfy.prompt().items()} == {
        node: entry["inputs"] for node, entry in before.items()
    }
    slots = "(id) => app.graph.nodes.find((node) => String(node.id) === id).inputs.length"
    assert comfy.page.evaluate(slots, given) == 1


def test_a_node_that_only_the_page_can_save_is_left_alone_or_nothing_is_done(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    packed = comfy.add_node("TestPacked", first=5, second=7)
    comfy.connect(packed, "IMAGE", comfy.add_node("PreviewImage"), "images")
    text = listing(bridge)

    assert bridge.call("applyWorkflow", {"workflow": text + "\n9 EmptyImage"})["ok"]
    assert values_of(comfy, packed) == {"first": 5, "second": 7}
    before = comfy.prompt()

    refused = bridge.call("applyWorkflow", {"workflow": text.replace("first=5", "first=6")})

    assert not refused["ok"]
    assert f"{packed}.second: 7" in refused["error"]
    assert comfy.prompt() == before


MISSING = {
    "last_node_id": 2,
    "last_link_id": 1,
    "nodes": [
        {
            "id": 1,
            "type": "TestNotInstalledLoader",
            "pos": [0, 0],
            "size": [200, 100],
            "inputs": [{"name": "first", "type": "LATENT", "link": None}],
            "outputs": [
                {"name": "mask", "type": "MASK", "links": []},
                {"name": "image", "type": "IMAGE", "links": [1]},
                {"name": "extra", "type": "STRING", "links": []},
            ],
            "widgets_values": {"path": "a.png", "frames": 3},
        },
        {
            "id": 2,
            "type": "ImageInvert",
            "pos": [300, 0],
            "size": [200, 100],
            "inputs": [{"name": "image", "type": "IMAGE", "link": 1}],
            "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": []}],
        },
    ],
    "links": [[1, 1, 1, 2, 0, "IMAGE"]],
    "groups": [],
    "version": 0.4,
}
"""A type that is not installed, with several outputs, and values saved by name."""


def expand_slots(comfy: ComfyPage) -> Any:
    return comfy.page.evaluate(
        """() => {
            const { nodes, links } = app.graph.serialize();
            const { inputs, outputs, widgets_values } = nodes.find(({ id }) => String(id) === "1");
            const slots = (all) => all.map(({ name, type }) => [name, type]);
            return [slots(inputs), slots(outputs), widgets_values, links.map((link) => link.slice(1, 5).map(Number))];
        }"""
    )


def test_slots_of_a_type_that_is_not_installed_stay(bridge: Bridge, comfy: ComfyPage) -> None:
    loaded = bridge.call("applyWorkflow", {"workflow": MISSING, "allowMissing": True})
    assert loaded["ok"], loaded
    before = expand_slots(comfy)
    text = listing(bridge)
    assert "image<1.image#1" in text

    assert bridge.call("applyWorkflow", {"workflow": text, "allowMissing": True})["ok"]
    assert expand_slots(comfy) == before

    comfy.clear_graph()
    assert bridge.call("applyWorkflow", {"workflow": text, "allowMissing": True})["ok"]
    _, outputs, values, links = expand_slots(comfy)
    assert outputs[1] == ["image", "IMAGE"]
    assert (values, links) == (before[2], before[3])


def test_a_look_at_the_prompt_leaves_widgets_behind_primitives_alone(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    width = comfy.page.evaluate(
        """() => {
            const [image, primitive] = ["EmptyImage", "PrimitiveNode"].map((type) => LiteGraph.createNode(type));
            app.graph.add(image);
            app.graph.add(primitive);
            primitive.connect(0, image, image.inputs.findIndex(({ name }) => name === "width"));
            primitive.widgets[0].value = 64;
            window.widthBehind = image.widgets.find(({ name }) => name === "width");
            window.widthBehind.value = 96;
            return window.widthBehind.value;
        }"""
    )
    assert width == 96

    bridge.call("validateWorkflow", {})

    assert comfy.page.evaluate("() => window.widthBehind.value") == 96


def test_a_seed_that_a_pack_makes_anew_for_each_prompt_goes_on_being_made_anew(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    node = comfy.add_node("TestRollingSeed")
    seed = "(id) => app.graph.getNodeById(id).widgets.find(({ name }) => name === 'rolled').value"
    assert comfy.page.evaluate(seed, node) == -1

    assert bridge.call("validateWorkflow", {})["ok"]
    assert comfy.page.evaluate(seed, node) == -1

    run = bridge.call("executeWorkflow", {})
    assert run["ok"], run
    assert comfy.page.evaluate(seed, node) == -1


@pytest.fixture
def restored_by_name(comfy: ComfyPage) -> Iterator[None]:
    """As the page's experimental setting has it: of a saved node the values by name count, not the list."""
    choose = "(is_on) => app.extensionManager.setting.set('Comfy.Workflow.NamedValuesRestore', is_on)"
    comfy.page.evaluate(choose, True)
    yield
    comfy.page.evaluate(choose, False)


@pytest.mark.newer_frontend
@pytest.mark.usefixtures("restored_by_name")
def test_a_name_is_replaced_also_where_the_page_restores_values_by_name(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    lines = '1 EmptyImage width=64\n2 SaveImage images<1 filename_prefix="earlier"'
    assert bridge.call("applyWorkflow", {"workflow": lines})["ok"]
    saved = bridge.saved()

    result = bridge.call("applyWorkflow", {"workflow": saved, "replacements": {"earlier": "later"}})

    assert result["data"]["replaced"] == ["earlier → later, 1 time"], result
    assert comfy.prompt()["2"]["inputs"]["filename_prefix"] == "later"
