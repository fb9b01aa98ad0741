"""Disk failures as errors for the user, where user data is written."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import StoreError


def is_disk_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def saving(what: str) -> Iterator[None]:
    """Turn an OSError of the block into an error for the user; `what` begins its sentence.

    Raises:
        StoreError: `disk_full` or `not_saved`.
    """
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise StoreError(
                "disk_full",
                f"{what} was not saved, and what was there is as it was: the disk is full.",
                hint="Delete files on the disk that holds ComfyUI's user folder, then try again.",
                status=507,
            ) from error
        raise StoreError(
            "not_saved",
            f"{what} could not be saved: {error.strerror or type(error).__name__}.",
            hint="Check that ComfyUI's user folder is writable.",
        ) from error
