"""Values as people write them and nodes tell them, in the real ComfyUI."""

from __future__ import annotations


def test_a_sampler_as_people_write_it_sets_the_scheduler_too(comfy, bridge):
    made = bridge.edit(
        {"op": "add", "type": "KSampler", "as": "one", "widgets": {"sampler_name": "DPM++ 2M Karras"}},
        {"op": "add", "type": "KSampler", "as": "two", "widgets": {"sampler_name": "Euler a"}},
    )
    held = comfy.page.evaluate(
        """() => app.graph.nodes.map(({ widgets }) => ["sampler_name", "scheduler"].map(
            (name) => widgets.find((widget) => widget.name === name).value))"""
    )
    assert made["ok"], made
    assert held == [["dpmpp_2m", "karras"], ["euler_ancestral", "simple"]]


def test_a_paid_node_tells_the_price_on_its_badge(comfy, bridge):
    node = comfy.add_node("EmptyImage")
    comfy.page.evaluate(
        """(id) => {
            const { badges } = app.graph.getNodeById(id);
            badges.push(() => ({ text: '$0.06/Run', visible: true, height: 0, getWidth: () => 0, draw() {} }));
        }""",
        int(node),
    )
    read = bridge.call("getWorkflowInfo", {"nodeIds": [node]})
    line = read["data"]["text"].splitlines()[0]
    assert line.startswith(f"{node} EmptyImage at ")
    assert line.endswith(" # costs $0.06/Run")
