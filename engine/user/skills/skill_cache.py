"""A cache of read skills, valid while their files stay the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...base.cache import Cache
from .library import SkillLibrary, merge

_Stamp = tuple[tuple[int, int, int, int], ...]
_TOO_NEW_SECONDS = 2
"""The seconds for which a changed file is not cached: file systems with coarse clocks may show a later change with
the same time.
"""


@dataclass(frozen=True)
class _CachedLibrary:
    library: SkillLibrary
    watched: Sequence[str]
    stamp: _Stamp

    def is_current(self) -> bool:
        return _stamp(self.watched) == self.stamp


class SkillCache:
    """The cache. Each library is kept under a path, with the paths that it depends on."""

    def __init__(self) -> None:
        self._libraries: Cache[str, _CachedLibrary] = Cache()
        self._merged: dict[str, tuple[tuple[SkillLibrary, ...], SkillLibrary]] = {}

    def get(self, path: str, read: Callable[[], tuple[SkillLibrary, Sequence[str]]]) -> SkillLibrary:
        """Return the library of a path. `read` returns it with the paths whose change makes it outdated."""
        if known := self._libraries.get(path, holds=_CachedLibrary.is_current):
            return known.library
        oldest_new = time.time_ns() - _TOO_NEW_SECONDS * 10**9
        library, watched = read()
        stamp = _stamp(watched)
        if stamp and all(max(changed, moved) < oldest_new for changed, moved, _, _ in stamp):
            self._libraries.keep(path, _CachedLibrary(library, watched, stamp), seconds=0)
        return library

    def merge(self, path: str, libraries: tuple[SkillLibrary, ...]) -> SkillLibrary:
        """Merge libraries, and return the previous result if none of them has changed."""
        parts, merged = self._merged.get(path, ((), None))
        if merged is None or len(parts) != len(libraries) or any(map(_differ, parts, libraries)):
            merged = merge(libraries)
            self._merged[path] = (libraries, merged)
        return merged


def _differ(one: SkillLibrary, other: SkillLibrary) -> bool:
    return one is not other and one != other


def _stamp(paths: Sequence[str]) -> _Stamp | None:
    try:
        stats = [os.stat(path) for path in paths]
    except (OSError, ValueError):
        return None
    return tuple((entry.st_mtime_ns, entry.st_ctime_ns, entry.st_size, entry.st_ino) for entry in stats)
