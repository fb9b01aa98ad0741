"""Contexts of turns, and a log that notes what is written down in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.thread_context.turn_context import ContextLog, TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import Calibration, count_text

from ...context.conversations import turns

SHORT, LONG = turns(2), turns(60)
RULES = "Answer in few words, and say which node you mean. " * 120
TOOLS = [{"type": "function", "function": {"name": "look", "description": RULES, "parameters": {}}}]
RUSSIAN = "Пожалуйста, измени количество шагов и запусти рабочий процесс ещё раз. " * 100
ONE_WORD = [{"id": "u1", "role": "user", "parts": [{"type": "text", "text": "hello"}]}]


class MemoryContextLog(ContextLog):
    """Keeps what it is told, or refuses it all."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.kept: list[tuple[str, Any]] = []

    async def keep_request(self, message_id: str, step: int, *_: Any) -> str:
        return self._keep("request", (message_id, step))

    async def finish_request(
        self, request_id: str, usage: Usage | None, first_token_ms: float | None
    ) -> None:
        self._keep("reply", (request_id, usage, first_token_ms))

    async def keep_compaction(self, compaction: Any) -> str:
        return self._keep("compaction", compaction.cause)

    async def keep_calibration(self, calibration: Calibration) -> None:
        self._keep("calibration", calibration.n)

    async def learn_window(self, window: int, *, refused: int | None = None) -> None:
        self._keep("window", window)

    async def grow_window(self, *, used: int, share: float) -> None:
        self._keep("success", used)

    def _keep(self, kind: str, value: Any) -> str:
        if self.refuses:
            raise StoreError("store_failed", "The disk is full.")
        self.kept.append((kind, value))
        return f"{kind}-{len(self.kept)}"


def context(
    window: int = 16_000,
    *,
    log: ContextLog | None = None,
    pending_dividers: Sequence[dict[str, Any]] = (),
    **known: Any,
) -> TurnContext:
    planner = TurnPlanner(Frame("Rules.", "full"), Budget(window, 0), count_text, **known)
    return TurnContext.of(planner, log, model="a-model", pending_dividers=pending_dividers)
