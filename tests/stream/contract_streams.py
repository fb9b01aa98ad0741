"""Every scenario of the scripted provider as the streams that our own server makes of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.chat.turn.response_writer import TurnLog
from comfyui_assistant.engine.chat.turn.turn import Turn, TurnSetup
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.store.log.event_log import LogEvent, fold
from comfyui_assistant.engine.stream import sse
from comfyui_assistant.tools_definitions import load_catalog

from dev.scripted.provider import ScriptedProvider
from dev.scripted.scenario import Scenario, Wait
from dev.scripted.scenario_files import load_scenario, scenario_names

FOLDER = Path(__file__).parents[2] / "contract" / "stream"
_PORT = re.compile(rb"127\.0\.0\.1:\d+")
_MAX_RESPONSES = 10
SEARCH: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "searchInstalledNodes",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


def scenarios() -> list[str]:
    """All but those that are about waiting, which end the same way, only later."""
    return [name for name in scenario_names() if not _waits(load_scenario(name))]


def _waits(scenario: Scenario) -> bool:
    text = scenario.model_dump_json()
    return (
        '"hang"' in text
        or any(isinstance(part, Wait) for step in _steps(scenario) for part in step.reply)
        or '"tokens"' in text
    )


def _steps(scenario: Scenario) -> list[Any]:
    places = [place for turn in scenario.turns for place in turn.steps]
    return [
        step
        for place in places
        for step in (getattr(place, "either", None) or getattr(place, "attempts", None) or [place])
    ]


async def streams_of(name: str, scenario: Scenario | None = None, *, chunking: str = "events") -> list[bytes]:
    """The responses of one turn, browser tools answered in between; the port and ids are made the same each time."""
    scenario = scenario or load_scenario(name)
    async with ScriptedProvider(scenario, pace=0, chunking=chunking) as provider:
        numbers = itertools.count(1)
        client = ChatClient(sleep=at_once, new_call_id=lambda: f"call{next(numbers):05}")
        log = MemoryTurnLog(scenario.turns[0].user or "Hello.")
        found: list[bytes] = []
        endpoint = Endpoint(provider.base_url, "scripted", is_local=True)
        while len(found) < _MAX_RESPONSES:
            turn = Turn(
                fold(log.events), message_id="msg_1", setup=turn_setup(endpoint), model=client, log=log
            )
            chunks = [chunk async for chunk in turn.run()]
            found.append(_PORT.sub(b"127.0.0.1:8765", b"".join(map(sse.encode, chunks)) + sse.DONE))
            if chunks[-1].get("finishReason") != "tool-calls":
                break
            log.answer_browser_tools()
        await client.close()
        return found


def turn_setup(endpoint: Endpoint) -> TurnSetup:
    """All tools are known, but sent is one of our own, so that calls in a reply's text are read and the numbers of
    tokens do not change with every description.
    """
    catalog = load_catalog()

    async def answer(arguments: dict[str, Any], *_: Any) -> dict[str, Any]:
        return {"ok": True, "summary": "Looked it up.", "data": arguments}

    context = TurnContext.of(
        TurnPlanner(Frame("Help.", "full", (SEARCH,)), Budget(32_000, 4_096), count_text)
    )
    server_tools = {tool.name: answer for tool in catalog.server}
    return TurnSetup(endpoint, server_tools, catalog.browser_names, context)


class MemoryTurnLog(TurnLog):
    def __init__(self, text: str) -> None:
        self.events = [LogEvent("user", "u1", {"parts": [{"type": "text", "text": text}]})]

    async def append(self, events: Any) -> None:
        self.events.extend(events)

    def save_draft(self, message_id: str, news: Any) -> None: ...

    def answer_browser_tools(self) -> None:
        for number, part in enumerate(fold(self.events)[-1]["parts"], 1):
            if part.get("state") == "input-available":
                output = {"ok": True, "summary": "Done.", "data": {"id": str(number)}}
                settled = {"toolCallId": part["toolCallId"], "state": "output-available", "output": output}
                self.events.append(LogEvent("result", "msg_1", settled))


async def at_once(_: float) -> None: ...


async def all_streams() -> AsyncIterator[tuple[str, bytes]]:
    """File names below `contract/stream` and what stands in them."""
    for name in scenarios():
        found = await streams_of(name)
        for number, stream in enumerate(found, 1):
            suffix = f".{number}" if len(found) > 1 else ""
            yield f"{name.replace('/', '-')}{suffix}.sse", stream
