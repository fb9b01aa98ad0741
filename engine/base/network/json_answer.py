"""JSON replies of other servers, read with limits on size and depth."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiohttp import ClientResponse

_LONG = 50_000
"""The size in bytes from which parsing would block the event loop: lists of models and packages have megabytes."""


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
