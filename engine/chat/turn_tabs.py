"""The tab that makes the calls of browser tools in each thread's turn: one at a time, among all browsers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..base.caller import current_user

_PATIENCE_SECONDS = 9.0
"""The time in which a tab that reloads, or loses its network for a moment, keeps its turn."""
_ANOTHER_PROCESS = ""
"""The name for a tab of another process."""
_NOT_SAVED = "one of another ComfyUI, which was not saved"
"""The name of a workflow that is open in no tab of this process."""
_MOST = 1_000
_LONGEST = 1_024
"""The most characters of a name."""


@dataclass(frozen=True)
class MeantWorkflow:
    """The workflow that a turn works on: its `file` if it was saved, and the `id` of its graph, which copies share."""

    name: str
    file: str = ""
    id: str = ""

    def as_json(self) -> dict[str, str]:
        more = {"file": self.file, "id": self.id}
        return {"name": self.name, **{name: value for name, value in more.items() if value}}


def read_meant_workflow(posted: Any) -> MeantWorkflow | None:
    """Read a workflow as a tab posts it; None if it has no name.

    A tab posts it only for its own turns, so only the form is checked.
    """
    if not isinstance(posted, Mapping):
        return None
    name, *more = (
        value[:_LONGEST] if isinstance(value := posted.get(field), str) else ""
        for field in ("name", "file", "id")
    )
    return MeantWorkflow(name, *more) if name else None


@dataclass
class _Turn:
    tab: str
    workflow: MeantWorkflow | None = None
    answer: str = ""
    gone_since: float | None = None
    begun: dict[str, Any] = field(default_factory=dict)
    is_stopped: bool = False


class TurnTabs:
    """The tabs of all threads' turns.

    A tab is `socket:secret`: the id from ComfyUI's websocket, which ComfyUI's history shows to everybody, and a secret
    of the tab. So nobody can begin a turn in another tab's name and have that tab make its calls.
    `is_open` returns whether a socket is connected: a tab may be too busy, or too long in the background, to say so.
    """

    def __init__(
        self, is_open: Callable[[str], bool], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_open = is_open
        self._clock = clock
        self._turns: dict[tuple[str | None, str], _Turn] = {}

    def put(
        self, thread_id: str, tab: str, workflow: MeantWorkflow | None = None, *, answer: str = ""
    ) -> None:
        """Give the thread's turn, the same or the next one, to a tab; the calls before are settled.

        Without a workflow the turn keeps the one it had. `answer` is the message that the turn goes into.
        """
        key = (current_user(), thread_id)
        before = self._turns.pop(key, None)
        self._turns[key] = _Turn(tab, workflow or (before.workflow if before else None), answer)
        if len(self._turns) > _MOST:
            del self._turns[next(iter(self._turns))]

    def leave_elsewhere(self, thread_id: str, newest: str) -> None:
        """Leave the turn to another process: no tab of this one makes its calls until it comes back.

        With another `newest` message it is another turn, which nobody has stopped.
        """
        if not self.is_elsewhere(thread_id) or self.answer(thread_id) != newest:
            self.put(thread_id, _ANOTHER_PROCESS, answer=newest)

    def come_back(
        self, thread_id: str, tab: str, file: str, open_calls: Iterable[str], *, answer: str
    ) -> None:
        """Take the turn back from another process for a tab, with the workflow of this `file` or "".

        The outcome of its calls there is unknown.
        """
        name = file.rpartition("/")[2].removesuffix(".json") or _NOT_SAVED
        self.put(thread_id, tab, MeantWorkflow(name, file), answer=answer)
        for call in open_calls:
            self.begin_call(thread_id, call, None)

    def is_elsewhere(self, thread_id: str) -> bool:
        turn = self._of(thread_id)
        return turn is not None and turn.tab == _ANOTHER_PROCESS

    def stop(self, thread_id: str) -> None:
        """Note that the user stopped the turn: none of its calls is made or waited for any more."""
        turn = self._of(thread_id)
        if turn is not None:
            turn.is_stopped = True

    def is_stopped(self, thread_id: str) -> bool:
        turn = self._of(thread_id)
        return turn is not None and turn.is_stopped

    def claim(self, thread_id: str, tab: str) -> bool:
        """Return whether the tab has the turn from now on: it had it before, or the tab that had it is gone."""
        turn = self._of(thread_id)
        if turn is None:
            self.put(thread_id, tab)
            return True
        if turn.tab == _ANOTHER_PROCESS:
            return False
        if turn.tab != tab and not self.is_gone(thread_id):
            return False
        turn.tab, turn.gone_since = tab, None
        return True

    def is_gone(self, thread_id: str) -> bool:
        """Return whether the turn's tab is gone: for a while already, counted from the first time this is asked."""
        turn = self._of(thread_id)
        if turn is None:
            return True
        if self._is_open(_socket(turn.tab)):
            turn.gone_since = None
            return False
        if turn.gone_since is None:
            turn.gone_since = self._clock()
        return self._clock() - turn.gone_since >= _PATIENCE_SECONDS

    def begin_call(
        self, thread_id: str, call_id: str, note: Any, workflow: MeantWorkflow | None = None
    ) -> None:
        """Note that the turn's tab begins a call on this workflow; with a `note`, another tab can go on with it."""
        turn = self._of(thread_id)
        if turn is not None:
            turn.workflow = workflow or turn.workflow
            turn.begun[call_id] = turn.begun.get(call_id) if note is None else note

    def begun(self, thread_id: str) -> Mapping[str, Any]:
        """Return the calls that a tab has begun since results were last posted, with their notes."""
        turn = self._of(thread_id)
        return {} if turn is None else turn.begun

    def socket(self, thread_id: str) -> str | None:
        """Return the socket of the tab that makes the calls in the thread's turn, or made the last ones."""
        turn = self._of(thread_id)
        return None if turn is None else _socket(turn.tab) or None

    def answer(self, thread_id: str) -> str:
        """Return the message that the turn goes into, "" if it is unknown."""
        turn = self._of(thread_id)
        return "" if turn is None else turn.answer

    def workflow(self, thread_id: str) -> MeantWorkflow | None:
        """Return the workflow that the turn works on, if its tabs told."""
        turn = self._of(thread_id)
        return None if turn is None else turn.workflow

    def _of(self, thread_id: str) -> _Turn | None:
        return self._turns.get((current_user(), thread_id))


def _socket(tab: str) -> str:
    return tab.partition(":")[0]
