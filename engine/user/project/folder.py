"""The folder of a user's project files, with its subfolders."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ...base.errors import RequestError
from ...base.files.device_names import is_device_name
from ...base.files.regular_file import read_whole_regular_file
from ...base.files.writing import locked, make_private_folder, saving, write_whole_file
from ...base.text.portable_text import decode_text, escape_name, unescape_name, valid_unicode
from ..skills.diagnostic import Diagnostic

MOST_FILES = 200
MOST_BYTES = 6_000_000
"""The size of a file from the panel, in bytes; a file that the user copies into the folder may be larger."""

_MOST_DEPTH = 8
_LONGEST_NAME = 120
_MOST_UNREAD = 20
_MOST_OFF_BYTES = 4_000_000
_UNFIT = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_Why = tuple[str, str]
"""The problem of an entry, and what to do about it."""
_LINK = ("It is a link, and links are not followed.", "Copy there what it leads to.")
_NO_FILE = ("It is neither a file nor a folder.", "Move it away.")
_TOO_DEEP = (f"It lies more than {_MOST_DEPTH} folders deep.", "Move it higher.")


@dataclass(frozen=True)
class Place:
    """A file in the folder. `path` is relative to the folder, with `/`.

    `path` and `name` are valid Unicode even if the file's own name is no UTF-8: `path` escapes it reversibly, `name`
    is for reading. `changed` is in seconds since the epoch.
    """

    path: str
    name: str
    file: Path
    bytes: int
    changed: float
    version: str
    is_on: bool


class ProjectFolder:
    """The project folder, created with its first file. Its methods block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._off = folder / ".off.json"
        self._lock = folder / ".lock"

    def places(self) -> tuple[list[Place], int]:
        """Return the files, sorted by name, at most `MOST_FILES`, and how many more there are."""
        files = [
            (path, each)
            for path, each in _entries(self.folder, _MOST_DEPTH)
            if isinstance(each, os.stat_result)
        ]
        off = self._read_off() if files else frozenset()
        places = [self._place(file, status, off) for file, status in files[:MOST_FILES]]
        return places, len(files) - len(places)

    def unread(self) -> list[Diagnostic]:
        """Return a diagnostic for each entry that is not read, at most 20 and one for the others."""
        problems = [
            Diagnostic(self._label(path), *each, leaves_out=True)
            for path, each in _entries(self.folder, _MOST_DEPTH)
            if not isinstance(each, os.stat_result)
        ]
        if more := problems[_MOST_UNREAD:]:
            action = "Clear them away to see what they are."
            problems[_MOST_UNREAD:] = [
                Diagnostic("project", f"{len(more):,} more entries are not read.", action, leaves_out=True)
            ]
        return problems

    def place(self, path: str) -> Place:
        """Return the file at a path.

        Raises:
            RequestError: `not_found` (404).
        """
        file = self._file(path)
        try:
            status = file.stat() if file else None
        except OSError:
            status = None
        if file is None or status is None or not stat.S_ISREG(status.st_mode):
            raise _unknown(path)
        return self._place(file, status, self._read_off())

    def write(self, name: str, content: bytes, *, replace: bool) -> Place:
        """Write a file.

        Raises:
            RequestError: `invalid_request`, `already_there` (409) or `too_large` (413).
            StoreError: `disk_full` or `not_saved`.
        """
        if len(content) > MOST_BYTES:
            raise RequestError(
                "too_large",
                f"{name} has {len(content) / 1e6:,.1f} MB; the panel takes {MOST_BYTES / 1e6:,.0f} MB.",
                hint=f"Put it into {self.folder} yourself; it is listed then.",
                status=413,
            )
        file = self.folder.joinpath(*_parts(name))
        with self._change(name):
            if not replace and os.path.lexists(file):
                raise _exists(name)
            write_whole_file(file, content)
        return self.place(self._path(file))

    def switch(self, path: str, *, is_on: bool) -> Place:
        """Switch a file on or off.

        Raises:
            RequestError: `not_found`.
            StoreError: `disk_full` or `not_saved`.
        """
        place = self.place(path)
        with self._change(place.name):
            off = self._read_off()
            changed = off - {path} if is_on else off | {path}
            if changed != off:
                self._write_off(changed)
        return self.place(path)

    def delete(self, path: str) -> None:
        """Delete a file for good.

        Raises:
            RequestError: `not_found`.
            StoreError: `disk_full` or `not_saved`.
        """
        place = self.place(path)
        with self._change(place.name):
            place.file.unlink()
            off = self._read_off()
            if path in off:
                # The next file of this name is on. If the disk is full, the file is deleted all the same.
                with contextlib.suppress(OSError):
                    self._write_off(off - {path})

    def _label(self, path: Path) -> str:
        return valid_unicode(path.relative_to(self.folder.parent).as_posix())

    def _place(self, file: Path, status: os.stat_result, off: frozenset[str]) -> Place:
        path = self._path(file)
        name = valid_unicode(file.relative_to(self.folder).as_posix())
        version = f"{status.st_mtime_ns:x}-{status.st_size:x}"
        return Place(path, name, file, status.st_size, status.st_mtime, version, path not in off)

    def _path(self, file: Path) -> str:
        return escape_name(file.relative_to(self.folder).as_posix())

    def _file(self, path: str) -> Path | None:
        """Return the file at a path; None if that leads out of the folder."""
        parts = _raw_parts(path)
        if not parts or any(part.startswith((".", "/")) for part in parts):
            return None
        try:
            file = self.folder.joinpath(*parts)
            return file if file.resolve().is_relative_to(self.folder.resolve()) else None
        except (OSError, ValueError, RuntimeError):
            return None

    def _read_off(self) -> frozenset[str]:
        """Return the paths that are switched off; an unreadable file switches nothing off."""
        try:
            kept = json.loads(decode_text(read_whole_regular_file(self._off, _MOST_OFF_BYTES)))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        return (
            frozenset(each for each in kept if isinstance(each, str))
            if isinstance(kept, list)
            else frozenset()
        )

    def _write_off(self, off: frozenset[str]) -> None:
        there = sorted(path for path in off if (file := self._file(path)) and file.exists())
        write_whole_file(self._off, json.dumps(there, ensure_ascii=False, indent=1).encode())

    @contextlib.contextmanager
    def _change(self, name: str) -> Iterator[None]:
        with saving(name):
            make_private_folder(self.folder)
            with locked(self._lock):
                yield


