"""Which models edit before they read: from then on, their messages bring the open workflow along."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...context.rendering import workflow_of
from ...context.repeats import calls_of_turn
from ...messages import Part, UIMessage, last_user_index, tool_name, tool_parts
from ...store.database import Database
from ...store.learned_states import LearnedStates

_SHOWING = ("getWorkflowInfo", "applyWorkflow")
"""Tools whose results hold the lines of a workflow."""


def edits_unread(conversation: Sequence[UIMessage]) -> bool:
    """Whether the first call of the newest turn names what there is not, in a workflow that no result has shown."""
    first = next(iter(calls_of_turn(conversation)), None)
    if first is None or not _told(first, "unknownName"):
        return False
    newest = last_user_index(conversation)
    shown = (part for message in conversation[: newest + 1] for part in tool_parts(message))
    return not workflow_of(conversation[newest]) and not any(
        tool_name(part) in _SHOWING and _told(part, "ok") for part in shown
    )


def _told(part: Part, name: str) -> bool:
    output = part.get("output")
    return isinstance(output, dict) and output.get(name) is True


@dataclass(frozen=True)
class ReadingNote:
    """In words, and when it was learned, in seconds since the epoch."""

    words: str
    learned_at: float


class LearnedReading:
    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._states = LearnedStates(database, "endpoint_rules")
        self._clock = clock

    async def reads_first(self, base_url: str, model: str) -> bool:
        return await self._states.load(_key(base_url, model)) is None

    async def keep(self, base_url: str, model: str) -> None:
        """That it does not."""
        await self._states.save(_key(base_url, model), {"learned_at": self._clock()})

    async def forget(self, base_url: str, model: str) -> None:
        await self._states.forget(_key(base_url, model))

    async def note(self, base_url: str, model: str) -> ReadingNote | None:
        """None where the model reads first, as far as is known."""
        state = await self._states.load(_key(base_url, model))
        if state is None:
            return None
        learned_at = state.get("learned_at")
        return ReadingNote(
            "Learned from an edit of nodes that there are not: this model does not read first, "
            "so messages bring the open workflow along.",
            learned_at if isinstance(learned_at, float) else self._clock(),
        )


def _key(base_url: str, model: str) -> str:
    return f"reading {base_url} {model}"
