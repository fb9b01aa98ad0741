"""Older tool results, folded to one line each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ..messages import Message, dump


def fold_old_tool_rounds(messages: Sequence[Message], *, keep_last: int) -> list[Message]:
    """Fold the tool results of all but the newest `keep_last` rounds.

    A round is an assistant message with tool calls and the results that answer it. Results are shortened, never
    dropped: providers reject a call whose result is missing.
    """
    rounds = list(accumulate(bool(message.get("tool_calls")) for message in messages))
    newest_folded = max(rounds, default=0) - keep_last
    return [
        _folded(message) if message["role"] == "tool" and number <= newest_folded else message
        for number, message in zip(rounds, messages, strict=True)
    ]


def count_rounds(messages: Sequence[Message]) -> int:
    return sum(bool(message.get("tool_calls")) for message in messages)


def _folded(message: Message) -> Message:
    content = message["content"] if isinstance(message["content"], str) else dump(message["content"])
    digest = dump(_digest(content))
    return {**message, "content": digest} if len(digest) < len(content) else message


def _digest(content: str) -> dict[str, Any]:
    """What remains of a result: its own `summary`, or its error, or its first characters."""
    try:
        result, _ = json.JSONDecoder().raw_decode(content)
    except (ValueError, RecursionError):
        result = None
    if isinstance(result, dict) and result.get("ok") is False:
        return {"ok": False, "error": str(result.get("error", ""))[:300], "folded": True}
    if isinstance(result, dict) and isinstance(result.get("summary"), str):
        return {"ok": True, "summary": result["summary"], "folded": True}
    return {"summary": content[:120], "folded": True}
