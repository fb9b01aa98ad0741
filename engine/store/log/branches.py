"""The branches of a thread, read from its log.

The log keeps everything: an edit or another answer appends `rewind`, which begins a branch. The previous branch stays
as it was, and `switch` goes back to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ...base.text.clip import clip
from .event_log import Damage, EventRow, LogEvent

FIRST_BRANCH = "0"
_PREVIEW_LENGTH = 80


@dataclass(frozen=True)
class Branch:
    """A branch. `fork_message_id` is the last message that it shares with its parent, "" if it shares none.

    `first_message_id` is its first own message, "" before it has any. `created_at` is in seconds since the epoch.
    """

    id: str
    parent_id: str | None
    fork_message_id: str
    first_message_id: str
    created_at: float
    is_current: bool
    preview: str

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "parentId": self.parent_id,
            "forkMessageId": self.fork_message_id,
            "firstMessageId": self.first_message_id,
            "createdAt": self.created_at,
            "isCurrent": self.is_current,
            "preview": self.preview,
        }


@dataclass
class _Line:
    """The events of one branch, and the number of events that it shares with its parent."""

    parent: str | None
    shared: int
    fork_message_id: str
    created_at: float
    own: list[EventRow] = field(default_factory=list)


class BranchTree:
    """The branches of a log. A branch is named by the `seq` of the event that began it, the first one "0"."""

    def __init__(self, log: Iterable[EventRow], *, created_at: float = 0.0) -> None:
        self.current = FIRST_BRANCH
        self._lines = {FIRST_BRANCH: _Line(None, 0, "", created_at)}
        self._damage: list[Damage] = []
        for event in log:
            self._add(event)

    def __contains__(self, branch_id: str) -> bool:
        return branch_id in self._lines

    def read(self) -> tuple[list[LogEvent], list[Damage]]:
        """Return the events of the current branch from the thread's first on, and what could not be read of them."""
        events: list[LogEvent] = []
        damage = list(self._damage)
        for event_row in self.current_events():
            event, problem = event_row.read()
            if problem:
                damage.append((event_row.seq, problem))
            if event is not None:
                events.append(event)
        return events, sorted(damage)

    def current_events(self) -> Iterator[EventRow]:
        """Return the events of the current branch in order."""
        return self._events(self.current)

    def branches(self) -> list[Branch]:
        """Return all branches, oldest first."""
        return [self._branch(branch_id, line) for branch_id, line in self._lines.items()]

    def _add(self, event: EventRow) -> None:
        if event.kind == "rewind":
            parent = self._lines[self.current]
            shared_count = parent.shared + len(parent.own)
            self._lines[str(event.seq)] = _Line(
                self.current, shared_count, event.message_id, event.created_at
            )
            self.current = str(event.seq)
        if event.kind != "switch":
            self._lines[self.current].own.append(event)
            return
        switch, problem = event.read()
        branch_id = switch.payload["branch"] if switch else ""
        if branch_id in self._lines:
            self.current = branch_id
        else:
            self._damage.append((event.seq, problem or f'there is no branch "{branch_id}" to go on with'))

    def _events(self, branch_id: str) -> Iterator[EventRow]:
        """Return the events of a branch, beginning with those that it shares with its ancestors."""
        line, count = self._lines[branch_id], None
        pieces: list[list[EventRow]] = []
        while True:
            pieces.append(line.own if count is None else line.own[: max(0, count - line.shared)])
            if line.parent is None:
                return chain.from_iterable(reversed(pieces))
            count = line.shared if count is None else min(count, line.shared)
            line = self._lines[line.parent]

    def _branch(self, branch_id: str, line: _Line) -> Branch:
        texts = [(event.message_id, _text(event)) for event in line.own if event.kind in ("user", "step")]
        text = " ".join(next((text for _, text in texts if text.strip()), "").split())
        return Branch(
            branch_id,
            line.parent,
            line.fork_message_id,
            texts[0][0] if texts else "",
            line.created_at,
            branch_id == self.current,
            clip(text, _PREVIEW_LENGTH),
        )


def _text(event_row: EventRow) -> str:
    event, _ = event_row.read()
    parts = event.payload["parts"] if event else []
    return " ".join(part["text"] for part in parts if part["type"] == "text")
