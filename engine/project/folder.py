"""The folder of a person's project files: `all/` for every workflow, `workflows/<name>/` for one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from ..errors import RequestError
from ..files.device_names import is_device_name
from ..files.regular_file import read_whole_regular_file
from ..files.saving import saving
from ..files.whole_file import patiently, write_whole_file
from ..skills.diagnostic import Diagnostic
from ..store.files import make_private_folder
from ..store.processes.file_lock import locked
from ..text.whole_text import decode_text, name_of_spelled, spelled_name, whole_text

Scope = Literal["all", "workflow"]

MOST_FILES = 200
MOST_BYTES = 6_000_000
"""Of a file that comes from the panel; one that is put into the folder may be larger."""

_MOST_DEPTH = 6
_LONGEST_NAME = 120
_KEPT_REMOVED = 50
_MOST_UNREAD = 20
_MOST_OFF_BYTES = 4_000_000
_UNFIT = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_Why = tuple[str, str]
"""What is wrong, and what to do."""
_BESIDE = ("It lies beside the folders of project files.", "Move it into all/.")
_LINK = ("It is a link, and links are not followed.", "Copy there what it leads to.")
_NO_FILE = ("It is neither a file nor a folder.", "Move it away.")
_TOO_DEEP = (f"It lies more than {_MOST_DEPTH} folders deep.", "Move it higher.")
_SPELLED = " !#$&'()+,;=@[]^_`{}~"


@dataclass(frozen=True)
class Place:
    """A file in the folder. `path` is from the folder on, with `/`; `name` from its scope's folder on.

    Both are whole text, also where the file's own name is no UTF-8: `path` spells it so that it leads back to the file,
    `name` is for reading.
    """

    path: str
    name: str
    scope: Scope
    file: Path
    bytes: int
    changed: float
    version: str
    is_on: bool


class ProjectFolder:
    """Blocking. `folder` is there once something was put into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._off = folder / ".off.json"
        self._removed = folder / ".removed"
        self._lock = folder / ".lock"

    def of_scope(self, scope: Scope, workflow: str = "") -> Path | None:
        """None for a workflow that was never saved."""
        if scope == "all":
            return self.folder / "all"
        name = _folder_name(workflow)
        return self.folder / "workflows" / name if name else None

    def places(self, workflow: str) -> tuple[list[Place], int]:
        """The files of the workflow, then those of all, each by their names; and how many more there are."""
        if not self.folder.is_dir():
            return [], 0
        off = self._switched_off()
        scopes: tuple[Scope, ...] = ("workflow", "all")
        places = [place for scope in scopes for place in self._places(scope, workflow, off)]
        return places[:MOST_FILES], max(0, len(places) - MOST_FILES)

    def unread(self, workflow: str) -> list[Diagnostic]:
        """What lies among the files of the workflow and those of all, or beside these, and is none of them."""
        try:
            names = sorted(entry.name for entry in os.scandir(self.folder) if not entry.name.startswith("."))
        except FileNotFoundError:
            return []
        except OSError as error:
            return [self._said(self.folder, _unlisted(error))]
        beside = (name for name in names if name not in ("all", "workflows"))
        found = [self._said(self.folder / name, _BESIDE) for name in beside]
        for scope in ("workflow", "all"):
            home = self.of_scope(scope, workflow)
            entries = _entries(home, _MOST_DEPTH) if home else ()
            found += [
                self._said(path, each) for path, each in entries if not isinstance(each, os.stat_result)
            ]
        if more := found[_MOST_UNREAD:]:
            action = "Clear them away to see what they are."
            found[_MOST_UNREAD:] = [
                Diagnostic("project", f"{len(more):,} more entries are not read.", action, leaves_out=True)
            ]
        return found

    def place(self, path: str) -> Place:
        """
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
        return self._place(file, path, status, self._switched_off())

    def write(self, scope: Scope, workflow: str, name: str, content: bytes, *, replace: bool) -> Place:
        """
        Raises:
            RequestError: `invalid_request`, `already_there` (409) or `too_large` (413).
            StoreError: `disk_full` or `not_saved`.
        """
        home = self._home(scope, workflow)
        if len(content) > MOST_BYTES:
            raise RequestError(
                "too_large",
                f"{name} has {len(content) / 1e6:,.1f} MB; the panel takes {MOST_BYTES / 1e6:,.0f} MB.",
                hint=f"Put it into {home} yourself; it is listed then.",
                status=413,
            )
        file = home.joinpath(*_parts(name))
        with self._changing(name):
            is_there = os.path.lexists(file)
            if is_there and not replace:
                raise _exists(name)
            write_whole_file(file, content)
            off, path = self._switched_off(), self._path(file)
            if path in off and not is_there:
                # Of one that was deleted; this is another file.
                self._write_off(off - {path})
        return self.place(self._path(file))

    def move(self, path: str, scope: Scope, workflow: str) -> Place:
        """To the other scope, under the same name.

        Raises:
            RequestError: `not_found`, `invalid_request` or `already_there`.
            StoreError: `disk_full` or `not_saved`.
        """
        place, home = self.place(path), self._home(scope, workflow)
        target = home.joinpath(*_below_scope(_raw_parts(path)))
        if target == place.file:
            return place
        with self._changing(place.name):
            if os.path.lexists(target):
                raise _exists(place.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            patiently(os.replace, place.file, target)
            off = self._switched_off()
            if path in off:
                self._write_off((off - {path}) | {self._path(target)})
        return self.place(self._path(target))

    def rename_workflow(self, old: str, new: str) -> int:
        """Have the files of a workflow belong to what it is called now; how many. What is there already stays there.

        Raises:
            StoreError: `disk_full` or `not_saved`.
        """
        source, target = self.of_scope("workflow", old), self.of_scope("workflow", new)
        if source is None or target is None or source == target or not source.is_dir():
            return 0
        count = 0
        with self._changing(source.name):
            off = self._switched_off()
            for file, _ in [*_files(source, _MOST_DEPTH)]:
                moved = target / file.relative_to(source)
                if os.path.lexists(moved):
                    continue
                before = self._path(file)
                moved.parent.mkdir(parents=True, exist_ok=True)
                patiently(os.replace, file, moved)
                count += 1
                if before in off:
                    off = (off - {before}) | {self._path(moved)}
            if off != self._switched_off():
                self._write_off(off)
        return count

    def switch(self, path: str, *, is_on: bool) -> Place:
        """
        Raises:
            RequestError: `not_found`.
            StoreError: `disk_full` or `not_saved`.
        """
        place = self.place(path)
        with self._changing(place.name):
            off = self._switched_off()
            changed = off - {path} if is_on else off | {path}
            if changed != off:
                self._write_off(changed)
        return self.place(path)

    def delete(self, path: str) -> None:
        """Put it away, where `restore` finds it.

        Raises:
            RequestError: `not_found`.
            StoreError: `disk_full` or `not_saved`.
        """
        place = self.place(path)
        with self._changing(place.name):
            make_private_folder(self._removed)
            target = self._removed.joinpath(str(time.time_ns()), *_raw_parts(path))
            target.parent.mkdir(parents=True)
            patiently(os.replace, place.file, target)
            for old in sorted(self._removed.iterdir())[:-_KEPT_REMOVED]:
                shutil.rmtree(old)

    def restore(self, path: str) -> Place:
        """What was deleted last under this path.

        Raises:
            RequestError: `not_found` or `already_there`.
            StoreError: `disk_full` or `not_saved`.
        """
        file = self._file(path)
        try:
            removed = sorted(self._removed.iterdir(), reverse=True)
        except OSError:
            removed = []
        kept = next((it for each in removed if (it := each.joinpath(*_raw_parts(path))).is_file()), None)
        if file is None or kept is None:
            raise _unknown(path)
        with self._changing(path):
            if os.path.lexists(file):
                raise _exists(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            patiently(os.replace, kept, file)
        return self.place(path)

    def _said(self, path: Path, why: _Why) -> Diagnostic:
        return Diagnostic(whole_text(path.relative_to(self.folder.parent).as_posix()), *why, leaves_out=True)

    def _home(self, scope: Scope, workflow: str) -> Path:
        home = self.of_scope(scope, workflow)
        if home is None:
            raise RequestError(
                "invalid_request",
                "The open workflow was never saved, so no file can belong to it.",
                hint="Save the workflow first, or add the file for all workflows.",
            )
        return home

    def _places(self, scope: Scope, workflow: str, off: frozenset[str]) -> list[Place]:
        home = self.of_scope(scope, workflow)
        if home is None:
            return []
        return [
            self._place(file, self._path(file), status, off) for file, status in _files(home, _MOST_DEPTH)
        ]

    def _place(self, file: Path, path: str, status: os.stat_result, off: frozenset[str]) -> Place:
        parts = _raw_parts(path)
        scope: Scope = "all" if parts[0] == "all" else "workflow"
        name = whole_text("/".join(_below_scope(parts)))
        version = f"{status.st_mtime_ns:x}-{status.st_size:x}"
        return Place(path, name, scope, file, status.st_size, status.st_mtime, version, path not in off)

    def _path(self, file: Path) -> str:
        return spelled_name(file.relative_to(self.folder).as_posix())

    def _file(self, path: str) -> Path | None:
        """The file of a path; None where that leads out of the folder."""
        parts = _raw_parts(path)
        least = {"all": 2, "workflows": 3}.get(parts[0] if parts else "", 99)
        if len(parts) < least or any(part in ("..", ".") or part.startswith(".") for part in parts):
            return None
        try:
            file = self.folder.joinpath(*parts)
            return file if file.resolve().is_relative_to(self.folder.resolve()) else None
        except (OSError, ValueError, RuntimeError):
            return None

    def _switched_off(self) -> frozenset[str]:
        """A file that cannot be read switches nothing off."""
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
    def _changing(self, name: str) -> Iterator[None]:
        with saving(name):
            make_private_folder(self.folder)
            with locked(self._lock):
                yield


def _files(home: Path, depth: int) -> Iterator[tuple[Path, os.stat_result]]:
    """Those that are shown: no hidden ones, and nothing that a link leads to."""
    return ((path, each) for path, each in _entries(home, depth) if isinstance(each, os.stat_result))


def _entries(home: Path, depth: int) -> Iterator[tuple[Path, os.stat_result | _Why]]:
    """The files in a folder and in those that lie in it; of what is no file, why it is not read."""
    try:
        entries = sorted(os.scandir(home), key=lambda entry: entry.name.lower())
    except FileNotFoundError:
        return
    except OSError as error:
        yield home, _unlisted(error)
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


def _unlisted(error: OSError) -> _Why:
    return f"It cannot be listed ({error.strerror or error}).", "Check that it is a folder ComfyUI may read."


def _folder_name(workflow: str) -> str:
    """One folder for each workflow, by the path of its file; "" where there is none.

    Letters of any language stay as they are; what divides folders or cannot stand in a name is spelled as in addresses.
    """
    stem = workflow.removeprefix("workflows/").removesuffix(".json").strip("/ ")
    spelled = "".join(each if each.isalnum() else quote(each, safe=_SPELLED) for each in stem)
    # quote() leaves dots alone, and a name that begins or ends with one is hidden, or another one on Windows.
    name = re.sub(r"\A\.|\.\Z", "%2E", spelled)
    return name if len(name) <= 2 * _LONGEST_NAME else ""


def _raw_parts(path: str) -> tuple[str, ...]:
    """The names of the folders and the file of a `Place.path`, as the file system has them."""
    return PurePosixPath(name_of_spelled(path)).parts


def _below_scope(parts: Sequence[str]) -> Sequence[str]:
    return parts[1:] if parts[0] == "all" else parts[2:]


def _parts(name: str) -> tuple[str, ...]:
    """
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
