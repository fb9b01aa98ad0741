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

from ..files.whole_file import write_whole_file
from ..store.files import make_private_folder
from ..text.whole_text import decode_text

What = Literal["created", "changed", "deleted"]
_MOST = 100
BEFORE = "before"
_CHANGE = "change.json"


@dataclass(frozen=True)
class Change:
    """`entry` is the skill's name in the folder of skills, `version` what the change left there.

    `was_off` where what was deleted had been switched off.
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
    """Blocking, and for whoever holds the lock of the skills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.contextmanager
    def keep(
        self, what: What, slug: str, entry: str, version: str = "", *, was_off: bool = False
    ) -> Iterator[tuple[Change, Path]]:
        """The change, and where the body puts what it takes away; a body that fails leaves nothing here."""
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
        self._forget_the_oldest()

    @contextlib.contextmanager
    def keep_deleted(self, slug: str) -> Iterator[tuple[Change, Path]]:
        """As `keep` where the disk has no room for a file: all that is known is the name of what was taken away."""
        at = time.time()
        change_id = self._free_id(at)
        yield Change(change_id, "deleted", slug, slug, at), self._folder / f"{change_id}-{slug}"

    def newest(self) -> list[Change]:
        """Newest first."""
        ids = dict.fromkeys(_id(name) for name in self._names())
        return [change for change_id in ids if (change := self.find(change_id)) is not None]

    def find(self, change_id: str) -> Change | None:
        if not change_id.isascii() or not change_id.isdecimal():
            return None
        if (alone := self._alone(change_id)) is not None:
            slug = alone.name.partition("-")[2]
            entry = f"{slug}.md" if alone.is_file() else slug
            return Change(change_id, "deleted", slug, entry, int(change_id) / 1_000_000)
        try:
            return Change(**json.loads(decode_text((self._folder / change_id / _CHANGE).read_bytes())))
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def before(self, change: Change) -> Path:
        return self._alone(change.id) or self._folder / change.id / BEFORE

    def _free_id(self, at: float) -> str:
        number = int(at * 1_000_000)
        taken = {_id(name) for name in self._names()}
        while str(number) in taken:
            number += 1
        return str(number)

    def _alone(self, change_id: str) -> Path | None:
        """What was deleted, where nothing more could be kept of the change."""
        beginning = f"{change_id}-"
        return next((self._folder / name for name in self._names() if name.startswith(beginning)), None)

    def _names(self) -> list[str]:
        try:
            names = [name for name in os.listdir(self._folder) if _id(name).isdecimal()]
            return sorted(names, key=lambda name: int(_id(name)), reverse=True)
        except OSError:
            return []

    def _forget_the_oldest(self) -> None:
        for name in self._names()[_MOST:]:
            place = self._folder / name
            shutil.rmtree(place, ignore_errors=True)
            with contextlib.suppress(OSError):
                place.unlink(missing_ok=True)


def _id(name: str) -> str:
    return name.partition("-")[0]
