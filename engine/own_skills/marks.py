"""Skills from elsewhere: marked in their own folder, and held back until the person has accepted what they say.

The mark lies beside the skill, so it goes where the skill goes: into the history and back. One that cannot be read
counts as not accepted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ..files.regular_file import read_regular_file
from ..files.whole_file import write_whole_file
from ..skills.library import Skill
from ..text.whole_text import decode_text, whole_text

MARK = ".from-elsewhere.json"
_MAX_BYTES = 4_096
_MAX_FILES = 2_000
_PIECE = 1_048_576


@dataclass(frozen=True)
class Mark:
    """`name` is the file or folder that it came in, `accepted` names the contents that the person has accepted."""

    name: str = ""
    accepted: str = ""


def mark_of(home: Path | None) -> Mark | None:
    """None for a skill that the person wrote, or put there themselves."""
    if home is None or not os.path.lexists(f"{home}{os.sep}{MARK}"):
        return None
    try:
        content, _ = read_regular_file(home / MARK, _MAX_BYTES)
        kept = json.loads(decode_text(content))
        return Mark(str(kept["name"]), str(kept["accepted"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Mark()


def write_mark(home: Path, mark: Mark) -> None:
    write_whole_file(home / MARK, json.dumps({"name": mark.name, "accepted": mark.accepted}).encode())


class Contents:
    """Names the contents of folders; each is read again only where one of its files has changed. Blocking."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[object, Mark | None, str]] = {}

    def of(self, home: Path) -> str:
        """A hash of all its files but hidden ones, by their places."""
        return self._look(home)[1]

    def marked(self, skill: Skill) -> tuple[Mark, str] | None:
        """Its mark and its contents; None as for `mark_of`."""
        if skill.home is None or MARK not in skill.hidden:
            return None
        mark, contents = self._look(skill.home)
        return None if mark is None else (mark, contents)

    def _look(self, home: Path) -> tuple[Mark | None, str]:
        stamp = _stamp(os.fspath(home))
        known = self._known.get(home)
        if known is None or known[0] != stamp:
            known = self._known[home] = (stamp, mark_of(home), _hash(home))
        return known[1], known[2]


def _files(home: Path) -> list[Path]:
    files: list[Path] = []
    for folder, folders, names in os.walk(home):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(set(folders) - set(links))
        files += [Path(folder, name) for name in (*names, *links) if name != MARK]
        if len(files) > _MAX_FILES:
            break
    return sorted(files)


def _stamp(folder: str) -> object:
    """Changes with any file in it. Folders are looked into one by one: this is done for each message."""
    stamps: list[tuple[str, int, int, int, int]] = []
    pending = [folder]
    while pending and len(stamps) <= _MAX_FILES:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                        continue
                    status = entry.stat(follow_symlinks=False)
                    stamps.append(
                        (entry.path, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
                    )
    return sorted(stamps)


def _hash(home: Path) -> str:
    whole = hashlib.sha256()
    for path in _files(home):
        whole.update(hashlib.sha256(whole_text(str(path.relative_to(home))).encode()).digest())
        whole.update(_hash_of_file(path))
    return whole.hexdigest()


def _hash_of_file(path: Path) -> bytes:
    content = hashlib.sha256()
    with contextlib.suppress(OSError):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            content.update(os.fsencode(os.readlink(path)))
        elif stat.S_ISREG(status.st_mode):
            with open(path, "rb") as file:
                while piece := file.read(_PIECE):
                    content.update(piece)
    return content.digest()
