"""Where the context of a thread is written down, and what was learned of the model that it is sent to."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...base.events import Usage
from ...base.messages import Message, dump
from ...context.compaction import Compaction
from ...context.tokens import Calibration
from ...llm.learned import Learned
from ...store.compactions import Cause, Compactions, StoredCompaction
from ...store.requests import Requests
from ...store.saved_providers import origin
from ...user.memory_days import MemoryDays


class ContextLog:
    """What a turn's context is written down in. This one keeps and learns nothing."""

    async def keep_request(
        self,
        message_id: str,
        step: int,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        tokens: int,
        stages: Sequence[str],
    ) -> str | None: ...

    async def finish_request(
        self, request_id: str, usage: Usage | None, first_token_ms: float | None
    ) -> None: ...

    async def keep_compaction(self, compaction: StoredCompaction) -> str | None:
        """The id by which it can be read again, if it can."""

    async def keep_memory(self, entry: str) -> str:
        """What stays of what was condensed, for the person's memory; what went wrong, or ""."""
        del entry
        return ""

    async def keep_calibration(self, calibration: Calibration) -> None: ...

    async def learn_window(self, window: int, *, refused: int | None = None) -> None:
        """`refused` is the size of a request that was too long, where nobody named the window."""

    async def earlier_window(self) -> int | None:
        """What was learned of the window before, whether it holds or not."""

    async def grow_window(self, *, used: int, share: float) -> None: ...


@dataclass(frozen=True)
class ModelLog(ContextLog):
    """What is learned of a model. On its own it serves a client that keeps the conversation itself."""

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
    """The context log of a stored thread, beside what is learned of its model."""

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


def new_compaction(
    state: Compaction, cause: Cause, tokens_before: int, tokens_after: int
) -> StoredCompaction:
    """What was condensed, as it is written down."""
    return StoredCompaction(
        id=f"compaction_{secrets.token_hex(8)}",
        created_at=time.time(),
        cause=cause,
        state=dump(state.as_json()),
        text=state.text,
        turns=state.turns,
        rounds=state.rounds,
        tokens_before=tokens_before,
        tokens_after=tokens_after,
    )
