"""`searchHistory`: find something said or returned earlier in this conversation."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ..context.find import find_in_conversation
from .tool import ServerTool, ToolResult, ToolServices, failure, success


class Input(BaseModel):
    query: str = Field(description="Words to look for.")


async def run(given: Input, services: ToolServices) -> ToolResult:
    found = find_in_conversation(services.thread.conversation(), given.query)
    if not found:
        return failure(
            f'Nothing in this conversation has the words "{given.query[:80]}".', "Try fewer or other words."
        )
    hits = [{"ref": hit.ref, "what": hit.kind, "excerpt": hit.excerpt} for hit in found]
    return success(f"{len(hits)} places: {', '.join(hit.ref for hit in found)}.", {"hits": hits})


search_history = ServerTool(
    name="searchHistory",
    description="Search this whole conversation, condensed parts included; returns handles.",
    input=Input,
    run=run,
    label="Search history",
)
