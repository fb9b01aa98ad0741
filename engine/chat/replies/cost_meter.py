"""The cost of each request to a model, stored whoever sends it and however it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...base.errors import AssistantError
from ...base.events import ReasoningDelta, ReplyEvent, ReplyFinished, TextDelta, ToolCallDelta, Usage
from ...base.messages import Message, dump
from ...context.images import image_tokens
from ...context.tokens import CountText
from ...llm.endpoint import Endpoint
from ...llm.known.model_facts import price_of
from ...llm.replies.reply_filter import ReplyFilter
from ...store.costs import CostKind, Costs
from .filtered_model import ModelRequest

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Bill:
    """The account of a request: one answer of a thread, or work that belongs to that answer."""

    costs: Costs
    count: CountText
    thread_id: str | None
    message_id: str
    kind: CostKind = "answer"


class CostMeter(ReplyFilter):
    """Stores the cost of a request. A request without any reply costs nothing."""

    def __init__(self, bill: Bill, request: ModelRequest) -> None:
        self._bill = bill
        self._request = request
        self._texts: list[str] = []
        self._usage: Usage | None = None
        self._has_begun = False

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        if isinstance(event, (TextDelta, ReasoningDelta, ToolCallDelta)):
            self._texts.append(event.text)
            self._has_begun = True
        elif isinstance(event, ReplyFinished):
            self._usage = event.usage
            self._has_begun = self._has_begun or event.usage is not None or event.reason is not None
        return (event,)

    async def after(self) -> None:
        if self._has_begun:
            await asyncio.shield(self._write())

    async def _write(self) -> None:
        bill, endpoint = self._bill, self._request.endpoint
        usage = self._usage or await asyncio.to_thread(self._count)
        try:
            await bill.costs.add(
                thread_id=bill.thread_id,
                message_id=bill.message_id,
                kind=bill.kind,
                model=endpoint.model,
                usage=usage,
                is_counted=self._usage is None,
                dollars=_dollars(endpoint, usage),
            )
        except AssistantError as error:
            logger.warning("what a request cost could not be written down: %s", error)

    def _count(self) -> Usage:
        """Return our own count, for a provider that reported none or a reply that was cut off."""
        count, request = self._bill.count, self._request
        sent = sum(_tokens_of(message, count) for message in request.messages)
        tools = count(dump(request.tools)) if request.tools else 0
        return Usage(sent + tools, count("".join(self._texts)))


def _tokens_of(message: Message, count: CountText) -> int:
    content = message.get("content")
    parts: list[Any] = content if isinstance(content, list) else []
    urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
    texts = [part for part in parts if part.get("type") != "image_url"]
    plain = {**message, "content": texts} if parts else message
    return count(dump(plain)) + sum(map(image_tokens, urls))


def _dollars(endpoint: Endpoint, usage: Usage) -> float | None:
    """Return what the provider reports that it charged, else the cost by the model's price."""
    if usage.dollars is not None:
        return usage.dollars
    price = price_of(endpoint)
    return None if price is None else price.of(usage)
