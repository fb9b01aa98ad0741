"""A reading of the workflow, as it stands in the next request to the model."""

from __future__ import annotations

import json

from tests.host.scenarios import scenario

MANY = """([count, text]) => {
    for (let number = 0; number < count; number++) {
        const node = LiteGraph.createNode("CLIPTextEncode");
        app.graph.add(node);
        node.widgets.find(({ name }) => name === "text").value = `prompt ${number} ${text}`;
    }
}"""


def test_all_nodes_of_a_large_workflow_stand_in_the_next_request(comfy, panel, model):
    comfy.page.evaluate(MANY, [200, "in the evening light " * 20])
    model.play(scenario("one-reading"))

    assert panel.ask("look at it") == "I have read it."

    result = json.loads(model.requests[1].messages[-1]["content"])
    lines = result["data"]["text"].split("\n")
    assert result["data"]["nodes"] == len(lines) == 200
    assert all(f'text="prompt {number} in' in line for number, line in enumerate(lines))
    [thread] = comfy.fetch("/assistant/threads")["body"]["threads"]
    messages = comfy.fetch(f"/assistant/threads/{thread['id']}")["body"]["messages"]
    [call] = [part for part in messages[-1]["parts"] if part["type"] == "tool-getWorkflowInfo"]
    assert call["callProviderMetadata"]["comfyuiAssistant"]["room"] > 8_000
    assert comfy.errors == []