def _entries(home: Path, depth: int) -> Iterator[tuple[Path, os.stat_result | _Why]]:
    """Yield the files of a folder and its subfolders with their status, and for other entries why they are not read."""
    try:
        entries = sorted(os.scandir(home), key=lambda entry: entry.name.lower())
    except FileNotFoundError:
        return
    except OSError as error:
        yield home, _listing_problem(error)
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = Path(entry.path)
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield path, status
        elif stat.S_ISLNK(status.st_mode):
            yield path, _LINK
        elif not stat.S_ISDIR(status.st_mode):
            yield path, _NO_FILE
        elif depth:
            yield from _entries(path, depth - 1)
        else:
            yield path, _TOO_DEEP


def _listing_problem(error: OSError) -> _Why:
    return f"It cannot be listed ({error.strerror or error}).", "Check that it is a folder ComfyUI may read."


def _raw_parts(path: str) -> tuple[str, ...]:
    """Return the folders and the file of a `Place.path`, as the file system has them."""
    return PurePosixPath(unescape_name(path)).parts


def _parts(name: str) -> tuple[str, ...]:
    """Return the folders and the file of a name from the panel.

    Raises:
        RequestError: `invalid_request`.
    """
    parts = PurePosixPath(name.replace("\\", "/")).parts
    is_fit = 0 < len(parts) <= _MOST_DEPTH and all(
        0 < len(part) <= _LONGEST_NAME
        and not part.startswith(".")
        and not part.endswith((".", " "))
        and not _UNFIT.search(part)
        and not is_device_name(part)
        and part != "/"
        for part in parts
    )
    if not is_fit:
        raise RequestError(
            "invalid_request",
            f'"{name[:80]}" cannot be the name of a project file.',
            hint="Use letters, figures and spaces, as in notes/style.md.",
        )
    return parts


def _exists(name: str) -> RequestError:
    return RequestError(
        "already_there",
        f"There is a project file {name} already.",
        hint="Replace it, or give the new one another name.",
        status=409,
    )


def _unknown(path: str) -> RequestError:
    return RequestError(
        "not_found",
        f'There is no project file "{path[:120]}".',
        hint="/files lists those that there are.",
        status=404,
    )
