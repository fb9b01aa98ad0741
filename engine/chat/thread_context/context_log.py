"""The log of a thread's context, and of what is learned of its model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...base.events import Usage
from ...base.messages import Message
from ...context.tokens import Calibration
from ...llm.learned import Learned
from ...store.compactions import Compactions, StoredCompaction
from ...store.requests import Requests
from ...store.saved_settings import origin
from ...user.memory_days import MemoryDays
from .turn_context import ContextLog


@dataclass(frozen=True)
class ModelLog(ContextLog):
    """The log of what is learned of a model; all there is for a client that keeps the conversation itself."""

    learned: Learned
    base_url: str
    model: str

    async def keep_calibration(self, calibration: Calibration) -> None:
        await self.learned.counts.keep(self.base_url, self.model, calibration)

    async def learn_window(self, window: int, *, refused: int | None = None) -> None:
        await self.learned.windows.learn(
            self.base_url, self.model, window, "a request that was too long", refused=refused
        )

    async def earlier_window(self) -> int | None:
        return await self.learned.windows.earlier(self.base_url, self.model)

    async def grow_window(self, *, used: int, share: float) -> None:
        await self.learned.windows.grow(self.base_url, self.model, used=used, share=share)


@dataclass(frozen=True)
class ThreadContextLog(ModelLog):
    """The log of a stored thread's context, and of what is learned of its model."""

    thread_id: str
    requests: Requests
    compactions: Compactions
    memory: MemoryDays

    async def keep_request(
        self,
        message_id: str,
        step: int,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        tokens: int,
        stages: Sequence[str],
    ) -> str | None:
        return await self.requests.keep(
            self.thread_id,
            message_id=message_id,
            step=step,
            model=self.model,
            messages=messages,
            tools=tools,
            estimated_tokens=tokens,
            stages=stages,
            origin=origin(self.base_url),
        )

    async def finish_request(
        self, request_id: str, usage: Usage | None, first_token_ms: float | None
    ) -> None:
        await self.requests.finish(request_id, usage=usage, first_token_ms=first_token_ms)

    async def keep_compaction(self, compaction: StoredCompaction) -> str | None:
        await self.compactions.add(self.thread_id, compaction)
        return compaction.id

    async def keep_memory(self, entry: str) -> str:
        return await self.memory.add(f"{entry}\n\n{time.strftime('%H:%M')}, chat {self.thread_id}")
