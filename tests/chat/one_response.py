"""One response of a turn to a conversation in memory, and the logs that it can be written to."""

from __future__ import annotations

import asyncio
from typing import Any

from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.chat.calls.calls import ToolForm
from comfyui_assistant.engine.chat.calls.limits import Limits, TurnClock
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel
from comfyui_assistant.engine.chat.replies.length_limit import LengthLimit
from comfyui_assistant.engine.chat.replies.text_call import TextCall
from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.chat.turn.response_writer import TurnLog
from comfyui_assistant.engine.chat.turn.turn import Turn, TurnSetup
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.store.log.event_log import LogEvent, fold
from comfyui_assistant.engine.stream.parts import StepDelta

from tests.fake_model import FakeModel, Reply

USER = LogEvent("user", "u1", {"parts": [{"type": "text", "text": "please"}]})


class MemoryTurnLog(TurnLog):
    def __init__(self) -> None:
        self.events: list[LogEvent] = [USER]
        self.drafts: list[Any] = []

    async def append(self, events: Any) -> None:
        self.events.extend(events)

    def save_draft(self, message_id: str, news: StepDelta) -> None:
        self.drafts.append(news)


class SlowTurnLog(MemoryTurnLog):
    """A store that another job keeps busy, and that forgets who is waiting when they are cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waited_for = asyncio.Event()

    async def append(self, events: Any) -> None:
        self.is_waited_for.set()
        await asyncio.sleep(0.1)
        await super().append(events)


class LockedTurnLog(MemoryTurnLog):
    """A store that refuses so many writes."""

    def __init__(self, refusals: int) -> None:
        super().__init__()
        self.refusals = refusals

    async def append(self, events: Any) -> None:
        if self.refusals:
            self.refusals -= 1
            raise StoreError("store_failed", "The database is locked.")
        await super().append(events)


async def look(arguments: dict[str, Any], *_: Any) -> dict[str, Any]:
    return {"ok": True, "summary": "Looked.", "data": arguments}


def setup(**options: Any) -> TurnSetup:
    budget = Budget(window=options.get("window", 32_000), reserve=0)
    frame = Frame("You help.", options.get("form", "full"))
    return TurnSetup(
        endpoint=Endpoint("http://127.0.0.1:1/v1", options.get("model", "a-model")),
        server_tools={"look": options.get("look", look)},
        browser_tools=frozenset({"addNode", "runScript"}),
        tool_form=options.get("tool_form", ToolForm(frozenset({"runScript"}))),
        context=TurnContext.of(TurnPlanner(frame, budget, count_text)),
        limits=options.get("limits", Limits()),
        clock=options.get("clock", TurnClock()),
    )


class Run:
    """One response to the conversation that `log` holds."""

    def __init__(self, *replies: Reply, log: MemoryTurnLog | None = None, **options: Any) -> None:
        self.model = FakeModel(*replies)
        self.log = log or MemoryTurnLog()
        turn_setup = setup(**options)
        self.turn = Turn(
            fold(self.log.events),
            message_id="a1",
            setup=turn_setup,
            model=FilteredModel(
                self.model,
                lambda request: [
                    LengthLimit(request.endpoint.model, turn_setup.tool_form),
                    TextCall(turn_setup.tool_form),
                ],
            ),
            log=self.log,
        )
        self.chunks: list[Any] = []

    async def go(self) -> Run:
        async for chunk in self.turn.run():
            self.chunks.append(chunk)
        return self

    async def has(self, kind: str) -> None:
        """Until the response has a chunk of that type."""
        for _ in range(1_000):
            if kind in self.types:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {kind}, but {self.types}")

    @property
    def types(self) -> list[str]:
        return [chunk["type"] for chunk in self.chunks if chunk["type"] != "data-context"]

    def one(self, kind: str) -> Any:
        return next(chunk for chunk in self.chunks if chunk["type"] == kind)

    @property
    def kept(self) -> list[Any]:
        """The parts of the assistant message as the log has it."""
        return fold(self.log.events)[-1]["parts"]


def answer(log: MemoryTurnLog, call_id: str, output: Any) -> None:
    settled = {"toolCallId": call_id, "state": "output-available", "output": output}
    log.events.append(LogEvent("result", "a1", settled))
