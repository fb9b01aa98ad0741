"""Editing subgraphs of the real ComfyUI: what is inside, and what their instances show of it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("instance", ["4", "50"])
def test_a_change_inside_a_subgraph_is_overwritten_by_no_path_that_leads_to_it(comfy, bridge, instance):
    inner = ['subgraph S1 "Inner" in() out(IMAGE<1)', "1 EmptyImage width=64", "end"]
    lines = ["4 S1", "50 S1", "7 SaveImage images<4", "8 SaveImage images<50", *inner]
    applied = bridge.call("applyWorkflow", {"workflow": "\n".join(lines)}, turn="t")
    assert applied["ok"], applied
    image = comfy.page.evaluate(
        """() => {
            const image = app.graph.getNodeById(50).subgraph.nodes[0];
            image.widgets.find(({ name }) => name === "width").value = 77;
            return String(image.id);
        }"""
    )

    refused = bridge.edit(
        {"op": "set", "nodes": [f"{instance}:{image}"], "widgets": {"width": 128}}, turn="t"
    )

    assert f"~ 4:{image} EmptyImage width=64→77 (also 50:{image})" in refused["error"]


def test_a_subgraph_is_edited_by_the_names_that_the_canvas_shows(comfy, bridge):
    """Templates of today show `value_1` as "duration"."""
    inner = [
        'subgraph S1 "Clip" in(image"background" value_1"Video length") out(IMAGE"finished"<7)',
        "7 EmptyImage width<input.value_1",
        "8 ImageInvert image<input.image",
        "end",
    ]
    lines = ["4 S1 value_1=64", "5 SaveImage images<4", *inner]
    assert bridge.call("applyWorkflow", {"workflow": "\n".join(lines)})["ok"]
    shown = comfy.page.evaluate("app.graph.nodes.flatMap((node) => node.inputs.map(({ label }) => label))")
    assert {"background", "Video length"} <= set(shown)

    read = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert 'in(image"background" value_1"Video length") out(IMAGE"finished"<7)' in read
    node = next(line.split()[0] for line in read.splitlines() if " S1" in line)
    told = bridge.call("getWorkflowInfo", {"nodeIds": [node]})["data"]["text"]
    assert 'value_1"Video length"=64' in told

    assert bridge.edit({"op": "set", "nodes": [node], "widgets": {"video_length": 96}})["ok"]
    assert bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "sky"},
        {"op": "connect", "from": "sky", "to": f"{node}.background"},
    )["ok"]
    changed = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert f"{node} S1 image<" in changed
    assert "value_1=96" in changed


@pytest.fixture
def promoted(comfy, bridge, chain) -> tuple[str, str]:
    """A subgraph that shows the factor of the scaling node inside, and the run id of that node."""
    return promote_factor(comfy, bridge, chain)


def promote_factor(comfy, bridge, chain) -> tuple[str, str]:
    made = bridge.edit(
        {"op": "replace", "nodes": [chain["invert"]], "type": "ImageScaleBy", "widgets": {"scale_by": 0.5}},
        {"op": "makeSubgraph", "nodes": [chain["invert"]], "title": "Bigger"},
    )
    outer = made["data"]["subgraphs"][0]
    inner = f"{outer}:{chain['invert']}"
    done = bridge.edit({"op": "promote", "to": f"{inner}.scale_by", "title": "factor"})
    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 0.5
    return outer, inner


def test_a_promoted_widget_has_the_value_inside_whatever_a_node_of_its_id_had_before(comfy, bridge, chain):
    text = bridge.call("getWorkflowInfo", {})["data"]["text"]
    for _ in range(2):
        outer, _ = promote_factor(comfy, bridge, chain)
        assert bridge.edit({"op": "set", "nodes": [outer], "widgets": {"factor": 2}})["ok"]
        comfy.clear_graph()
        assert bridge.call("applyWorkflow", {"workflow": text})["ok"]


def test_a_new_subgraph_shows_what_its_batch_says_and_else_what_comfyui_shows_is_told(comfy, bridge):
    """Newer pages show the seed of a sampler and texts by themselves."""
    lines = ["1 KSampler seed=7", '2 CLIPTextEncode text="a fox"']
    assert bridge.call("applyWorkflow", {"workflow": "\n".join(lines)})["ok"]
    nodes = {
        line.split()[1]: line.split()[0]
        for line in bridge.call("getWorkflowInfo", {})["data"]["text"].splitlines()
    }
    sampler, prompt = nodes["KSampler"], nodes["CLIPTextEncode"]

    done = bridge.edit(
        {"op": "makeSubgraph", "nodes": [sampler], "as": "packed"},
        {"op": "promote", "to": f"packed:{sampler}.seed"},
        {"op": "promote", "to": f"packed:{sampler}.steps", "title": "how many"},
    )
    assert done["ok"], done
    assert "shows" not in done["summary"]
    packed = done["data"]["nodes"]["packed"]
    assert shown_inputs(comfy, packed) == ["seed", "how many"]
    assert bridge.edit({"op": "set", "nodes": [packed], "widgets": {"seed": 8}})["ok"]
    assert comfy.prompt()[f"{packed}:{sampler}"]["inputs"]["seed"] == 8

    told = bridge.edit({"op": "makeSubgraph", "nodes": [prompt], "as": "other"})
    shown = shown_inputs(comfy, told["data"]["nodes"]["other"])
    assert (f"shows {', '.join(shown)}." in told["summary"]) == bool(shown), told["summary"]


def shown_inputs(comfy, node: str) -> list[str]:
    """Of a subgraph's node, those of widgets inside."""
    return comfy.page.evaluate(
        """(id) => app.graph.nodes.find((node) => String(node.id) === id).inputs
            .filter(({ widget }) => widget).map(({ name }) => name)""",
        node,
    )


