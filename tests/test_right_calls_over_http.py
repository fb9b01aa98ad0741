"""A capable model in a small window: its calls reach the page as it made them, whatever the sentence said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from .small_windows.workflows import DEFAULT_NODES, posted
from .talking import talking

CORE = Path(__file__).parent / "fixtures" / "core_nodes.json"
SMALL = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "8192"}
CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("right_calls.yaml").read_text("utf-8"))


def script(cases: list[dict[str, Any]]) -> dict[str, Any]:
    def turn(case: dict[str, Any]) -> dict[str, Any]:
        [(name, arguments)] = case["call"].items()
        return {"user": case["say"], "steps": [{"reply": [{"call": name, "arguments": arguments}]}]}

    return {"about": "A test.", "pace": 0, "turns": [turn(case) for case in cases]}


@pytest.mark.slow
async def test_every_right_call_in_any_language_is_made_as_it_was(tmp_path: Path) -> None:
    wrong = []
    async with talking(tmp_path, script(CASES), SMALL, object_info=CORE) as (assistant, provider):
        for number, case in enumerate(CASES):
            thread = await assistant.new_thread()
            answer = await assistant.say(
                case["say"], thread=thread, message_id=f"u{number}", workflow=posted(*DEFAULT_NODES)
            )
            made = [
                {chunk["toolName"]: chunk["input"]}
                for chunk in answer.chunks
                if chunk["type"] == "tool-input-available"
            ]
            if made != [case["made"]]:
                wrong.append(
                    (case["say"], made, [c for c in answer.chunks if c["type"] == "tool-output-error"])
                )
    assert wrong == []
    assert len(provider.requests) == len(CASES), "a model is asked for everything"


@pytest.mark.slow
async def test_the_log_shows_the_model_its_own_call(tmp_path: Path) -> None:
    case = CASES[0]
    done = {"reply": [{"say": "It is."}]}
    scenario = script([case])
    scenario["turns"][0]["steps"].append(done)
    async with talking(tmp_path, scenario, SMALL, object_info=CORE) as (assistant, provider):
        thread = await assistant.new_thread()
        workflow = posted(*DEFAULT_NODES)
        await assistant.say(case["say"], thread=thread, workflow=workflow)
        answer = (await assistant.messages(thread))[-1]
        for part in answer["parts"]:
            if "toolCallId" in part:
                part |= {"state": "output-available", "output": {"ok": True, "summary": "Set.", "data": {}}}
        await assistant.call("POST", "/chat", {"id": thread, "messages": [answer], "workflow": workflow})
        [call] = [
            call["function"]
            for message in provider.requests[-1].body["messages"]
            for call in message.get("tool_calls", ())
        ]
        assert {call["name"]: json.loads(call["arguments"])} == case["call"]
