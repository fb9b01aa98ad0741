"""A plain order to a small model is carried out without it, over real HTTP, and so is told why its run failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .plain.workflows import DEFAULT_NODES, posted
from .talking import talking

SLIM = {"COMFYUI_ASSISTANT_PROFILE": "slim", "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "8192"}
SCENARIO: dict[str, Any] = {
    "about": "A test.",
    "pace": 0,
    "turns": [{"user": "", "steps": [{"reply": [{"say": "It failed."}]}], "after": "repeat"}],
}
DONE = {"ok": True, "summary": "Done.", "data": {}}
FAILED = {"ok": False, "error": "The run failed."}


def with_values(node_id: str, **values: Any) -> dict[str, Any]:
    nodes = [
        {
            **node,
            "values": [{**each, "value": values.get(each["name"], each["value"])} for each in node["values"]],
        }
        if node["id"] == node_id
        else node
        for node in DEFAULT_NODES
    ]
    return posted(*nodes)


async def test_a_plain_order_and_the_run_behind_it_need_no_model_which_is_told_of_them_later(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, SCENARIO, SLIM) as (assistant, provider):
        thread = await assistant.new_thread()

        async def settle(workflow: dict[str, Any], output: dict[str, Any] = DONE) -> None:
            answer = (await assistant.messages(thread))[-1]
            for part in answer["parts"]:
                if "toolCallId" in part and "output" not in part:
                    part |= {"state": "output-available", "output": output}
            await assistant.call("POST", "/chat", {"id": thread, "messages": [answer], "workflow": workflow})

        await assistant.say("stpes 30 please", thread=thread, workflow=posted(*DEFAULT_NODES))
        await settle(with_values("3", steps=30))
        answer = (await assistant.messages(thread))[-1]
        assert [part["text"] for part in answer["parts"] if part["type"] == "text"] == ["steps = 30"]
        assert provider.requests == []

        await assistant.say(
            "cfg 5 and run it", thread=thread, message_id="u2", workflow=with_values("3", steps=30)
        )
        await settle(with_values("3", steps=30, cfg=5))
        assert provider.requests == []
        await settle(with_values("3", steps=30, cfg=5), FAILED)
        parts = (await assistant.messages(thread))[-1]["parts"]
        assert [part["type"] for part in parts if "toolCallId" in part] == [
            "tool-setNodeWidgetValue",
            "tool-executeWorkflow",
        ]
        assert [part["text"] for part in parts if part["type"] == "text"] == [FAILED["error"]]
        assert provider.requests == []

        failed = with_values("3", steps=30, cfg=5)
        await assistant.say("is that my fault?", thread=thread, message_id="u3", workflow=failed)
        [request] = provider.requests
        told = [
            call["function"]["name"] for m in request.body["messages"] for call in m.get("tool_calls", ())
        ]
        assert told == ["setValue", "setValue", "runWorkflow"]
        answer = (await assistant.messages(thread))[-1]
        assert [part["text"] for part in answer["parts"] if part["type"] == "text"] == ["It failed."]
