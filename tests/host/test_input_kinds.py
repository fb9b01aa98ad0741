"""Inputs that bring others, that grow and that match, as the real page has them and as we read them."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition, read_node_definition

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.pack_nodes import listing, values_of

SLOTS = """(id) =>
    app.graph.nodes.find((node) => String(node.id) === id).inputs.map((slot) => [slot.name, slot.type])"""


@pytest.mark.newer_frontend
def test_a_choice_brings_the_inputs_that_its_definition_says(bridge: Bridge, comfy: ComfyPage) -> None:
    node = comfy.add_node("TestChosenShape", shape="wide")
    definition = _definition(comfy, "TestChosenShape")
    for widget, value in {"shape.tint": "gray", "shape.width": 32, "shape.tint.brightness": 0.25}.items():
        _set(comfy, node, widget, value)

    values = values_of(comfy, node)

    assert values == {
        "shape": "wide",
        "shape.width": 32,
        "shape.height": 64,
        "shape.tint": "gray",
        "shape.tint.brightness": 0.25,
    }
    assert [slot.name for slot in definition.slots(values)] == list(values)
    assert {slot.name for slot in definition.slots(values)} == set(_slots(comfy, node))
    assert {"shape=wide", "shape.width=32", "shape.tint=gray", "shape.tint.brightness=0.25"} <= set(
        listing(bridge).split()
    )
    comfy.run()


@pytest.mark.newer_frontend
def test_an_input_grows_by_the_names_that_its_definition_says(bridge: Bridge, comfy: ComfyPage) -> None:
    node, image = comfy.add_node("TestGrownBatch"), comfy.add_node("EmptyImage", width=64, height=64)
    slots = [slot.name for slot in _definition(comfy, "TestGrownBatch").slots()]
    for name in ("images.image0", "images.image1", "images.image2"):
        comfy.connect(image, "IMAGE", node, name)

    shown = _slots(comfy, node)

    assert slots == [*(f"images.image{number}" for number in range(5)), "weights.a", "weights.b", "weights.c"]
    assert list(shown) == [*slots[:4], "weights.a"]
    assert shown["images.image3"] == "IMAGE"
    assert f"images.image2<{image}" in listing(bridge)
    comfy.run()


def test_what_matches_has_the_type_of_what_feeds_it(comfy: ComfyPage) -> None:
    node, image = comfy.add_node("TestMatchedSwitch"), comfy.add_node("EmptyImage", width=64, height=64)
    preview = comfy.add_node("PreviewImage")
    declared = {slot.name: slot.type for slot in _definition(comfy, "TestMatchedSwitch").slots()}
    assert {name: _slots(comfy, node)[name] for name in declared} == declared

    for name in ("first", "second"):
        comfy.connect(image, "IMAGE", node, name)
    comfy.connect(node, "chosen", preview, "images")

    assert declared == {"takes_second": "BOOLEAN", "first": "IMAGE,MASK", "second": "IMAGE,MASK"}
    assert {name: _slots(comfy, node)[name] for name in ("first", "second")} == {
        "first": "IMAGE",
        "second": "IMAGE",
    }
    comfy.run()


@pytest.mark.newer_frontend
def test_a_batch_uses_the_inputs_that_it_brings_forth_itself(bridge: Bridge, comfy: ComfyPage) -> None:
    made = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image", "widgets": {"width": 64, "height": 64}},
        {"op": "add", "type": "PrimitiveInt", "as": "wide", "widgets": {"value": 32}},
        {
            "op": "add",
            "type": "TestChosenShape",
            "as": "shape",
            "widgets": {"shape.tint.brightness": 0.3, "shape.tint": "gray", "shape": "wide"},
            "inputs": {"shape.width": "wide.INT"},
        },
        {
            "op": "add",
            "type": "TestGrownBatch",
            "as": "batch",
            "inputs": {"images.image0": "image", "images.image1": "shape.IMAGE", "images": "image.IMAGE"},
        },
    )
    assert made["ok"], made
    image, wide, shape, batch = (made["data"]["nodes"][name] for name in ("image", "wide", "shape", "batch"))
    prompt = comfy.prompt()
    assert prompt[shape]["inputs"] == {
        "shape": "wide",
        "shape.width": [wide, 0],
        "shape.height": 64,
        "shape.tint": "gray",
        "shape.tint.brightness": 0.3,
    }
    assert prompt[batch]["inputs"] == {
        "images.image0": [image, 0],
        "images.image1": [shape, 0],
        "images.image2": [image, 0],
        "weights.a": 1,
    }
    assert bridge.call("validateWorkflow", {})["data"]["problems"] == []


IN = "EmptyImage width=8 height=8"
ROW = (
    f"1 {IN}\n2 {IN}\n5 {IN}\n6 {IN}\n7 {IN}\n8 {IN}\n"
    "3 TestGrownBatch images.image0<1 images.image1<2 images.image2<5 images.image3<6"
)


@pytest.mark.newer_frontend
@pytest.mark.parametrize(
    ("operations", "sources"),
    [
        ([("disconnect", "3.images.image1"), ("disconnect", "3.images.image2")], "1 6"),
        ([("disconnect", "3.images.image0"), ("disconnect", "3.images.image2")], "2 6"),
        ([{"op": "remove", "nodes": ["1", "2"]}], "5 6"),
        ([{"op": "remove", "nodes": ["1"]}, {"op": "remove", "nodes": ["5"]}], "2 6"),
        ([("disconnect", "3.images.image3"), ("7.IMAGE", "3.images")], "1 2 5 7"),
        (
            [("disconnect", "3.images.image1"), ("7.IMAGE", "3.images"), ("8.IMAGE", "3.images")],
            "1 7 5 6 8",
        ),
        ([{"op": "remove", "nodes": ["2"]}, ("7.IMAGE", "3.images")], "1 7 5 6"),
        ([("7.IMAGE", "3.images")], "1 2 5 6 7"),
        ([("disconnect", "3.images.image1"), ("7.IMAGE", "3.images.image4")], "1 5 6 7"),
    ],
)
def test_links_that_leave_a_row_at_once_take_no_other_along(
    bridge: Bridge, comfy: ComfyPage, operations: list[Any], sources: str
) -> None:
    built = bridge.call("applyWorkflow", {"workflow": ROW})
    assert built["ok"], built

    edited = bridge.edit(*(each if isinstance(each, dict) else _link(*each) for each in operations))

    assert edited["ok"], edited
    inputs = comfy.prompt()["3"]["inputs"]
    row = [inputs[name] for name in sorted(inputs) if name.startswith("images.")]
    assert row == [[source, 0] for source in sources.split()]


@pytest.mark.newer_frontend
def test_a_part_of_a_row_that_is_wrapped_leaves_the_rest_where_it_is(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    assert bridge.call("applyWorkflow", {"workflow": ROW})["ok"]

    wrapped = bridge.edit({"op": "makeSubgraph", "nodes": ["2", "5"], "title": "Two"})

    assert wrapped["ok"], wrapped
    inputs = comfy.prompt()["3"]["inputs"]
    assert [inputs[f"images.image{number}"][0].rpartition(":")[2] for number in range(4)] == [
        "1",
        "2",
        "5",
        "6",
    ]


WEIGHTED = (
    f"1 {IN}\n2 {IN}\n5 {IN}\n6 PrimitiveInt value=2\n7 PrimitiveInt value=3\n"
    "3 TestGrownBatch images.image0<1 images.image1<2 images.image2<5 weights.a<6 weights.b<7"
)


@pytest.mark.newer_frontend
@pytest.mark.parametrize("by_hand", [False, True], ids=["by us", "by hand"])
def test_what_stands_behind_a_row_that_lost_a_link_is_still_the_input_that_it_was(
    bridge: Bridge, comfy: ComfyPage, by_hand: bool
) -> None:
    assert bridge.call("applyWorkflow", {"workflow": WEIGHTED})["ok"]
    if by_hand:
        comfy.page.evaluate("() => app.graph.nodes.find(({ id }) => String(id) === '3').disconnectInput(0)")
    else:
        assert bridge.edit(_link("disconnect", "3.images.image0"))["ok"]
    comfy.wait_until(lambda: "images.image2" not in comfy.prompt()["3"]["inputs"])
    assert "weights.b" in str(bridge.call("getWorkflowInfo", {"nodeIds": ["7"]}))

    removed = bridge.edit({"op": "remove", "nodes": ["6"]})

    assert removed["ok"], removed
    inputs = comfy.prompt()["3"]["inputs"]
    links = {name: value[0] for name, value in sorted(inputs.items()) if isinstance(value, list)}
    assert [*links.values()] == ["2", "5", "7"]
    assert [*links][:2] == ["images.image0", "images.image1"]


@pytest.mark.newer_frontend
@pytest.mark.parametrize(
    "taken", [("disconnect", "3.images.image0"), {"op": "remove", "nodes": ["1"]}], ids=["a link", "a node"]
)
def test_a_row_that_loses_a_link_is_wrapped_in_a_call_of_its_own(
    bridge: Bridge, comfy: ComfyPage, taken: Any
) -> None:
    assert bridge.call("applyWorkflow", {"workflow": ROW})["ok"]
    take = taken if isinstance(taken, dict) else _link(*taken)
    wrap = {"op": "makeSubgraph", "nodes": ["3", "6"], "title": "Batch"}

    refused = bridge.edit(take, wrap)

    assert "in a call of its own" in str(refused)
    assert len([name for name in comfy.prompt()["3"]["inputs"] if name.startswith("images.")]) == 4
    assert bridge.edit(take)["ok"]
    wrapped = bridge.edit(wrap)
    assert wrapped["ok"], wrapped
    [row] = [node["inputs"] for node in comfy.prompt().values() if node["class_type"] == "TestGrownBatch"]
    sources = {name: value[0].rpartition(":")[2] for name, value in row.items() if isinstance(value, list)}
    assert sources == {"images.image0": "2", "images.image1": "5", "images.image2": "6"}


@pytest.mark.newer_frontend
@pytest.mark.parametrize("nodes", [["3"], ["3", "7"], ["3", "2", "6"]])
def test_what_comes_out_of_a_subgraph_has_the_links_that_it_had(
    bridge: Bridge, comfy: ComfyPage, nodes: list[str]
) -> None:
    after = "\n8 PreviewImage images<3\n9 TestGrownBatch images.image0<1 images.image1<3 images.image2<2"
    assert bridge.call("applyWorkflow", {"workflow": WEIGHTED + after})["ok"]
    before = _row_sources(comfy)
    made = bridge.edit({"op": "makeSubgraph", "nodes": nodes, "title": "Packed"})

    expanded = bridge.edit({"op": "expandSubgraph", "nodes": made["data"]["subgraphs"]})

    assert expanded["ok"], expanded
    assert _row_sources(comfy) == before


def _row_sources(comfy: ComfyPage) -> list[list[tuple[str, str, Any]]]:
    """Of each row node, its links by input, with the type of the source and its first value; ids may be others."""
    prompt = comfy.prompt()

    def source(link: list[Any]) -> tuple[str, Any]:
        node = prompt[link[0]]
        return node["class_type"], node["inputs"].get("value")

    return sorted(
        sorted((name, *source(value)) for name, value in node["inputs"].items() if isinstance(value, list))
        for node in prompt.values()
        if node["class_type"] == "TestGrownBatch"
    )


@pytest.mark.newer_frontend
def test_a_whole_row_goes_over_to_the_node_in_its_place(bridge: Bridge, comfy: ComfyPage) -> None:
    assert bridge.call("applyWorkflow", {"workflow": ROW})["ok"]

    replaced = bridge.edit({"op": "replace", "nodes": ["3"], "type": "TestGrownBatch"})

    assert replaced["ok"], replaced
    assert "Not carried over" not in replaced["summary"]
    inputs = comfy.prompt()["3"]["inputs"]
    assert [inputs[f"images.image{number}"][0] for number in range(4)] == ["1", "2", "5", "6"]
    into_a_choice = {
        "op": "replace",
        "nodes": ["3"],
        "type": "TestChosenShape",
        "widgets": {"shape": "collage"},
    }
    assert bridge.edit(into_a_choice)["ok"]


@pytest.mark.newer_frontend
def test_a_choice_is_made_before_its_row_loses_a_link(bridge: Bridge, comfy: ComfyPage) -> None:
    lines = f"1 {IN}\n2 {IN}\n3 TestChosenShape shape=collage shape.images.image0<1 shape.images.image1<2"
    assert bridge.call("applyWorkflow", {"workflow": lines})["ok"]
    choice = {"op": "set", "nodes": ["3"], "widgets": {"shape": "mosaic"}}

    refused = bridge.edit({"op": "remove", "nodes": ["1"]}, choice)

    assert "Make the choice first" in str(refused)
    edited = bridge.edit(choice, {"op": "remove", "nodes": ["1"]})
    assert edited["ok"], edited
    comfy.wait_until(
        lambda: (
            {name: value for name, value in comfy.prompt()["3"]["inputs"].items() if isinstance(value, list)}
            == {"shape.images.image0": ["2", 0]}
        )
    )


@pytest.mark.newer_frontend
def test_a_link_into_a_row_stays_where_a_choice_behind_it_moves_the_row(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    lines = f"1 {IN}\n2 {IN}\n3 TestChosenShape shape=collage shape.images.image0<1"
    assert bridge.call("applyWorkflow", {"workflow": lines})["ok"]

    edited = bridge.edit(
        _link("2.IMAGE", "3.shape.images.image1"),
        {"op": "set", "nodes": ["3"], "widgets": {"shape": "mosaic"}},
    )

    assert edited["ok"], edited
    inputs = comfy.prompt()["3"]["inputs"]
    assert {name: value for name, value in inputs.items() if isinstance(value, list)} == {
        "shape.images.image0": ["1", 0],
        "shape.images.image1": ["2", 0],
    }


@pytest.mark.newer_frontend
def test_a_node_in_the_place_of_another_takes_over_what_belongs_to_a_choice_of_the_call(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    node = comfy.add_node("EmptyImage", width=40, height=24)

    replaced = bridge.edit(
        {"op": "replace", "nodes": [node], "type": "TestChosenShape", "widgets": {"shape": "wide"}}
    )

    assert replaced["ok"], replaced
    values = values_of(comfy, node)
    assert (values["shape.width"], values["shape.height"]) == (40, 24)


def _link(start: str, end: str) -> dict[str, str]:
    return (
        {"op": "disconnect", "to": end}
        if start == "disconnect"
        else {"op": "connect", "from": start, "to": end}
    )


@pytest.mark.newer_frontend
def test_lines_are_built_with_the_inputs_of_the_choices_that_they_make(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    lines = [
        "1 EmptyImage width=64 height=64",
        "2 PrimitiveInt value=32",
        "3 TestChosenShape shape.width<2 shape=wide shape.tint=gray shape.tint.brightness=0.25",
        "4 TestGrownBatch images.image0<1 images.image1<3 images.image2<1",
    ]
    applied = bridge.call("applyWorkflow", {"workflow": "\n".join(lines)})
    assert applied["ok"], applied
    assert "Otherwise than written" not in applied["summary"]
    before = comfy.prompt()
    assert before["3"]["inputs"]["shape.tint.brightness"] == 0.25
    assert before["4"]["inputs"]["images.image2"] == ["1", 0]

    text = bridge.call("getWorkflowInfo", {"view": "compact"})["data"]["text"]
    comfy.clear_graph()
    bridge.call("applyWorkflow", {"workflow": text})

    assert comfy.prompt() == before


@pytest.mark.newer_frontend
def test_a_row_that_a_choice_brings_is_loaded_with_all_of_its_links(bridge: Bridge, comfy: ComfyPage) -> None:
    row = {f"shape.images.image{number}": ["1", 0] for number in range(3)}
    links = " ".join(f"{name}<1" for name in row)
    bridge.call("applyWorkflow", {"workflow": f"1 EmptyImage\n2 TestChosenShape shape=collage {links}"})
    assert comfy.prompt()["2"]["inputs"] == {"shape": "collage", **row, "shape.side": 64}

    beside_what_the_page_saves = {"workflow": "1 EmptyImage width=32", "mode": "insert"}
    assert bridge.call("applyWorkflow", beside_what_the_page_saves, turn="insert")["ok"]
    assert comfy.prompt()["2"]["inputs"] == {"shape": "collage", **row, "shape.side": 64}

    assert bridge.toggle_turn("insert") == []
    assert comfy.prompt()["2"]["inputs"] == {"shape": "collage", **row, "shape.side": 64}


@pytest.mark.newer_frontend
def test_a_choice_on_a_subgraphs_node_brings_its_inputs_along_inside(
    bridge: Bridge, comfy: ComfyPage
) -> None:
    made = bridge.edit({"op": "add", "type": "TestChosenShape", "as": "shape"})
    shape = made["data"]["nodes"]["shape"]
    wrapped = bridge.edit(
        {"op": "makeSubgraph", "nodes": [shape], "as": "outer", "title": "Shapes"},
        {"op": "promote", "to": f"outer:{shape}.shape"},
        turn="wrap",
    )
    outer = wrapped["data"]["nodes"]["outer"]

    answer = bridge.call(
        "setNodeWidgetValue", {"node": outer, "widget": "shape", "value": "wide"}, turn="set"
    )

    assert answer["ok"], answer
    [inputs] = [node["inputs"] for node in comfy.prompt().values()]
    # A page of 1.49 gives inputs that a choice brings the values that another node of this id had for them.
    brought = {"shape.width", "shape.height", "shape.tint"}
    assert inputs["shape"] == "wide"
    assert brought <= inputs.keys()
    assert bridge.toggle_turn("set") == []
    [inputs] = [node["inputs"] for node in comfy.prompt().values()]
    assert inputs.keys() == {"shape", "shape.side"}
    assert inputs["shape"] == "square"


def _definition(comfy: ComfyPage, node_type: str) -> NodeDefinition:
    answer = comfy.fetch(f"/object_info/{node_type}")
    return read_node_definition(node_type, answer["body"][node_type])


def _slots(comfy: ComfyPage, node: str) -> dict[str, str]:
    return dict(comfy.page.evaluate(SLOTS, node))


def _set(comfy: ComfyPage, node: str, widget: str, value: Any) -> None:
    comfy.page.evaluate(
        """([id, name, value]) => {
            const node = app.graph.nodes.find((one) => String(one.id) === id);
            node.widgets.find((widget) => widget.name === name).value = value;
        }""",
        [node, widget, value],
    )
