"""JSON bodies, read within limits before they are parsed, and the routes that read them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.errors import RequestError
from ..base.event_loop.timeout import timeout
from ..base.request_body import Body
from ..base.text.portable_text import portable, strict_json
from .guard import Route

if TYPE_CHECKING:
    from aiohttp import web

AnyBody = TypeVar("AnyBody", bound=Body)

MAX_BYTES = 8 * 1024 * 1024
"""The size of a body, in bytes."""
MAX_SECONDS = 60
"""The time for a body to arrive, in seconds."""
_ESCAPED_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
MAX_STRUCTURE = 100_000
"""The brackets, braces and commas of a body, which determine the time of parsing on ComfyUI's event loop."""


def body_route(
    method: str,
    path: str,
    body: type[AnyBody],
    handler: Callable[[web.Request, AnyBody], Awaitable[web.StreamResponse]],
    *,
    max_bytes: int = MAX_BYTES,
) -> Route:
    """Return a route whose handler gets the body of each request, read and checked."""

    async def read_and_handle(request: web.Request) -> web.StreamResponse:
        return await handler(request, body.read(await read_json(request, max_bytes=max_bytes)))

    return Route(method, path, read_and_handle, body)


async def read_json(
    request: web.Request, *, max_bytes: int = MAX_BYTES, max_seconds: float = MAX_SECONDS
) -> dict[str, Any]:
    """Return the body as an object; an empty body is an empty object.

    Raises:
        RequestError: `too_large` (413), `body_too_slow` (408), `invalid_request` (400).
    """
    return parse_json(await read_body(request, max_bytes=max_bytes, max_seconds=max_seconds))


async def read_body(request: web.Request, *, max_bytes: int, max_seconds: float = MAX_SECONDS) -> bytes:
    """Return the bytes of the body.

    Raises:
        RequestError: `too_large` (413), `body_too_slow` (408), `invalid_request` (400) for a broken encoding.
    """
    if request.content_length is not None and request.content_length > max_bytes:
        raise _too_large(request.content_length, max_bytes)
    try:
        return await timeout(max_seconds, _read(request, max_bytes))
    except (asyncio.TimeoutError, TimeoutError):
        raise RequestError(
            "body_too_slow",
            f"The request was not here whole after {max_seconds:g} seconds.",
            hint="Send it again; look at the connection where it goes on.",
            status=408,
        ) from None


async def _read(request: web.Request, max_bytes: int) -> bytes:
    from aiohttp.web import RequestPayloadError

    data = bytearray()
    try:
        async for piece in request.content.iter_chunked(65_536):
            data += piece
            if len(data) > max_bytes:
                raise _too_large(len(data), max_bytes)
    except RequestPayloadError:
        raise _invalid("is not what its Content-Encoding says") from None
    return bytes(data)


def parse_json(body: bytes) -> dict[str, Any]:
    """Parse a body strictly: UTF-8, an object, finite numbers, not too deep or too wide.

    Lone surrogates, often the rest of a cut emoji, are replaced, since no provider and no database accepts them.

    Raises:
        RequestError: `invalid_request` (400).
    """
    if not body.strip():
        return {}
    if sum(body.count(mark) for mark in (b"[", b"{", b",")) > MAX_STRUCTURE:
        raise _invalid("holds too many values")
    try:
        value = strict_json(body.decode("utf-8"))
        if _ESCAPED_HALF.search(body):
            value = portable(value)
    except UnicodeDecodeError:
        raise _invalid("is not UTF-8 text") from None
    except RecursionError:
        raise _invalid("is nested too deeply") from None
    except ValueError as error:
        raise _invalid(f"is not valid JSON: {str(error)[:120]}") from None
    if not isinstance(value, dict):
        raise _invalid(f"is a JSON {type(value).__name__}")
    return value


def _invalid(what: str) -> RequestError:
    return RequestError(
        "invalid_request",
        f"The request body {what}; expected a JSON object.",
        hint="Correct the body and send again.",
    )


def _too_large(size: int, limit: int) -> RequestError:
    return RequestError(
        "too_large",
        f"The request has {size / 1_048_576:.1f} MB; at most {limit // 1_048_576} MB are read.",
        hint="Send less text at once, or attach a smaller file.",
        status=413,
    )
