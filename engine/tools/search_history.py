"""`searchHistory`: find something said or returned earlier in this conversation."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel

from ..context.find import find_in_conversation
from .tool import ServerTool, ToolResult, ToolServices, failure, success


class Input(BaseModel):
    query: str


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    conversation = services.thread.conversation()
    matches = await asyncio.to_thread(find_in_conversation, conversation, arguments.query)
    if not matches:
        return failure(
            f'Nothing in this conversation has the words "{arguments.query[:80]}".',
            "Try fewer or other words.",
        )
    hits = [{"ref": hit.ref, "what": hit.kind, "excerpt": hit.excerpt} for hit in matches]
    places = "1 place" if len(hits) == 1 else f"{len(hits)} places"
    return success(f"{places}: {', '.join(hit.ref for hit in matches)}.", {"hits": hits})


search_history = ServerTool(
    name="searchHistory",
    description="Search this whole conversation, condensed parts included; returns handles. u1 is the first message.",
    input=Input,
    run=run,
    label="Search this chat {query}",
)
