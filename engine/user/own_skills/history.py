"""The version of each skill before its last change, so that the change can be undone."""

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

from ...base.files.writing import make_private_folder, write_whole_file
from ...base.text.portable_text import decode_text

What = Literal["created", "changed", "deleted"]
BEFORE = "before"
_CHANGE = "change.json"


@dataclass(frozen=True)
class Change:
    """A change of a skill. `entry` is its name in the folder of skills, `version` the version that the change left
    there.

    `was_off` says that a deleted skill was switched off. `at` is in seconds since the epoch.
    """

    id: str
    what: What
    slug: str
    entry: str
    at: float
    version: str = ""
    was_off: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "what": self.what, "slug": self.slug, "at": self.at}


class History:
    """The last change of each skill. Its methods block, and need the lock of the skills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.contextmanager
    def keep(
        self, what: What, slug: str, entry: str, version: str = "", *, was_off: bool = False
    ) -> Iterator[tuple[Change, Path]]:
        """Record a change while the body makes it, with the path for the old version; a body that fails leaves no
        record.

        The record of the skill's previous change is deleted.
        """
        make_private_folder(self._folder)
        at = time.time()
        place = self._folder / self._free_id(at)
        place.mkdir()
        try:
            change = Change(place.name, what, slug, entry, at, version, was_off)
            write_whole_file(place / _CHANGE, json.dumps(asdict(change)).encode())
            yield change, place / BEFORE
        except BaseException:
            if not (place / BEFORE).is_dir():
                shutil.rmtree(place, ignore_errors=True)
            raise
        self._forget_others(change)

    def newest(self) -> list[Change]:
        """Return the last change of each skill, newest first."""
        changes: dict[str, Change] = {}
        for change_id in self._ids():
            if (change := self.find(change_id)) is not None:
                changes.setdefault(change.slug, change)
        return list(changes.values())

    def find(self, change_id: str) -> Change | None:
        """Return the change with an id, or None."""
        if not change_id.isascii() or not change_id.isdecimal():
            return None
        try:
            return Change(**json.loads(decode_text((self._folder / change_id / _CHANGE).read_bytes())))
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def previous_version(self, change: Change) -> Path:
        """Return the path of the version before a change."""
        return self._folder / change.id / BEFORE

    def _free_id(self, at: float) -> str:
        number = int(at * 1_000_000)
        while (self._folder / str(number)).exists():
            number += 1
        return str(number)

    def _ids(self) -> list[str]:
        """Return the ids of all changes, newest first."""
        try:
            return sorted(filter(str.isdecimal, os.listdir(self._folder)), key=int, reverse=True)
        except OSError:
            return []

    def _forget_others(self, newest: Change) -> None:
        for change_id in self._ids():
            change = self.find(change_id)
            if change is not None and change.slug == newest.slug and change.id != newest.id:
                shutil.rmtree(self._folder / change_id, ignore_errors=True)