@pytest.mark.parametrize("mode", ["muted", "bypassed"])
def test_a_subgraph_that_does_not_run_runs_nothing_inside(comfy, bridge, promoted, mode):
    outer, inner = promoted
    done = bridge.edit({"op": "mode", "nodes": [outer], "mode": mode})
    assert done["ok"], done
    assert inner not in comfy.prompt()
    assert bridge.edit({"op": "mode", "nodes": [outer], "mode": "active"})["ok"]
    assert inner in comfy.prompt()


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_promoted_widget_is_set_from_outside_and_runs(comfy, bridge, promoted):
    outer, inner = promoted

    bridge.call("getWorkflowInfo", {})
    done = bridge.call("setNodeWidgetValue", {"node": outer, "widget": "factor", "value": "2"})

    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2


def test_a_promoted_widget_is_varied_and_its_value_saved_with_each_file(comfy, bridge, promoted):
    outer, _ = promoted

    ran = bridge.call(
        "executeWorkflow", {"vary": [{"node": outer, "widget": "factor", "values": ["0.25", "2"]}]}
    )

    assert ran["ok"], ran
    assert [run["values"] for run in ran["data"]["runs"]] == [
        {f"{outer}.factor": 0.25},
        {f"{outer}.factor": 2},
    ]
    for run, factor, width in zip(ran["data"]["runs"], (0.25, 2), (16, 128), strict=True):
        name = run["outputs"][0]["files"][0]["filename"]
        url = f"/api/view?type=output&filename={name.removeprefix('output/')}"
        size = comfy.page.evaluate(
            "async (url) => (await createImageBitmap(await (await fetch(url)).blob())).width", url
        )
        assert size == width
        bridge.call("applyWorkflow", {"file": name, "mode": "replace"})
        (inner,) = [node for node in comfy.prompt().values() if node["class_type"] == "ImageScaleBy"]
        assert inner["inputs"]["scale_by"] == factor


def test_a_demoted_widget_leaves_its_value_inside_and_one_undo_brings_it_back(comfy, bridge, promoted):
    outer, inner = promoted
    bridge.edit({"op": "set", "nodes": [outer], "widgets": {"factor": 2}})
    before = bridge.call("getWorkflowInfo", {})["data"]["text"]

    done = bridge.edit({"op": "demote", "to": f"{outer}.factor"}, turn="t")

    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2
    assert "factor" not in bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert bridge.toggle_turn("t") == []
    assert bridge.call("getWorkflowInfo", {})["data"]["text"] == before
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2


