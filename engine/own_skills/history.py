"""What was in the way of each change of a skill, kept so that the change can be undone."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ..store.files import make_private_folder
from ..whole_file import write_whole_file
from ..whole_text import decode_text

What = Literal["created", "changed", "deleted"]
_MOST = 100
BEFORE = "before"
_CHANGE = "change.json"


@dataclass(frozen=True)
class Change:
    """`entry` is the skill's name in the folder of skills, `version` what the change left there."""

    id: str
    what: What
    slug: str
    entry: str
    at: float
    version: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "what": self.what, "slug": self.slug, "at": self.at}


class History:
    """Blocking, and for whoever holds the lock of the skills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.contextmanager
    def keep(self, what: What, slug: str, entry: str, version: str = "") -> Iterator[tuple[Change, Path]]:
        """The change, and where the body puts what it takes away; a body that fails leaves nothing here."""
        make_private_folder(self._folder)
        at = time.time()
        number = int(at * 1_000_000)
        while (place := self._folder / str(number)).exists():
            number += 1
        place.mkdir()
        try:
            change = Change(place.name, what, slug, entry, at, version)
            write_whole_file(place / _CHANGE, json.dumps(asdict(change)).encode())
            yield change, place / BEFORE
        except BaseException:
            if not (place / BEFORE).is_dir():
                shutil.rmtree(place, ignore_errors=True)
            raise
        self._forget_the_oldest()

    def newest(self) -> list[Change]:
        """Newest first."""
        return [change for name in self._names() if (change := self.find(name)) is not None]

    def find(self, change_id: str) -> Change | None:
        if not change_id.isascii() or not change_id.isdecimal():
            return None
        try:
            return Change(**json.loads(decode_text((self._folder / change_id / _CHANGE).read_bytes())))
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def before(self, change: Change) -> Path:
        return self._folder / change.id / BEFORE

    def _names(self) -> list[str]:
        try:
            return sorted((name for name in os.listdir(self._folder) if name.isdecimal()), reverse=True)
        except OSError:
            return []

    def _forget_the_oldest(self) -> None:
        for name in self._names()[_MOST:]:
            shutil.rmtree(self._folder / name, ignore_errors=True)
