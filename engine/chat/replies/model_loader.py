"""A model that is loaded before it is asked, where a run had it let go; said where it may not fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...base.events import ReplyEvent
from ...llm.endpoint import Endpoint
from .reply_filter import ReplyFilter
from .vram_manager import VramManager


@dataclass
class ModelLoader(ReplyFilter):
    room: VramManager
    endpoint: Endpoint

    async def before(self) -> Iterable[ReplyEvent]:
        crowded = await self.room.crowded(self.endpoint)
        await self.room.loaded(self.endpoint)
        return () if crowded is None else (crowded,)

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        self.room.replied(self.endpoint)
        return (event,)
