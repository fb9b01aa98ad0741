"""Text and JSON in a form that every database takes, and read back as far as they can be."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ..messages import dump
from ..portable_json import portable_json
from ..whole_text import has_lone_surrogate


def stored_json(value: Any) -> str:
    """JSON for `portable_json`. Halves of characters, which no database takes, are written as escapes."""
    text = dump(value)
    return json.dumps(value, separators=(",", ":")) if has_lone_surrogate(text) else text


def read_json(text: str | None, otherwise: Any) -> Any:
    """The value of a JSON text; `otherwise` where there is none or it is damaged."""
    try:
        return otherwise if text is None else portable_json(text)
    except (ValueError, RecursionError):
        return otherwise


def pack(json_text: str) -> bytes:
    return zlib.compress(json_text.encode())


def unpack(data: bytes | None) -> str | None:
    """The JSON text that was packed; None where there is none or it is damaged, which its checksum tells."""
    try:
        return None if data is None else zlib.decompress(data).decode()
    except (zlib.error, TypeError, ValueError):
        return None


def stored_text(text: str) -> str:
    """The text without what a database refuses: halves of characters, and NUL, which PostgreSQL has no place for."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