def test_a_subgraph_gets_an_output_that_is_connected_outside(comfy, bridge, promoted):
    outer, _ = promoted

    done = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "second", "inside": outer, "widgets": {"width": 32}},
        {"op": "promote", "from": "second.IMAGE", "title": "also"},
        {"op": "promote", "to": "second.height"},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": f"{outer}.also"}},
        {"op": "set", "nodes": [outer], "widgets": {"height": 48}},
    )

    assert done["ok"], done
    prompt = comfy.prompt()
    (made,) = [node for node in prompt.values() if node["inputs"].get("width") == 32]
    assert made["inputs"]["height"] == 48
    assert bridge.call("executeWorkflow", {})["ok"]


@pytest.mark.newer_frontend
def test_a_link_into_an_input_that_an_option_brings_stays_where_its_node_goes_into_a_subgraph(comfy, bridge):
    """The page itself loses it: the node's value took its place in what ran."""
    lines = [
        "1 EmptyImage",
        "2 PrimitiveFloat value=2",
        "3 TestOptionsWithInputs image<1",
        "4 SaveImage images<3",
    ]
    assert bridge.call("applyWorkflow", {"workflow": "\n".join(lines)})["ok"]
    linked = bridge.edit({"op": "connect", "from": "2.FLOAT", "to": "3.size.factor"})
    assert linked["ok"], linked

    done = bridge.edit({"op": "makeSubgraph", "nodes": ["3"], "as": "packed"}, turn="packed")

    assert done["ok"], done
    inner = f"{done['data']['nodes']['packed']}:3"
    assert comfy.prompt()[inner]["inputs"]["size.factor"] == ["2", 0]
    assert bridge.toggle_turn("packed") == []
    assert comfy.prompt()["3"]["inputs"]["size.factor"] == ["2", 0]
    assert bridge.toggle_turn("packed") == []
    assert comfy.prompt()[inner]["inputs"]["size.factor"] == ["2", 0]


@pytest.mark.older_frontend
def test_a_widget_that_a_person_promoted_by_name_is_varied_and_demoted(comfy, bridge, chain):
    outer = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"]]})["data"]["subgraphs"][0]
    comfy.page.evaluate(
        """([outer, inner]) => {
            const node = app.graph.nodes.find((each) => String(each.id) === outer);
            node.properties.proxyWidgets = [[inner, "width"], [inner, "height"]];
        }""",
        [outer, chain["image"]],
    )

    ran = bridge.call("executeWorkflow", {"vary": [{"node": outer, "widget": "width", "values": [16, 32]}]})
    assert [run["values"] for run in ran["data"]["runs"]] == [
        {f"{outer}.{chain['image']}.width": 16},
        {f"{outer}.{chain['image']}.width": 32},
    ]
    bridge.call("getWorkflowInfo", {})
    done = bridge.edit({"op": "demote", "to": f"{outer}.width"})

    assert done["ok"], done
    text = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert f"^{chain['image']}.height" in text
    assert f"^{chain['image']}.width" not in text


@pytest.mark.newer_frontend
def test_links_into_growing_inputs_stay_where_their_source_goes_into_a_subgraph(comfy, bridge):
    """ComfyUI's page of 1.49 moves up what is behind an input whose link went for a moment."""
    comfy.page.evaluate(
        """() => {
            const [image, invert, join] = ["EmptyImage", "ImageInvert", "TestGrowing"].map((type, index) => {
                const node = LiteGraph.createNode(type);
                node.id = index + 1;
                app.graph.add(node);
                return node;
            });
            image.connect(0, invert, 0);
            for (const [index, source] of [invert, image, invert].entries())
                source.connect(0, join, join.inputs.findIndex(({ name }) => name === `images.image${index}`));
        }"""
    )
    assert bridge.call("getWorkflowInfo", {})["ok"]

    done = bridge.edit({"op": "makeSubgraph", "nodes": ["2"], "as": "packed"}, turn="packed")

    assert done["ok"], done
    inner = f"{done['data']['nodes']['packed']}:2"
    linked = {
        name: comfy.prompt()["3"]["inputs"][f"images.{name}"] for name in ("image0", "image1", "image2")
    }
    assert linked == {"image0": [inner, 0], "image1": ["1", 0], "image2": [inner, 0]}
    assert bridge.toggle_turn("packed") == []
    assert comfy.prompt()["3"]["inputs"]["images.image0"] == ["2", 0]


