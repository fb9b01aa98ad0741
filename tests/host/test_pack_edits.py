"""Edits of nodes that keep their values in ways of their own, as packs do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from dev.comfyui_process import ComfyUIProcess
from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.pack_nodes import add_stack, hand_over, listing, values_of

pytestmark = pytest.mark.nodes_2


def test_a_value_is_handed_over_by_a_name_in_one_batch(bridge: Bridge, comfy: ComfyPage) -> None:
    image = comfy.add_node("EmptyImage")
    invert = comfy.add_node("ImageInvert")
    comfy.connect(invert, "IMAGE", comfy.add_node("PreviewImage"), "images")

    result = bridge.edit(
        {"op": "add", "type": "TestHandOut", "as": "out", "widgets": {"name": "picture"}},
        {"op": "add", "type": "TestHandIn", "as": "in", "widgets": {"name": "picture"}},
        {"op": "connect", "from": f"{image}.IMAGE", "to": "in.*"},
        {"op": "connect", "from": "out", "to": f"{invert}.image"},
    )

    assert result["ok"], result
    assert comfy.prompt()[invert]["inputs"]["image"] == [image, 0]


def test_a_name_that_nobody_hands_in_is_refused(bridge: Bridge, comfy: ComfyPage) -> None:
    hand_over(comfy)
    before = bridge.content(bridge.saved())

    result = bridge.edit({"op": "add", "type": "TestHandOut", "widgets": {"name": "pictures"}})

    assert not result["ok"]
    assert "picture" in result["error"] + result["hint"]
    assert bridge.content(bridge.saved()) == before


def test_a_format_and_what_it_brings_are_set_at_once(bridge: Bridge, comfy: ComfyPage) -> None:
    image = comfy.add_node("EmptyImage")
    wanted = {"format": "video/h264", "crf": 12}

    added = bridge.edit(
        {"op": "add", "type": "TestFilm", "widgets": wanted, "inputs": {"images": f"{image}.IMAGE"}}
    )

    assert added["ok"], added
    [film] = [node for node, entry in comfy.prompt().items() if entry["class_type"] == "TestFilm"]
    assert values_of(comfy, film)["crf"] == 12

    changed = bridge.edit(
        {"op": "set", "nodes": [film], "widgets": {"profile": "lt", "format": "video/prores"}}
    )

    assert changed["ok"], changed
    assert values_of(comfy, film)["profile"] == "lt"
    refused = bridge.edit({"op": "set", "nodes": [film], "widgets": {"format": "image/gif", "crf": 3}})
    assert not refused["ok"]
    assert "dither" in refused["hint"]


@pytest.fixture
def loras(comfyui: ComfyUIProcess) -> Iterator[None]:
    folder = comfyui.base / "models" / "loras"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.safetensors" for name in ("third", "fourth", "a", "b")]
    for file in files:
        file.touch()
    yield
    for file in files:
        file.unlink()


@pytest.mark.usefixtures("loras")
def test_a_lora_of_a_stack_is_changed_switched_and_added(bridge: Bridge, comfy: ComfyPage) -> None:
    first = {"on": True, "lora": "first.safetensors", "strength": 0.5, "strengthTwo": None}
    stack = add_stack(comfy, first, {**first, "lora": "second.safetensors"})
    assert not {"divider", "StackHeading", "Add Lora"} & set(listing(bridge).replace("=", " ").split())

    for widgets in (
        {"lora_1": {"strength": 0.9}},
        {"lora_2": False},
        {"lora_3": {"lora": "third.safetensors", "strength": 0.2}, "lora_4": {"lora": "fourth.safetensors"}},
        {"lora_3": 0.3},
    ):
        result = bridge.edit({"op": "set", "nodes": [stack], "widgets": widgets})
        assert result["ok"], result

    assert re.findall(r"lora_\d", listing(bridge)) == ["lora_1", "lora_2", "lora_3", "lora_4"]
    saved = comfy.page.evaluate(
        "(id) => app.graph.nodes.find((node) => String(node.id) === id).serialize().widgets_values", stack
    )
    assert [value for value in saved if isinstance(value, dict) and "lora" in value] == [
        {**first, "strength": 0.9},
        {**first, "lora": "second.safetensors", "on": False},
        {**first, "lora": "third.safetensors", "strength": 0.3},
        {**first, "lora": "fourth.safetensors", "strength": 1},
    ]


@pytest.mark.usefixtures("loras")
def test_a_stack_takes_its_loras_as_the_widgets_of_other_loaders_and_tells_how_it_has_them(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    widgets = {"lora_1": "third", "strength_1": 0.4, "lora_2": "fourth.safetensors", "lora_2_strength": "0.7"}
    added = bridge.edit({"op": "add", "type": "TestLoraStack", "as": "stack", "widgets": widgets})
    assert added["ok"], added
    for widget, value in (("strength_2", "0.8"), ("lora_3", "a")):
        result = bridge.call("setNodeWidgetValue", {"node": "stack", "widget": widget, "value": value})
        assert result["ok"], result

    text = listing(bridge)
    assert '"lora":"third.safetensors","strength":0.4' in text
    assert '"lora":"fourth.safetensors","strength":0.8' in text
    assert '"lora":"a.safetensors","strength":1' in text

    refused = bridge.edit({"op": "set", "nodes": ["stack"], "widgets": {"lora_name": "a.safetensors"}})
    assert not refused["ok"]
    assert "A new one is lora_4, with a value such as {" in refused["hint"]


@pytest.mark.usefixtures("loras", "comfy")
def test_the_loras_of_a_stack_are_described_with_its_type(panel, model) -> None:
    look = {"call": "getNodeInfo", "arguments": {"types": ["TestLoraStack", "EmptyImage"]}}
    steps = [{"reply": [look]}, {"reply": [{"say": "Looked."}]}]
    model.play({"about": "Looks at a stack of LoRAs.", "steps": steps})

    panel.ask("how does the stack take LoRAs?")

    stack, image = json.loads(model.requests[-1].messages[-1]["content"])["data"]["nodes"]
    told = stack["moreWidgets"]["lora_1"]
    assert '{"on": true, "lora": "None", "strength": 1, "strengthTwo": null}' in told
    assert "fourth.safetensors" in told
    assert "moreWidgets" not in image


@pytest.mark.usefixtures("loras")
def test_a_lora_that_is_not_installed_is_refused_with_the_nearest(bridge: Bridge, comfy: ComfyPage) -> None:
    stack = add_stack(comfy, {"on": True, "lora": "a.safetensors", "strength": 0.5, "strengthTwo": None})

    refused = bridge.edit(
        {"op": "set", "nodes": [stack], "widgets": {"lora_1": {"lora": "fourh.safetensors"}}}
    )

    assert not refused["ok"]
    assert refused["hint"].startswith("Closest: fourth.safetensors")


@pytest.mark.usefixtures("loras")
def test_a_stack_is_added_with_its_loras(bridge: Bridge, comfy: ComfyPage) -> None:
    loras = {"lora_1": {"lora": "a.safetensors"}, "lora_2": {"lora": "b.safetensors", "strength": 0.3}}

    result = bridge.edit({"op": "add", "type": "TestLoraStack", "widgets": loras})

    assert result["ok"], result
    text = listing(bridge)
    assert '"lora":"a.safetensors","strength":1' in text
    assert '"lora":"b.safetensors","strength":0.3' in text


def test_part_of_an_object_has_to_fit(bridge: Bridge, comfy: ComfyPage) -> None:
    stack = add_stack(comfy, {"on": True, "lora": "first.safetensors", "strength": 0.5, "strengthTwo": None})
    before = bridge.content(bridge.saved())

    for part in ({"strenght": 0.9}, {"strength": "much"}, [0.9]):
        assert not bridge.edit({"op": "set", "nodes": [stack], "widgets": {"lora_1": part}})["ok"]

    assert bridge.content(bridge.saved()) == before


def test_a_control_for_clicks_is_told_by_its_label_and_not_set(bridge: Bridge, comfy: ComfyPage) -> None:
    switch = comfy.add_node("TestGroupSwitch")
    assert '"Enable Second"={"toggled":true}' in listing(bridge)

    result = bridge.edit({"op": "set", "nodes": [switch], "widgets": {"Enable Second": {"toggled": False}}})

    assert not result["ok"]
    assert "mode" in result["hint"]


def test_a_button_is_nothing_to_set(bridge: Bridge, comfy: ComfyPage) -> None:
    stack = add_stack(comfy)

    result = bridge.edit({"op": "set", "nodes": [stack], "widgets": {"➕ Add Lora": True}})

    assert not result["ok"]


def test_a_text_that_a_node_only_shows_is_read_and_not_set(bridge: Bridge, comfy: ComfyPage) -> None:
    node = comfy.add_node("TestShownText")
    comfy.page.evaluate("(id) => { app.graph.getNodeById(id).widgets[0].value = 'seven'; }", node)
    assert "shown=seven" in listing(bridge)

    result = bridge.edit({"op": "set", "nodes": [node], "widgets": {"shown": "eight"}})

    assert not result["ok"]
    assert "only shows" in result["error"]


def test_a_text_that_a_run_shows_is_no_change_of_the_person(bridge: Bridge, comfy: ComfyPage) -> None:
    node = comfy.add_node("TestShownText")
    bridge.call("getWorkflowInfo", {})
    comfy.page.evaluate("(id) => { app.graph.getNodeById(id).widgets[0].value = 'seven'; }", node)

    assert bridge.edit({"op": "title", "node": node, "title": "Seven"})["ok"]


def test_a_node_in_which_the_persons_run_has_shown_a_text_is_taken_away_and_not_where_they_wrote_one(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    added = bridge.edit(
        {"op": "add", "type": "PrimitiveInt", "as": "seven", "widgets": {"value": 7}},
        {"op": "add", "type": "TestShownText", "as": "shown", "inputs": {"source": "seven.INT"}},
        turn="add",
    )
    node = added["data"]["nodes"]["shown"]
    comfy.run()
    comfy.wait_until(lambda: 'shown="7"' in listing(bridge))

    assert (bridge.toggle_turn("add"), comfy.node_types()) == ([], [])
    assert bridge.toggle_turn("add") == []
    bridge.set_by_hand(node, "shown", "mine")
    assert bridge.toggle_turn("add") == [f"{node} TestShownText changed since"]


def test_a_node_that_its_pack_calls_by_a_newer_type_is_what_it_was_after_an_undo(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    node = comfy.add_node("TestFormer")
    comfy.page.evaluate(
        """async () => {
            const { activeWorkflow } = app.extensionManager.workflow;
            await app.loadGraphData(app.graph.serialize(), true, false, activeWorkflow, {});
        }"""
    )
    before = comfy.prompt()
    assert [comfy.node_types(), before[node]["class_type"]] == [["TestPresent"], "TestFormer"]

    for operation in (
        {"op": "replace", "nodes": [node], "type": "EmptyImage"},
        {"op": "remove", "nodes": [node]},
        {"op": "add", "type": "EmptyImage"},
    ):
        listing(bridge)
        done = bridge.edit(operation, turn=operation["op"])
        assert done["ok"], done
        after = comfy.prompt()
        assert after != before
        assert bridge.toggle_turn(operation["op"]) == []
        assert comfy.prompt() == before
        assert bridge.toggle_turn(operation["op"]) == []
        assert comfy.prompt() == after
        assert bridge.toggle_turn(operation["op"]) == []


BUTTON = "(id) => app.graph.getNodeById(id)?.widgets.find(({ type }) => type === 'button').name"
SEED = "(id) => app.graph.getNodeById(id)?.widgets.find(({ name }) => name === 'drawn').value"


def run_and_name_the_button(bridge: Bridge, comfy: ComfyPage, node: str) -> str:
    assert bridge.call("executeWorkflow", {})["ok"]
    return comfy.page.evaluate(BUTTON, node)


def test_a_node_whose_button_each_run_renames_is_taken_away_and_brought_back(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    added = bridge.edit({"op": "add", "type": "TestSeedButton", "as": "seed"}, turn="add")
    node = added["data"]["nodes"]["seed"]
    names = {run_and_name_the_button(bridge, comfy, node) for _ in range(2)}
    assert len(names) == 2

    assert bridge.toggle_turn("add") == []
    assert comfy.node_types() == []
    assert bridge.toggle_turn("add") == []
    assert comfy.page.evaluate(SEED, node) == -1


def test_a_button_that_each_run_renames_is_no_change_of_the_person_and_in_no_ones_way(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    node = comfy.add_node("TestSeedButton")
    assert run_and_name_the_button(bridge, comfy, node).startswith("Last seed: ")
    before = bridge.saved()
    text = listing(bridge)
    assert (bridge.saved(), "Last seed" in text) == (before, False)
    assert bridge.edit({"op": "set", "nodes": [node], "widgets": {"drawn": 5}}, turn="set")["ok"]
    name = run_and_name_the_button(bridge, comfy, node)
    assert name == "Last seed: 5"

    assert bridge.toggle_turn("set") == []
    assert comfy.page.evaluate(SEED, node) == -1
    assert listing(bridge) == text
    applied = bridge.call("applyWorkflow", {"workflow": text})
    assert applied["ok"], applied
    assert not any(applied["data"]["changes"].values())
    assert comfy.page.evaluate(SEED, node) == -1
