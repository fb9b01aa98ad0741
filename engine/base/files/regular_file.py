"""Regular files found and read where anything may be: a folder, a pipe, a device, a link."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_AS_IT_IS = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")


def read_whole_regular_file(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file or of the file that a link leads to. Blocks, but never waits for a pipe.

    Raises:
        OSError: it cannot be read, is no regular file, or has more than `max_bytes`.
    """
    try:
        real = path.resolve(strict=True)
    except RuntimeError as error:  # before Python 3.13, for a loop of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    content, size = read_regular_file(real, max_bytes + 1)
    if max(size, len(content)) > max_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return content


def read_regular_file(path: Path, max_bytes: int) -> tuple[bytes, int]:
    """Return the first `max_bytes` of a file and its size in bytes. Blocks, but never waits for a pipe.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    descriptor = os.open(path, sum(getattr(os, flag, 0) for flag in _AS_IT_IS) | os.O_RDONLY)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(max_bytes), status.st_size
    finally:
        os.close(descriptor)


def find_file(folder: Path, name: str) -> Path | None:
    """Return the path of a regular file inside `folder`; None for anything else, such as a link out of it."""
    try:
        path = (folder / name).resolve(strict=True)
        if path.is_relative_to(folder.resolve()) and stat.S_ISREG(path.stat().st_mode):
            return path
    except (OSError, ValueError, RuntimeError):
        pass
    return None