WITH_A_TYPE_THAT_IS_NOT_INSTALLED = """async (type) => {
    const saved = JSON.stringify(app.graph.serialize()).replaceAll(JSON.stringify(type), '"NotHereNode"');
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    await app.loadGraphData(JSON.parse(saved), true, true, null, quiet);
}"""


def test_a_subgraph_is_not_taken_apart_while_types_inside_are_not_installed(comfy, bridge, chain):
    """The page of 1.58 does nothing and says so, that of 1.32 leaves these nodes out."""
    made = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"], chain["invert"]]})
    outer = made["data"]["subgraphs"][0]
    comfy.page.evaluate(WITH_A_TYPE_THAT_IS_NOT_INSTALLED, "ImageInvert")
    before = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert "NotHereNode" in before

    refused = bridge.edit({"op": "expandSubgraph", "nodes": [outer]})

    assert not refused["ok"]
    assert f"not installed: NotHereNode ({outer}:{chain['invert']})" in refused["error"]
    assert bridge.call("getWorkflowInfo", {})["data"]["text"] == before


def test_a_node_whose_type_is_not_installed_is_not_lost_in_a_new_subgraph(comfy, bridge, chain):
    """The page of 1.58 takes it along, that of 1.32 loses it."""
    comfy.page.evaluate(WITH_A_TYPE_THAT_IS_NOT_INSTALLED, "ImageInvert")
    before = bridge.call("getWorkflowInfo", {})["data"]["text"]

    done = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"], chain["invert"]]})

    after = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert "NotHereNode" in after
    assert done["ok"] or (
        f"not installed: NotHereNode ({chain['invert']})" in done["error"] and after == before
    )


def test_a_subgraph_comes_apart_where_its_nodes_were_and_selects_none_of_them(comfy, bridge, chain):
    before = {node: bridge.position(chain[node]) for node in ("image", "invert", "save")}
    bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"], chain["invert"]], "as": "packed"})

    done = bridge.edit({"op": "expandSubgraph", "nodes": ["packed"]})

    assert done["ok"], done
    positions = comfy.page.evaluate("() => app.graph.nodes.map(({ pos }) => [...pos])")
    assert sorted(positions) == sorted(before.values())
    assert comfy.page.evaluate("() => app.canvas.selectedItems.size") == 0


def test_what_comes_out_of_a_subgraph_stands_where_it_stood_and_what_follows_goes_right(comfy, bridge, chain):
    made = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"], chain["invert"]]})
    outer = made["data"]["subgraphs"][0]
    bridge.edit(
        {"op": "move", "nodes": [outer], "position": {"x": 3000, "y": 500}},
        {"op": "move", "nodes": [chain["save"]], "position": {"x": 3300, "y": 500}},
    )

    done = bridge.edit({"op": "expandSubgraph", "nodes": [outer]}, turn="t")

    assert done["ok"], done
    assert f"{chain['save']} SaveImage moved " in done["summary"]
    places = dict(comfy.page.evaluate("() => app.graph.nodes.map(({ type, pos }) => [type, [...pos]])"))
    assert places["EmptyImage"] == [3000, 500]
    assert places["EmptyImage"][0] < places["ImageInvert"][0] < places["SaveImage"][0]
    assert bridge.toggle_turn("t") == []
    assert bridge.position(outer) == [3000, 500]
    assert bridge.position(chain["save"]) == [3300, 500]


def test_what_makes_room_in_a_subgraph_leaves_its_outputs_right_of_all_nodes(comfy, bridge, chain):
    made = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"], chain["invert"]]})
    outer = made["data"]["subgraphs"][0]
    insert = {"op": "insert", "type": "ImageBlur", "to": f"{outer}:{chain['invert']}.image"}

    done = bridge.edit(*[insert] * 3)

    assert f"{outer}:{chain['invert']} ImageInvert" in done["summary"].partition("Moved")[2], done
    edge, right = comfy.page.evaluate(
        """() => [...app.graph.subgraphs.values()].map(({ outputNode, nodes }) =>
            [outputNode.pos[0], Math.max(...nodes.map(({ pos, size }) => pos[0] + size[0]))])[0]"""
    )
    assert edge > right
