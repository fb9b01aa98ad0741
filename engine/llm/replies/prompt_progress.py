"""Progress of reading a request, as llama.cpp's server reports it for `return_progress`.

A chunk's `prompt_progress` has the tokens of the request (`total`), those in the cache from an earlier one (`cache`),
those that are read, including cached ones (`processed`), and the time in milliseconds (`time_ms`):
https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...base.events import Notice
from .loose_types import as_count, as_object

_KEY = "prompt_progress"
_LONG = 1.0
"""The seconds left from which a notice is shown."""


@dataclass(frozen=True)
class PromptProgress:
    """Progress in tokens; `seconds` is the time for those that were not `known`, which is cached."""

    total: int
    known: int
    read: int
    seconds: float

    @property
    def seconds_left(self) -> float:
        """The estimated seconds left; zero before anything was read."""
        newly_read = self.read - self.known
        return self.seconds / newly_read * (self.total - self.read) if newly_read > 0 else 0.0

    @property
    def notice(self) -> Notice | None:
        """The notice for the user, where reading takes a while."""
        if self.seconds_left < _LONG:
            return None
        share = 100 * self.read // self.total
        return Notice(
            "reading", f"The model reads the request: {share} %, {_duration(self.seconds_left)} more."
        )


def is_reading(chunk: object) -> bool:
    """Return whether a chunk reports only progress of reading, and nothing of the answer."""
    return isinstance(chunk, Mapping) and _KEY in chunk


def prompt_progress(chunk: Mapping[str, object]) -> PromptProgress | None:
    """Return the progress in a chunk; None where there is none or it is impossible."""
    told = as_object(chunk.get(_KEY))
    total, known, read, milliseconds = (
        as_count(told.get(name)) for name in ("total", "cache", "processed", "time_ms")
    )
    if total is None or read is None or read > total or milliseconds is None:
        return None
    return PromptProgress(total, known or 0, read, milliseconds / 1_000)


def _duration(seconds: float) -> str:
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"
