"""What another server answered as JSON, read with limits."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiohttp import ClientResponse

_LONG = 50_000
"""Bytes whose parsing would hold up the event loop: lists of models and of packages have megabytes."""


class UnreadableAnswer(Exception):
    """It is longer than it may be, no JSON, or nested too deeply to be read; the message says which."""


async def read_json_answer(response: ClientResponse, *, most_bytes: int) -> Any:
    """The whole answer, in however many pieces it comes. `most_bytes` counts what was unpacked.

    Raises:
        UnreadableAnswer
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
