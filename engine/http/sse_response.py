"""Sends a stream of events to a browser until it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

from ..stream import sse
from .guard import SECURITY_HEADERS, is_disconnected

if TYPE_CHECKING:
    from aiohttp import web

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 0.25
_PING_SECONDS = 5.0


async def send_stream(
    request: web.Request, events: AsyncGenerator[bytes, None], *, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Write server-sent events as they come, with a comment every 5 s while there are none, and `[DONE]` at the end.

    aiohttp does not cancel a handler whose client has gone, and a silent model would keep it waiting forever. So the
    connection is checked four times a second, and the generator is closed once nobody listens. An error ends the
    stream and is logged: once a response has begun, no other one can be sent.
    """
    from aiohttp import web

    response = web.StreamResponse(headers={**sse.HEADERS, **SECURITY_HEADERS, **(headers or {})})
    try:
        await response.prepare(request)
    except ConnectionError:
        # The client left before the response began; aiohttp would log a raised error as our fault.
        await events.aclose()
        return response
    pump = asyncio.create_task(_pump(response, events))
    last_ping = time.monotonic()
    try:
        while not pump.done():
            await asyncio.wait({pump}, timeout=_LOOK_SECONDS)
            if is_disconnected(request):
                break
            if not pump.done() and time.monotonic() - last_ping >= _PING_SECONDS:
                last_ping = time.monotonic()
                with contextlib.suppress(ConnectionError):
                    await response.write(sse.PING)
    finally:
        if not pump.done():
            pump.cancel()
        try:
            await pump
        except (asyncio.CancelledError, ConnectionError):
            pass
        except Exception as error:
            logger.error("%s: the stream broke off (%s: %s)", request.path, type(error).__name__, error)
    return response


async def _pump(response: web.StreamResponse, events: AsyncGenerator[bytes, None]) -> None:
    async with contextlib.aclosing(events):
        async for event in events:
            await response.write(event)
    await response.write(sse.DONE)
