"""The search of a chat in the user's other chats, their runs and the memory, if the user allows it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import RequestError
from ...base.text.clip import clip_words
from ...store.chat_outputs import ChatOutputs
from ...store.run_history import FoundRun, RunHistory
from ...store.search import ThreadSearch
from ...store.threads import ThreadStore
from ...user.memory_days import MemoryDays, is_day

SEARCHES_ALL = (
    "The user lets searchHistory search their other chats and memory, too; "
    "a date such as 2026-01-31 reads that day's."
)
_PARTS = re.compile(r"^(?=## )", re.MULTILINE)
_MOST_HITS, _MOST_DAYS, _MOST_RUNS = 8, 4, 6
_LONGEST_TEXT = 300


@dataclass(frozen=True)
class CrossChatSearch:
    """Searches the other chats of a user, their runs and the memory."""

    threads: ThreadStore
    chats: ThreadSearch
    outputs: ChatOutputs
    memory: MemoryDays
    run_history: RunHistory

    async def search(self, thread_id: str, query: str) -> Sequence[dict[str, Any]] | None:
        """Return the hits; None if the user has not allowed this chat. That is read each time, so it can be revoked."""
        if not await self.threads.searches_all(thread_id):
            return None
        if is_day(query.strip()):
            return await self._day(query.strip())
        found: list[dict[str, Any]] = []
        for hit in await self.chats.search(query, without=thread_id, limit=_MOST_HITS):
            made = await self.outputs.find(hit.thread_id, hit.message_id)
            entry = {
                "chat": hit.thread_title or "",
                "date": time.strftime("%A, %d %B %Y, %H:%M", time.localtime(hit.created_at)),
                "who": hit.role,
                "excerpt": hit.excerpt,
                "workflow": made.workflow,
                "runs": [run.as_json() for run in made.runs],
            }
            found.append({name: value for name, value in entry.items() if value})
        runs = [_run_as_json(run) for run in await self.run_history.search(query, limit=_MOST_RUNS)]
        days = await self.memory.days(query)
        return [*runs, *found, *({"memory": day.name, "lines": list(day.lines)} for day in days[:_MOST_DAYS])]

    async def _day(self, day: str) -> list[dict[str, Any]]:
        """Return the memory of a day, chat by chat; empty if there is none."""
        try:
            text = (await self.memory.read(day)).text
        except RequestError:
            return []
        return [{"memory": day, "text": part.strip()} for part in _PARTS.split(text) if part.strip()]


def _run_as_json(run: FoundRun) -> dict[str, Any]:
    """Return a run that left files, with the names by which `getWorkflowInfo` and `viewImages` find them."""
    return {
        "run": run.id,
        "date": time.strftime("%A, %d %B %Y, %H:%M", time.localtime(run.at)),
        "texts": [clip_words(text, _LONGEST_TEXT) for text in run.facts["texts"][:2]],
        "seeds": run.facts["seeds"],
        "models": run.facts["models"],
        "files": [" ".join(file["filename"].split()) for file in run.facts["files"][:_MOST_RUNS]],
    }
