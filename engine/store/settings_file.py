"""The settings that a user enters in the panel, in a file of each user that only its owner can read."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..base.cache import Cache
from ..base.caller import PerUser
from ..base.errors import StoreError
from ..base.files.regular_file import read_whole_regular_file
from ..base.files.writing import locked, saving, write_whole_file
from ..base.secret import Secret
from ..base.text.portable_text import decode_text
from ..settings.options import read_options
from .saved_settings import SavedProvider, SavedSettings, key_place, origin, read_providers
from .sqlite_file import set_aside

logger = logging.getLogger(__name__)

_MAX_BYTES = 4_000_000
_FRESH_SECONDS = 0.1

_Version = tuple[int, ...] | None
"""The identity of the file, which changes with every save; None if there is no file."""

_TRANSIENT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EINTR, errno.EBUSY, errno.EIO}
_IN_USE = {32, 33}
"""Errors of Windows: another program has locked the file, or a part of it."""


class SettingsStore(Protocol):
    """The saved settings of one user, or of the current one."""

    async def load(self) -> SavedSettings: ...

    async def change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings: ...


class UserSettings:
    """The saved settings of each ComfyUI user, in a file of their own with their own keys."""

    def __init__(self, data: Path) -> None:
        self._files = PerUser(data, lambda folder: SavedSettingsFile(folder / "settings.json"))

    async def load(self) -> SavedSettings:
        """Return the current user's settings.

        Raises:
            StoreError: `unreadable`.
        """
        return await self._files.get().load()

    async def change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        """Change the current user's settings, as `SavedSettingsFile.change` does.

        Raises:
            StoreError: `not_saved`, `disk_full` or `unreadable`.
        """
        return await self._files.get().change(edit)


class SavedSettingsFile:
    """The file of the saved settings, which may be shared with another ComfyUI: its saves are seen by the next request.

    A request asks for its settings many times, so the file is not checked again for `fresh_seconds`.
    """

    def __init__(self, path: Path, *, fresh_seconds: float = _FRESH_SECONDS) -> None:
        self._path = path
        self._fresh_seconds = fresh_seconds
        self._known: Cache[Path, tuple[_Version, SavedSettings]] = Cache()
        self._one_at_a_time = asyncio.Lock()

    async def load(self) -> SavedSettings:
        """Return the saved settings; the defaults if there is no file, or a damaged one, which is set aside.

        Raises:
            StoreError: `unreadable`, if the file cannot be read at the moment.
        """
        if known := self._known.get(self._path):
            return known[1]
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._current)

    async def change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        """Apply `edit` to the saved settings and write the result; if that fails, the old file stays.

        Raises:
            StoreError: `not_saved`, `disk_full` or `unreadable`.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._change, edit)

    def _current(self) -> SavedSettings:
        version = _version(self._path)
        known = self._known.get(self._path, holds=lambda known: known[0] == version)
        settings = known[1] if known else self._read()
        self._known.keep(self._path, (version, settings), seconds=self._fresh_seconds)
        return settings

    def _change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        with saving("The change of the settings"), locked(self._path.with_suffix(".lock")):
            settings = edit(self._read())
            self._write(settings)
            self._known.keep(self._path, (_version(self._path), settings), seconds=0)
            return settings

    def _read(self) -> SavedSettings:
        try:
            data = json.loads(decode_text(read_whole_regular_file(self._path, _MAX_BYTES)))
            providers = read_providers(data)
            config, problems = read_options(data.get("config"))
            for problem in problems:
                logger.warning("%s: %s It is left out.", self._path, problem)
            return SavedSettings(
                providers=providers,
                default_provider=str(data.get("defaultProvider", "")),
                keys=_read_keys(data, providers),
                config=config,
                download_hosts=tuple(map(str, data.get("downloadHosts") or ())),
                trusted_packages=tuple(map(str, data.get("trustedPackages") or ())),
            )
        except FileNotFoundError:
            return SavedSettings()
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            if isinstance(error, OSError) and _is_transient(error):
                raise StoreError(
                    "unreadable",
                    f"The settings cannot be read just now ({error.strerror or error}).",
                    hint="Try again in a moment; nothing of them is lost.",
                ) from error
            self._set_aside(error)
            return SavedSettings()

    def _set_aside(self, error: Exception) -> None:
        """Rename a damaged file, since the next save would overwrite its keys."""
        try:
            outcome = f"it is kept as {set_aside(self._path).name}"
        except OSError as refusal:
            outcome = f"it cannot be moved aside either ({refusal.strerror or refusal})"
        logger.warning(
            "%s cannot be read (%s); %s and the settings in it are not used. "
            "Correct it and give it back its name, or enter them again.",
            self._path,
            error,
            outcome,
        )

    def _write(self, saved_settings: SavedSettings) -> None:
        data: dict[str, Any] = {
            "providers": [each.as_json() for each in saved_settings.providers],
            "defaultProvider": saved_settings.default_provider,
            "keys": {place: key.reveal() for place, key in saved_settings.keys.items()},
            "config": saved_settings.config,
        }
        if saved_settings.download_hosts:
            data["downloadHosts"] = list(saved_settings.download_hosts)
        if saved_settings.trusted_packages:
            data["trustedPackages"] = list(saved_settings.trusted_packages)
        write_whole_file(self._path, json.dumps(data, indent=2).encode())


def _is_transient(error: OSError) -> bool:
    """Return whether an error is temporary: the machine is short of something, or another program uses the file."""
    return error.errno in _TRANSIENT or getattr(error, "winerror", None) in _IN_USE


def _read_keys(data: Mapping[str, Any], providers: Sequence[SavedProvider]) -> dict[str, Secret]:
    """Return the keys by their places; older files have the keys of tenants at their origin."""
    keys = {str(place): Secret(str(key)) for place, key in dict(data.get("keys", {})).items()}
    for each in providers:
        older = origin(each.base_url)
        for place, before in (
            (key_place(each.base_url), older),
            (each.own_key_place, f"{older}#{each.id}"),
        ):
            if before in keys:
                keys.setdefault(place, keys[before])
    return keys


def _version(path: Path) -> _Version:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
