"""Replies in JSON, those of up to several megabytes encoded beside the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiohttp import web

_DEPTH = 4
"""The depth of separate encoding, down to the parts of a thread's messages."""


def reply(data: Any, *, status: int = 200) -> web.Response:
    """Return `data` as JSON. Lone surrogates, which UTF-8 cannot represent, become question marks."""
    return json_response(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), status=status)


def json_response(body: bytes, *, status: int = 200) -> web.Response:
    """Return a JSON text as a response that is not cached."""
    from aiohttp import web

    return web.Response(
        body=body,
        status=status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


async def long_reply(data: Mapping[str, Any]) -> web.Response:
    """Return the same as `reply`, encoded in small pieces, since a call of the encoder blocks all threads."""
    return json_response(await asyncio.to_thread(_encode, data, _DEPTH))


def _encode(value: Any, depth: int) -> bytes:
    if depth and isinstance(value, Mapping) and any(map(_is_container, value.values())):
        members = (_dump(str(name)) + b": " + _encode(each, depth - 1) for name, each in value.items())
        return b"{" + b", ".join(members) + b"}"
    if depth and _is_container(value) and not isinstance(value, Mapping):
        return b"[" + b", ".join(_encode(each, depth - 1) for each in value) + b"]"
    return _dump(value)


def _is_container(value: Any) -> bool:
    return isinstance(value, (Mapping, Sequence)) and not isinstance(value, str)


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
