"""`searchHistory`: find something said or returned in this conversation, or in all chats where the person lets it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from ..context.find import find_in_conversation
from .tool import ServerTool, ToolResult, ToolServices, ToolSuccess, failure, success

_OF_OTHERS = "the user's other chats"
_FEWER = "Try fewer or other words."
_LEAVE = 'Only this chat was searched; with "/memory" the user lets you search their other chats and memory.'


class Input(BaseModel):
    query: str


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    conversation = services.thread.conversation()
    matches = await asyncio.to_thread(find_in_conversation, conversation, arguments.query)
    hits = [{"ref": hit.ref, "what": hit.kind, "excerpt": hit.excerpt} for hit in matches]
    elsewhere = await services.thread.elsewhere(arguments.query)
    if not hits and not elsewhere:
        where = "this conversation" if elsewhere is None else "any chat or the memory"
        return failure(
            f'Nothing in {where} has the words "{arguments.query[:80]}".',
            f"{_FEWER} {_LEAVE}" if elsewhere is None else _FEWER,
        )
    here = f"{_places(len(hits))}: {', '.join(hit['ref'] for hit in hits)}"
    if not elsewhere:
        return success(f"{here}.", {"hits": hits})
    fitting = _fitting(elsewhere, services, hits)
    summary = f"{_places(len(elsewhere))} in other chats and the memory"
    data: dict[str, Any] = {"hits": hits, "elsewhere": fitting}
    if left_out := len(elsewhere) - len(fitting):
        data["leftOut"] = f"{_places(left_out)} elsewhere; search with more words."
    return ToolSuccess(
        ok=True, summary=f"{here}; {summary}." if hits else f"{summary}.", data=data, outside=[_OF_OTHERS]
    )


def _places(count: int) -> str:
    return "1 place" if count == 1 else f"{count} places"


def _fitting(
    elsewhere: Sequence[dict[str, Any]], services: ToolServices, hits: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """As many whole entries as there is room for, and one at the least."""
    count = len(elsewhere)
    while count > 1 and not services.room.holds([*hits, *elsewhere[:count]]):
        count -= 1
    return list(elsewhere[:count])


search_history = ServerTool(
    name="searchHistory",
    description="Search this whole conversation, condensed parts included; returns handles. u1 is the first message.",
    input=Input,
    run=run,
    label="Search this chat {query}",
)
