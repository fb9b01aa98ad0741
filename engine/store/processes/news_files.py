"""What processes that share a database of SQLite tell each other: files beside it, one for each, there for moments."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...files.whole_file import write_whole_file
from ..files import make_private_folder

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 0.5
_KEPT_SECONDS = 10.0
"""Twenty looks: longer than an event loop is ever busy."""
_LEFT_SECONDS = 60.0
"""After which a file is one that a killed process has left."""
_MOST_BYTES = 4_096


class NewsFiles:
    """Looks for new files of others in `folder` from `listen` on, as long as `is_needed`. No lock of the database is
    in the way of it.
    """

    def __init__(self, folder: Path, is_needed: Callable[[], bool]) -> None:
        self._folder = folder
        self._is_needed = is_needed
        self._name = secrets.token_hex(8)
        self._listening: asyncio.Task[None] | None = None
        self.is_listening = False
        """Whether what is told from now on is heard."""
        self._told: dict[asyncio.Task[None], Path] = {}

    async def tell(self, news: Mapping[str, Any]) -> bool:
        file = self._folder / f"{self._name}-{secrets.token_hex(8)}.news"
        try:
            await asyncio.to_thread(self._write, file, json.dumps(news).encode())
        except OSError as error:
            logger.info("other processes could not be told of a Stop (%s)", error)
            return False
        removing = asyncio.create_task(_remove_later(file))
        self._told[removing] = file
        removing.add_done_callback(self._told.pop)
        return True

    def listen(self, hear: Callable[[Mapping[str, Any]], None]) -> None:
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen(hear))

    def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
        for removing, file in [*self._told.items()]:
            removing.cancel()
            _remove(file)

    async def _listen(self, hear: Callable[[Mapping[str, Any]], None]) -> None:
        known = await asyncio.to_thread(self._names)
        self.is_listening = True
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if not self._is_needed():
                self.is_listening = False
                return
            names = await asyncio.to_thread(self._names)
            for name in names - known:
                news = await asyncio.to_thread(_read, self._folder / name)
                if news is not None:
                    hear(news)
            known = names

    def _names(self) -> set[str]:
        """Those of others."""
        with contextlib.suppress(OSError):
            found = (path.name for path in self._folder.iterdir() if path.suffix == ".news")
            return {name for name in found if not name.startswith(self._name)}
        return set()

    def _write(self, file: Path, content: bytes) -> None:
        make_private_folder(self._folder)
        for name in self._names():
            with contextlib.suppress(OSError):
                if time.time() - (self._folder / name).stat().st_mtime > _LEFT_SECONDS:
                    _remove(self._folder / name)
        write_whole_file(file, content)


def _read(file: Path) -> Mapping[str, Any] | None:
    try:
        with file.open("rb") as opened:
            news = json.loads(opened.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return news if isinstance(news, dict) else None


async def _remove_later(file: Path) -> None:
    await asyncio.sleep(_KEPT_SECONDS)
    await asyncio.to_thread(_remove, file)


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink()
