"""Checks that no test's key appears where keys never belong: in logs at DEBUG, replies, exports and databases.

Tests call their keys `sk-canary…`. Keys may be in `settings.json` and in what a provider is sent.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CANARY = re.compile(rb"sk-canary[-\w]*")
_WATCHED = ("comfyui_assistant", "openai", "httpx", "httpcore", "httpx2", "httpcore2", "aiohttp", "asyncio")
_MAY_HOLD_KEYS = {"settings.json", ".env"}
_SURELY_WRITTEN = 1_000_000
"""A size in bytes; some file systems store shorter files in no block."""

found: list[str] = []
"""The places where keys appeared since the test began."""


class _Watch(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note("the log of " + record.name, self.format(record).encode("utf-8", "replace"))


def note(place: str, content: bytes) -> None:
    """Record a place if its content has a key."""
    if key := _CANARY.search(content):
        found.append(f"{place}: …{content[max(0, key.start() - 60) : key.end() + 20]!r}…")


def note_files(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.name not in _MAY_HOLD_KEYS and _is_written(path):
            note(str(path.relative_to(folder)), path.read_bytes())


def _is_written(path: Path) -> bool:
    """Return whether a file has data: a sparse file of a model's size would take gigabytes of memory."""
    status = path.stat()
    return status.st_size < _SURELY_WRITTEN or status.st_blocks > 0


@contextmanager
def watching_logs() -> Iterator[None]:
    """Check all log records of the block, from DEBUG up; tests see the same records as without."""
    watch = _Watch(logging.DEBUG)
    loggers = [logging.getLogger(name) for name in _WATCHED]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(watch)
        logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(watch)
            logger.setLevel(level)
