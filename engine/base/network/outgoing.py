"""Every connection that leaves this process: to the address that was asked for, and without cookies.

Only tiktoken downloads its vocabularies by itself. `tests/test_architecture.py` checks that nothing else opens a
connection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from ..secret import Secret

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver
    from openai import AsyncOpenAI
    from yarl import URL

_LONG = 50_000
"""The size in bytes from which parsing would block the event loop: lists of models and packages have megabytes."""


class Outgoing:
    """An HTTP session whose requests follow no redirect: the caller checks the new address and asks again."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    def request(
        self, method: str, url: str | URL, **options: Any
    ) -> AbstractAsyncContextManager[ClientResponse]:
        """Send a request with aiohttp's `options` and yield its response."""
        return self._session.request(method, url, allow_redirects=False, **options)


@asynccontextmanager
async def outgoing(*, resolver: AbstractResolver | None = None, **options: Any) -> AsyncIterator[Outgoing]:
    """Open a session with aiohttp's `options`. `resolver` is asked anew for each connection."""
    import aiohttp

    connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False) if resolver else None
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), **options
    ) as session:
        yield Outgoing(session)


def outgoing_to_model(
    base_url: str, api_key: Secret, *, on_response: Callable[[Any], Awaitable[None]]
) -> AsyncOpenAI:
    """Return a client of the `openai` package. `on_response` gets each response before its body is read.

    Blocks, so it must not run on the event loop: it imports everything that a request needs.
    """
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

    _load_what_waits()
    timeout = Timeout(connect=10.0, read=None, write=60.0, pool=60.0)
    return AsyncOpenAI(
        base_url=base_url,
        # The package insists on a key; local servers ignore it.
        api_key=api_key.reveal() or "none",
        max_retries=0,
        timeout=timeout,
        default_headers={"Accept-Encoding": "identity"},
        http_client=DefaultAsyncHttpxClient(
            base_url=base_url,
            timeout=timeout,
            follow_redirects=False,
            event_hooks={"response": [on_response]},
        ),
    )


def _load_what_waits() -> None:
    """Preload anyio, which would otherwise import most of itself at its first wait, within a request."""
    import anyio

    async def use() -> None:
        async with anyio.Lock():
            anyio.Event().set()

    anyio.run(use)


class UnreadableAnswer(Exception):
    """A reply that is too long, no JSON, or too deeply nested; the message says which."""


async def read_json_answer(response: ClientResponse, *, most_bytes: int) -> Any:
    """Read the whole reply and parse it. `most_bytes` limits the decompressed size.

    Raises:
        UnreadableAnswer: the reply is too long, no JSON, or too deeply nested.
        aiohttp.ClientError, OSError: the connection broke.
    """
    body = bytearray()
    async for piece in response.content.iter_any():
        body += piece
        if len(body) > most_bytes:
            raise UnreadableAnswer(f"it is longer than {most_bytes:,} bytes")
    try:
        return await asyncio.to_thread(json.loads, body) if len(body) > _LONG else json.loads(body)
    except ValueError as error:
        raise UnreadableAnswer("it is no JSON") from error
    except RecursionError as error:
        raise UnreadableAnswer("it is nested too deeply") from error
