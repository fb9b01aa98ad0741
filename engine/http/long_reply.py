"""Replies of up to several megabytes, encoded beside the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .guard import json_response

if TYPE_CHECKING:
    from aiohttp import web

_DEPTH = 4
"""The depth of separate encoding, down to the parts of a thread's messages."""


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
