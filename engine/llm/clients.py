"""The open clients of the `openai` package, each with its connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..base.network.outgoing import outgoing_to_model
from ..base.secret import Secret
from .endpoint import Endpoint
from .replies.reply_limits import limit_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_MOST_OPEN = 4


class Clients:
    """A pool of clients by address and key. Those in use stay open, and the four that were used last."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, Secret], _Client] = {}

    def __len__(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def use(self, endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
        key = (endpoint.base_url, endpoint.api_key)
        client = self._open.pop(key, None)
        if client is None or client.has_failed:
            client = _Client(endpoint)
        self._open[key] = client
        client.users += 1
        try:
            yield await client.ready()
        finally:
            client.users -= 1
            await self._close_idle(keep=_MOST_OPEN)

    async def close(self) -> None:
        """Close all clients, also those in use."""
        for client in self._open.values():
            client.users = 0
        await self._close_idle(keep=0)

    async def _close_idle(self, *, keep: int) -> None:
        idle = [key for key, client in self._open.items() if not client.users]
        surplus = [self._open.pop(key) for key in idle[: max(0, len(self._open) - keep)]]
        for client in surplus:
            await client.close()


class _Client:
    def __init__(self, endpoint: Endpoint) -> None:
        self.users = 0
        # Importing the package and loading the certificates take tens of milliseconds each.
        self._client = asyncio.create_task(
            asyncio.to_thread(outgoing_to_model, endpoint.base_url, endpoint.api_key, on_response=limit_body)
        )

    async def ready(self) -> AsyncOpenAI:
        """Wait for the client, which all waiters share; a waiter that is cancelled does not cancel it."""
        return await asyncio.shield(self._client)

    @property
    def has_failed(self) -> bool:
        return self._client.done() and (self._client.cancelled() or self._client.exception() is not None)

    async def close(self) -> None:
        await asyncio.wait([self._client])
        if not self.has_failed:
            await self._client.result().close()
