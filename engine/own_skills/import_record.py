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
from ..text.whole_text import decode_text, whole_text

MARK = ".from-elsewhere.json"
_MAX_BYTES = 4_096
_MAX_FILES = 2_000
_PIECE = 1_048_576


@dataclass(frozen=True)
class ImportRecord:
    """`name` is the file or folder that it came in."""

    name: str = ""
    is_accepted: bool = False


def import_record_of(home: Path | None) -> ImportRecord | None:
    """None for a skill that the person wrote, or put there themselves."""
    if home is None or not os.path.lexists(f"{home}{os.sep}{MARK}"):
        return None
    try:
        content, _ = read_regular_file(home / MARK, _MAX_BYTES)
        kept = json.loads(decode_text(content))
        return ImportRecord(str(kept["name"]), bool(kept["accepted"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ImportRecord()


def write_import_record(home: Path, mark: ImportRecord) -> None:
    write_whole_file(home / MARK, json.dumps({"name": mark.name, "accepted": mark.is_accepted}).encode())


def contents_of(home: Path) -> str:
    """A hash of all its files but the mark, by their places. Blocking."""
    whole = hashlib.sha256()
    for path in _files(home):
        whole.update(hashlib.sha256(whole_text(str(path.relative_to(home))).encode()).digest())
        whole.update(_hash_of_file(path))
    return whole.hexdigest()


def _files(home: Path) -> list[Path]:
    files: list[Path] = []
    for folder, folders, names in os.walk(home):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(set(folders) - set(links))
        files += [Path(folder, name) for name in (*names, *links) if name != MARK]
        if len(files) > _MAX_FILES:
            break
    return sorted(files)


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
