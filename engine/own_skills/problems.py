"""What goes wrong where skills are written, in words for the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import RequestError, StoreError
from ..store.full_disk import is_full


@contextmanager
def saving(what: str, place: Path) -> Iterator[None]:
    """
    Raises:
        StoreError: `disk_full` or `not_saved`, for any failure of the disk within.
    """
    try:
        yield
    except OSError as error:
        if is_full(error, place):
            raise StoreError(
                "disk_full",
                f"The disk is full; {what} was not saved, and what was there is as it was.",
                hint="Delete files on the disk that holds ComfyUI's user folder, then try again.",
                status=507,
            ) from error
        raise StoreError(
            "not_saved",
            f"{what} could not be saved: {error.strerror or type(error).__name__}.",
            hint="Check that ComfyUI's user folder is writable.",
        ) from error


def changed_meanwhile(slug: str) -> RequestError:
    return RequestError(
        "changed_meanwhile",
        f'The skill "{slug}" was changed since it was shown.',
        hint="Look at it again, then save.",
        status=409,
    )


def exists_already(slug: str) -> RequestError:
    return RequestError(
        "already_there",
        f'There is a skill "{slug}" in your folder already.',
        hint="Change that one, or choose another name.",
        status=409,
    )


def not_own(slug: str) -> RequestError:
    return RequestError(
        "not_own_skill",
        f'There is no skill "{slug[:60]}" in your own folder.',
        hint="One of your own with this name takes the place of others.",
        status=404,
    )
