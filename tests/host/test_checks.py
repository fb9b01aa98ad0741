"""What checking says of a workflow that is broken in one place: where, why, and what would mend it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.checked_run import refusal
from tests.host.comfy import ComfyPage

INNER = """5 EmptyImage
4 S1 image<5
3 SaveImage images<4
subgraph S1 "Inner" in(image) out(IMAGE<2)
1 ImageBlur image<input
2 ImageInvert image<1
end"""
PROMOTED = """5 EmptyImage
4 S1 image<5 upscale_method=bicubic
3 SaveImage images<4
subgraph S1 "Inner" in(image upscale_method) out(IMAGE<2)
2 ImageScaleBy image<input upscale_method<input
end"""
SET = """([type, name, value]) => {
    const node = app.graph.nodes.find((each) => each.type === type);
    node.widgets.find((widget) => widget.name === name).value = value;
}"""


def checked(bridge: Bridge) -> dict[str, Any]:
    return bridge.call("validateWorkflow", {})["data"]


def apply(bridge: Bridge, lines: str) -> None:
    applied = bridge.call("applyWorkflow", {"workflow": lines})
    assert applied["ok"], applied


def mute(bridge: Bridge, node: str, mode: str = "muted") -> None:
    assert bridge.edit({"op": "mode", "nodes": [node], "mode": mode})["ok"]


def test_an_open_input_is_given_what_nothing_uses_or_a_node_that_is_missing(bridge: Bridge):
    apply(bridge, "1 EmptyImage\n2 SaveImage")
    (problem,) = checked(bridge)["problems"]
    assert problem["fix"] == "Connect 1.IMAGE to 2.images; nothing uses it yet."

    apply(bridge, "1 EmptyImage\n2 PreviewImage images<1\n3 SaveImage")
    (problem,) = checked(bridge)["problems"]
    assert "a node may be missing before 3.images" in problem["fix"]
    assert "In use: 1.IMAGE (feeds 2.images)." in problem["fix"]


def test_a_muted_node_inside_a_subgraph_goes_by_its_path_and_a_bypassed_subgraph_hides_it(bridge: Bridge):
    apply(bridge, INNER)
    mute(bridge, "4:1")
    found = checked(bridge)
    (problem,) = found["problems"]
    assert problem["fix"] == "Make node 4:1 active, or connect another source."
    assert found["loose"] == ["5.IMAGE"]

    mute(bridge, "4", "bypassed")
    assert checked(bridge) == {"problems": [], "bypassed": ['4 Subgraph "Inner"']}


def test_what_stops_no_run_is_told_too(bridge: Bridge):
    apply(
        bridge, "1 EmptyImage\n2 ImageBlur image<1 bypassed\n3 PreviewImage images<2\n5 ImageInvert image<1"
    )

    told = bridge.call("validateWorkflow", {})

    assert told["data"] == {
        "problems": [],
        "leadToNoOutput": ["5 ImageInvert"],
        "loose": ["5.IMAGE"],
        "bypassed": ["2 ImageBlur"],
    }
    assert "outputs only preview, none saves" in told["summary"]


@pytest.mark.parametrize("value", ["", "20.0", "0x10"])
def test_a_number_that_python_does_not_read_is_a_problem_with_its_default(comfy: ComfyPage, bridge, value):
    apply(bridge, "1 EmptyImage\n2 SaveImage images<1")
    comfy.page.evaluate(SET, ["EmptyImage", "width", value])

    (problem,) = checked(bridge)["problems"]

    assert problem["node"] == "1 EmptyImage"
    assert "such as the default 512" in problem["fix"]


def test_a_misspelt_choice_gets_the_closest_also_where_a_subgraph_shows_it(bridge: Bridge):
    apply(bridge, "5 KSampler")
    refused = bridge.edit({"op": "set", "nodes": ["5"], "widgets": {"sampler_name": "dpm_2_ancestrl"}})
    assert refused["hint"] == "Closest: dpm_2_ancestral."

    apply(bridge, PROMOTED)
    refused = bridge.edit({"op": "set", "nodes": ["4"], "widgets": {"upscale_method": "lanczoss"}})
    assert refused["hint"] == "Closest: lanczos."


def test_a_choice_beside_its_list_is_no_problem_where_comfyui_leaves_it_to_the_node(
    comfy: ComfyPage, bridge: Bridge
):
    apply(bridge, "1 TestOwnCheck")
    comfy.page.evaluate(SET, ["TestOwnCheck", "backend", "of_another_package"])
    assert refusal(bridge) is None

    found = comfy.page.evaluate(
        "() => window.bridgeInPage.call('validateWorkflow', {}, { ask: window.bridgeInPage.ask })"
    )

    assert found["data"]["problems"] == []


def test_groups_of_a_workflow_that_is_built_hold_their_nodes_alone(comfy: ComfyPage, bridge: Bridge):
    chain = ["1 EmptyImage", "2 ImageInvert image<1", "3 ImageBlur image<2", "4 SaveImage images<3"]
    apply(bridge, "\n".join([*chain, "5 PreviewImage images<1", 'group "One": 1 3', 'group "Two": 2 4']))

    text = bridge.call("getWorkflowInfo", {})["data"]["text"]
    groups = [re.sub(r" \[[-\d ]+\]", "", line) for line in text.splitlines() if line.startswith("group ")]
    assert sorted(groups) == ['group "One": 1 3', 'group "Two": 2 4']
    one, two = comfy.page.evaluate(
        "() => app.graph.groups.map(({ pos, size }) => [pos[0], pos[1], pos[0] + size[0], pos[1] + size[1]])"
    )
    assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
