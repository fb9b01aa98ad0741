"""Which page makes the calls of the browser's tools in each thread's turn: one at a time, of all browsers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..comfy_user import current_user

_PATIENCE_SECONDS = 9.0
"""A page that is loaded anew, or whose network is gone for a moment, goes on with its own turn before another one."""
_MOST = 1_000


@dataclass
class _Turn:
    page: str
    gone_since: float | None = None
    begun: dict[str, Any] = field(default_factory=dict)


class TurnPages:
    """Pages go by the id that ComfyUI's websocket gave them. `is_open` tells whether one is connected: a page may be
    too busy, or too long in the background, to say so itself.
    """

    def __init__(
        self, is_open: Callable[[str], bool], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_open = is_open
        self._clock = clock
        self._turns: dict[tuple[str | None, str], _Turn] = {}

    def put(self, thread_id: str, page: str) -> None:
        """This page goes on with the thread's turn, or begins the next one; the calls before are settled."""
        key = (current_user(), thread_id)
        self._turns.pop(key, None)
        self._turns[key] = _Turn(page)
        if len(self._turns) > _MOST:
            del self._turns[next(iter(self._turns))]

    def claim(self, thread_id: str, page: str) -> bool:
        """Whether it is this page's turn from now on: it was already, or the page is gone whose turn it was."""
        turn = self._of(thread_id)
        if turn is None:
            self.put(thread_id, page)
            return True
        if turn.page != page:
            if self._is_open(turn.page):
                turn.gone_since = None
                return False
            if turn.gone_since is None:
                turn.gone_since = self._clock()
            if self._clock() - turn.gone_since < _PATIENCE_SECONDS:
                return False
        turn.page, turn.gone_since = page, None
        return True

    def begin_call(self, thread_id: str, call_id: str, note: Any) -> None:
        """The turn's page makes a call; with a `note`, another one can go on with it."""
        turn = self._of(thread_id)
        if turn is not None:
            turn.begun[call_id] = turn.begun.get(call_id) if note is None else note

    def begun(self, thread_id: str) -> Mapping[str, Any]:
        """The calls that a page has begun since results were posted last, with their notes."""
        turn = self._of(thread_id)
        return {} if turn is None else turn.begun

    def _of(self, thread_id: str) -> _Turn | None:
        return self._turns.get((current_user(), thread_id))
