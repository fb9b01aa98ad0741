"""Chunks as server-sent events."""

from __future__ import annotations

import json

from .chunks import Chunk

HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
    "Connection": "keep-alive",
    "X-Accel-Buffering": "no",
    "x-vercel-ai-ui-message-stream": "v1",
}
PING = b": ping\n\n"
DONE = b"data: [DONE]\n\n"


def encode(chunk: Chunk) -> bytes:
    """Return the bytes of a chunk. A lone surrogate, which UTF-8 cannot hold, becomes a question mark."""
    text = json.dumps(chunk, ensure_ascii=False, separators=(",", ":"))
    return f"data: {text}\n\n".encode("utf-8", "replace")
