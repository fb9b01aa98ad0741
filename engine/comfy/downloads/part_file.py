"""The partial file of a download, beside its target, under a name that ComfyUI lists nowhere."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path

from ...base.errors import DownloadError
from ...base.text.amounts import size_words

_PREFIX, _ENDING = ".", ".assistant-part"
_MARGIN_BYTES = 256 * 1024 * 1024
_OLD_SECONDS = 7 * 86_400
_HASHED_AT_ONCE = 1024 * 1024


class PartFile:
    """A partial file. `identity` names its source, so that no other file is continued in it. Blocks."""

    def __init__(self, target: Path, identity: str) -> None:
        self.target = target
        mark = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self.path = target.with_name(f"{_PREFIX}{mark}{_ENDING}")
        self.received = 0
        self._file = -1
        self._hash = hashlib.sha256()

    def size_on_disk(self) -> int:
        """Return the number of bytes that a broken download left."""
        try:
            return self.path.lstat().st_size
        except OSError:
            return 0

    def open(self) -> None:
        """Open the partial file and continue from what a broken download left."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        _remove_old(self.path.parent)
        flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        self._file = os.open(self.path, flags, 0o644)
        while piece := os.read(self._file, _HASHED_AT_ONCE):
            self._hash.update(piece)
            self.received += len(piece)

    def write(self, piece: bytes) -> None:
        view = memoryview(piece)
        while view:
            view = view[os.write(self._file, view) :]
        self._hash.update(piece)
        self.received += len(piece)

    def restart(self) -> None:
        """Empty the file: the host has another file now, or cannot resume."""
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        self._hash, self.received = hashlib.sha256(), 0

    def sha256(self) -> str:
        return self._hash.hexdigest()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def finish(self) -> None:
        """Sync the file to the disk and move it to its target, never in place of another file.

        Raises:
            DownloadError: `already_there`.
        """
        os.fsync(self._file)
        self.close()
        try:
            os.link(self.path, self.target)
        except FileExistsError:
            raise already_there(self.target) from None
        except OSError:
            # The file system has no hard links.
            if self.target.exists():
                raise already_there(self.target) from None
            os.rename(self.path, self.target)
        else:
            os.unlink(self.path)

    def remove(self) -> None:
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink()


def already_there(target: Path) -> DownloadError:
    return DownloadError(
        "already_there",
        f"{target.name} is in {target.parent.name} already.",
        hint="Use it, or ask for the file under another name.",
        status=409,
    )


def check_room(folder: Path, needed: int) -> int:
    """Return the free bytes on the disk of `folder`, which may not exist yet.

    Raises:
        DownloadError: `disk_full` where fewer than `needed` bytes and a margin are free.
    """
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    if needed + _MARGIN_BYTES > free:
        margin = size_words(_MARGIN_BYTES)
        wanted = (
            f"it needs {size_words(needed)} beside the {margin} that stay free"
            if needed
            else f"its size is not told, and {margin} stay free"
        )
        raise disk_full(f"{wanted}; {size_words(free)} are free")
    return free


def disk_full(why: str) -> DownloadError:
    return DownloadError(
        "disk_full",
        f"There is no room on the disk for the file: {why}.",
        hint="Make room on the disk of ComfyUI's models, or choose a smaller variant.",
        status=507,
    )


def _remove_old(folder: Path) -> None:
    """Remove partial files that nobody continued for a week."""
    for part in folder.glob(f"{_PREFIX}*{_ENDING}"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > _OLD_SECONDS:
                part.unlink()
