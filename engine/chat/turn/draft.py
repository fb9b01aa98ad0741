"""The draft of the step that is running, so that little of it is lost where the server ends."""

from __future__ import annotations

import asyncio

from ...stream.parts import StepParts
from .turn_log import TurnLog

_SECONDS = 0.35


class Draft:
    """Hands on what the step gained, a moment after it did, whether more comes or not."""

    def __init__(self, log: TurnLog, message_id: str, *, seconds: float = _SECONDS) -> None:
        self._log = log
        self._message_id = message_id
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def save_soon(self, parts: StepParts) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self.save, parts)

    def save(self, parts: StepParts) -> None:
        self.leave()
        if (news := parts.news()) is not None:
            self._log.save_draft(self._message_id, news)

    def leave(self) -> None:
        """Save no more of what is written down whole now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
