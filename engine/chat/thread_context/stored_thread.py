"""A thread as it is stored: its conversation, its pins, and what was condensed of it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from ...context.compaction import Compaction
from ...store.compactions import StoredCompaction
from ...store.pins import Pin
from ...store.threads import Thread

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ThreadState:
    """What the store knows of a thread's context."""

    pins: Sequence[Pin] = ()
    compactions: Sequence[StoredCompaction] = ()


@dataclass(frozen=True)
class StoredThread:
    """A thread as it was before the request."""

    thread_id: str
    thread: Thread
    state: ThreadState


def active(compactions: Sequence[StoredCompaction]) -> list[Compaction]:
    """Those that hold, oldest first. One that cannot be read is as if it had never been made: nothing is lost."""
    states: list[Compaction] = []
    for entry in compactions:
        if entry.status != "active":
            continue
        try:
            states.append(Compaction.from_json(entry.state_value))
        except (KeyError, TypeError, ValueError):
            logger.warning("compaction %s cannot be read and is passed over.", entry.id)
    return states
