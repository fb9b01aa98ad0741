"""A model that edits what it has not read is shown the open workflow from its next message on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .plain.workflows import DEFAULT_NODES, posted
from .talking import talking

GUESS = {"call": "setNodeWidgetValue", "arguments": {"node": "99", "widget": "steps", "value": "30"}}
SCENARIO: dict[str, Any] = {
    "about": "A test.",
    "pace": 0,
    "turns": [
        {"user": "thirty", "steps": [{"reply": [GUESS]}, {"reply": [{"say": "There is none."}]}]},
        {"user": "", "steps": [{"reply": [{"say": "I have set the steps to 30."}]}], "after": "repeat"},
    ],
}
REFUSED = {"ok": False, "error": "There is no node 99.", "unknownName": True}


async def test_a_guess_at_what_was_not_read_brings_the_workflow_along_until_it_is_forgotten(
    tmp_path: Path,
) -> None:
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "64000"}
    workflow = posted(*DEFAULT_NODES)
    async with talking(tmp_path, SCENARIO, environ) as (assistant, provider):
        assert not (await assistant.call("GET", "/assistant/status")).json["model"]["showsWorkflow"]
        thread = await assistant.new_thread()
        await assistant.say("thirty steps", thread=thread, workflow=workflow)
        answer = (await assistant.messages(thread))[-1]
        for part in answer["parts"]:
            if "toolCallId" in part:
                part |= {"state": "output-available", "output": REFUSED}
        await assistant.call("POST", "/chat", {"id": thread, "messages": [answer], "workflow": workflow})
        assert "<open-workflow>" not in str([request.body for request in provider.requests])
        assert "unknownName" not in str(provider.requests[-1].body)

        assert (await assistant.call("GET", "/assistant/status")).json["model"]["showsWorkflow"]
        other = await assistant.new_thread()
        said = await assistant.say("set the steps to 30", thread=other, workflow=workflow)

        told = str(provider.requests[-1].body["messages"])
        assert told.count("<open-workflow>") == 1
        assert "3.steps = 20" in told
        assert "6.text = " in told
        assert "setNodeWidgetValue" in str(provider.requests[-1].body["tools"])
        assert "nothing-done" in [c["data"]["code"] for c in said.chunks if c["type"] == "data-notice"]
        settings = (await assistant.call("GET", "/assistant/settings")).json
        assert "this model does not read first" in settings["rulesNote"]

        await assistant.call("DELETE", "/assistant/providers/learned-rules")
        await assistant.say("set the steps to 30", thread=await assistant.new_thread(), workflow=workflow)
        assert "<open-workflow>" not in str(provider.requests[-1].body["messages"])
