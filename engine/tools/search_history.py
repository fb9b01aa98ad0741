"""`searchHistory`: a search of this conversation, or of all chats where the user allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from ..base.text.amounts import pluralize
from ..base.text.clip import quoted_name
from ..context.find import find_in_conversation
from ..context.results import ResultBudget
from .tool import ServerTool, ToolResult, ToolServices, ToolSuccess, failure, success

_OF_OTHERS = "the user's other chats"
_FEWER = "Try fewer or other words."
_LEAVE = "Only this chat was searched; openOtherChats asks the user to let you search their other chats and memory."


class Input(BaseModel):
    query: str


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    conversation = services.thread.conversation()
    matches = await asyncio.to_thread(find_in_conversation, conversation, arguments.query)
    hits = [{"ref": hit.ref, "what": hit.kind, "excerpt": hit.excerpt} for hit in matches.hits]
    in_files = await services.thread.places_in_files(arguments.query)
    other_chats = await services.thread.cross_chat_search(arguments.query)
    if not hits and not in_files and not other_chats:
        where = "this conversation" if other_chats is None else "any chat or the memory"
        return failure(
            f'Nothing in {where} has the words "{arguments.query[:80]}".',
            f"{_FEWER} {_LEAVE}" if other_chats is None else _FEWER,
        )
    found = _Found(services.room)
    if other_chats is None:
        found.data["others"] = _LEAVE
    found.add_best("files", in_files, "in project files")
    found.add("hits", hits, matches.total, "here" if in_files or other_chats else "")
    found.add_best("elsewhere", other_chats or (), "in other chats and the memory")
    untrusted = [*dict.fromkeys(f"the project file {quoted_name(each['title'])}" for each in in_files)]
    if other_chats:
        untrusted.append(_OF_OTHERS)
    summary = f"{'; '.join(found.summaries)}."
    if not untrusted:
        return success(summary, found.data)
    return ToolSuccess(ok=True, summary=summary, data=found.data, outside=untrusted)


class _Found:
    """The data of a search result: whole entries, as many as there is room for, at least one of each list."""

    def __init__(self, room: ResultBudget) -> None:
        self._room = room
        self.data: dict[str, Any] = {}
        self.summaries: list[str] = []

    def add(self, name: str, entries: Sequence[dict[str, Any]], of: int, where: str) -> None:
        """Add the first of `of` matches, which have handles."""
        if not entries:
            return
        shown = self._add_those_that_fit(name, entries)
        refs = ", ".join(entry["ref"] for entry in shown)
        self.summaries.append(
            f"{pluralize(of, 'place')}{where and f' {where}'}: {refs}{', …' if of > len(shown) else ''}"
        )
        self._leave_out(of - len(shown), where or "here")

    def add_best(self, name: str, entries: Sequence[dict[str, Any]], where: str) -> None:
        """Add the best matches of a search that does not count all."""
        if not entries:
            return
        shown = self._add_those_that_fit(name, entries)
        best = "the best place" if len(shown) == 1 else f"the {len(shown)} best places"
        self.summaries.append(f"{best} {where}")
        self._leave_out(len(entries) - len(shown), where)

    def _add_those_that_fit(self, name: str, entries: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        count = len(entries)
        while count > 1 and not self._room.holds({**self.data, name: entries[:count]}):
            count -= 1
        self.data[name] = list(entries[:count])
        return entries[:count]

    def _leave_out(self, count: int, where: str) -> None:
        if not count:
            return
        told = f"{pluralize(count, 'place')} {where}; search with more words."
        self.data["leftOut"] = f"{self.data['leftOut']} {told}" if "leftOut" in self.data else told


search_history = ServerTool(
    name="searchHistory",
    description="Search this conversation, condensed parts too; u1 is the first message.",
    input=Input,
    run=run,
    label="Search this chat {query}",
)
