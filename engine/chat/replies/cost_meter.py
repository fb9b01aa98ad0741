"""A model whose requests are written down with what they came to, whoever makes them and however they end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...context.images import image_tokens
from ...context.tokens import CountText
from ...errors import AssistantError
from ...events import ReasoningDelta, ReplyEvent, ReplyFinished, TextDelta, ToolCallDelta, Usage
from ...llm.endpoint import Endpoint
from ...llm.known.price import price_of
from ...messages import Message, dump
from ...store.costs import CostKind, Costs
from ..resources.model import Model

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BilledModel:
    """What it is asked is charged to one answer of a thread. A request of which nothing came is not billed."""

    model: Model
    costs: Costs
    count: CountText
    thread_id: str | None
    message_id: str
    kind: CostKind = "answer"

    async def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]:
        reply = _Reply()
        try:
            async with contextlib.aclosing(self.model.stream(endpoint, messages, tools)) as events:
                async for event in events:
                    reply.note(event)
                    yield event
        finally:
            if reply.has_begun:
                await asyncio.shield(self._write(endpoint, messages, tools, reply))

    async def _write(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        reply: _Reply,
    ) -> None:
        usage = reply.usage or await asyncio.to_thread(self._counted, messages, tools, reply.texts)
        try:
            await self.costs.add(
                thread_id=self.thread_id,
                message_id=self.message_id,
                kind=self.kind,
                model=endpoint.model,
                usage=usage,
                is_counted=reply.usage is None,
                dollars=_dollars(endpoint, usage),
            )
        except AssistantError as error:
            logger.warning("what a request cost could not be written down: %s", error)

    def _counted(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]], texts: Sequence[str]
    ) -> Usage:
        """By our own count, where the provider told none or its reply was cut off."""
        sent = sum(self._tokens_of(message) for message in messages) + (
            self.count(dump(tools)) if tools else 0
        )
        return Usage(sent, self.count("".join(texts)))

    def _tokens_of(self, message: Message) -> int:
        content = message.get("content")
        parts: list[Any] = content if isinstance(content, list) else []
        urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
        texts = [part for part in parts if part.get("type") != "image_url"]
        plain = {**message, "content": texts} if parts else message
        return self.count(dump(plain)) + sum(map(image_tokens, urls))


def _dollars(endpoint: Endpoint, usage: Usage) -> float | None:
    """What the provider says that it charged, else by the model's price."""
    if usage.dollars is not None:
        return usage.dollars
    price = price_of(endpoint)
    return None if price is None else price.of(usage)


@dataclass
class _Reply:
    has_begun: bool = False
    usage: Usage | None = None
    texts: list[str] = field(default_factory=list)

    def note(self, event: ReplyEvent) -> None:
        if isinstance(event, (TextDelta, ReasoningDelta, ToolCallDelta)):
            self.texts.append(event.text)
            self.has_begun = True
        elif isinstance(event, ReplyFinished):
            self.usage = event.usage
            self.has_begun = self.has_begun or event.usage is not None or event.reason is not None
