"""The record in the folder of an imported skill, and a hash of all files in it.

The record moves with the skill, so whatever is lost or damaged elsewhere, no skill that nobody accepted becomes
active.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ...base.files.regular_file import read_regular_file
from ...base.files.writing import write_whole_file
from ...base.text.portable_text import decode_text, valid_unicode

IMPORT_RECORD = ".from-elsewhere.json"
_MAX_BYTES = 4_096
_MAX_FILES = 2_000
_PIECE = 1_048_576


@dataclass(frozen=True)
class ImportRecord:
    """The record of an import. `name` is the file or folder that was imported; older versions set `is_accepted`
    here.
    """

    name: str = ""
    is_accepted: bool = False


def read_import_record(home: Path | None) -> ImportRecord | None:
    """Return the record; None for a skill that the user wrote, or put there themselves."""
    if home is None or not os.path.lexists(f"{home}{os.sep}{IMPORT_RECORD}"):
        return None
    try:
        content, _ = read_regular_file(home / IMPORT_RECORD, _MAX_BYTES)
        kept = json.loads(decode_text(content))
        return ImportRecord(str(kept["name"]), bool(kept.get("accepted")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ImportRecord()


def write_import_record(home: Path, name: str) -> None:
    """Write the record into the folder of a skill."""
    write_whole_file(home / IMPORT_RECORD, json.dumps({"name": name}).encode())


def hash_contents(home: Path) -> str:
    """Return a hash of all files of a skill, except the record, by their paths. Blocks."""
    whole = hashlib.sha256()
    for path in _files(home):
        whole.update(hashlib.sha256(valid_unicode(str(path.relative_to(home))).encode()).digest())
        whole.update(_hash_of_file(path))
    return whole.hexdigest()


def _files(home: Path) -> list[Path]:
    files: list[Path] = []
    for folder, folders, names in os.walk(home):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(set(folders) - set(links))
        files += [Path(folder, name) for name in (*names, *links) if name != IMPORT_RECORD]
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
