"""The draft of the step that is running, so that little of it is lost where the server ends."""

from __future__ import annotations

import time

from ..stream.parts import StepParts
from .turn_log import TurnLog

_SECONDS = 0.8


class Draft:
    """Hands on what the step gained, now and then while it streams."""

    def __init__(self, log: TurnLog, message_id: str) -> None:
        self._log = log
        self._message_id = message_id
        self._saved_at = time.monotonic()

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._saved_at >= _SECONDS

    def save(self, parts: StepParts) -> None:
        self._saved_at = time.monotonic()
        if (news := parts.news()) is not None:
            self._log.save_draft(self._message_id, news)
