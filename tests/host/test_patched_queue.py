"""Packs that wrap `app.queuePrompt`: a run of ours goes through them once, and stays what it is."""

from __future__ import annotations

# As such packs do: something of their own, then the page's function with the arguments that it once had.
WRAP = """() => {
    const own = app.queuePrompt;
    window.wrapped = 0;
    app.queuePrompt = async function (number, batchCount) {
        window.wrapped += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return own.call(this, number + 0, batchCount);
    };
}"""


def test_a_part_runs_once_through_a_wrapped_queue_and_nothing_else_runs(comfy, bridge):
    nodes = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image", "widgets": {"width": 64, "height": 64}},
        {"op": "add", "type": "PreviewImage", "as": "wanted", "inputs": {"images": "image.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "as": "other", "inputs": {"images": "image.IMAGE"}},
    )["data"]["nodes"]
    comfy.page.evaluate(WRAP)

    run = bridge.call("executeWorkflow", {"until": nodes["wanted"]})

    assert run["ok"], run
    assert {output["node"] for output in run["data"]["outputs"]} == {nodes["wanted"]}
    assert comfy.page.evaluate("() => window.wrapped") == 1

    whole = bridge.call("executeWorkflow", {})

    assert whole["ok"], whole
    assert comfy.page.evaluate("() => window.wrapped") == 2
