"""A client of the chat: what it said, and what it had been answered when."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp


@dataclass
class Exchange:
    """One message and its answer as far as it came, each piece with the time of its arrival."""

    message_id: str
    is_acknowledged: bool = False
    has_ended: bool = False
    pieces: list[tuple[float, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(piece for _, piece in self.pieces)


@dataclass
class Chat:
    url: str
    thread: str
    exchanges: list[Exchange] = field(default_factory=list)

    async def say(self, session: aiohttp.ClientSession, text: str) -> Exchange:
        exchange = Exchange(f"u{len(self.exchanges)}")
        self.exchanges.append(exchange)
        message = {"id": exchange.message_id, "role": "user", "parts": [{"type": "text", "text": text}]}
        body = {"id": self.thread, "messages": [message]}
        async with session.post(f"{self.url}/api/chat", json=body) as response:
            exchange.is_acknowledged = response.status == 200
            async for chunk in chunks(response):
                if chunk["type"] == "text-delta":
                    exchange.pieces.append((time.monotonic(), chunk["delta"]))
                elif chunk["type"] == "finish":
                    exchange.has_ended = True
        return exchange


async def chunks(response: aiohttp.ClientResponse) -> AsyncIterator[Any]:
    rest = b""
    async for piece in response.content.iter_any():
        *frames, rest = (rest + piece).split(b"\n\n")
        for frame in frames:
            if frame.startswith(b"data: {"):
                yield json.loads(frame[6:])


async def new_chat(session: aiohttp.ClientSession, url: str) -> Chat:
    async with session.post(f"{url}/api/assistant/threads", json={}) as response:
        return Chat(url, (await response.json())["id"])


def message_text(message: Any) -> str:
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")
