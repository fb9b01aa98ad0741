"""The settings that a person enters in the panel, in a file that only its owner can read."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..errors import StoreError
from ..options import OptionValue, readable_options
from ..secret import Secret
from ..whole_file import write_whole_file
from ..whole_text import decode_text
from .file_lock import locked
from .files import set_aside

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SavedSettings:
    """A key belongs to the origin that it was entered for, so that it is never sent to another host.

    `config` holds the options that were changed with `/config`, `download_hosts` where model files may come from.
    """

    base_url: str = ""
    model: str = ""
    keys: dict[str, Secret] = field(default_factory=dict)
    config: dict[str, OptionValue] = field(default_factory=dict)
    download_hosts: tuple[str, ...] = ()

    def key_for(self, base_url: str) -> Secret:
        return self.keys.get(origin(base_url), Secret(""))

    def with_key(self, base_url: str, key: Secret) -> SavedSettings:
        """With a key for the origin of an address; an empty one takes it away."""
        others = {place: secret for place, secret in self.keys.items() if place != origin(base_url)}
        return replace(self, keys={**others, origin(base_url): key} if key else others)

    def with_setting(self, name: str, value: OptionValue) -> SavedSettings:
        """With an option changed; None takes it away."""
        config = {key: setting for key, setting in self.config.items() if key != name}
        return replace(self, config=config if value is None else {**config, name: value})

    def at(self, base_url: str) -> SavedSettings:
        """With another address. Another server knows other models."""
        has_moved = origin(base_url) != origin(self.base_url)
        return replace(self, base_url=base_url, model="" if has_moved else self.model)


def origin(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}".lower()


class SavedSettingsFile:
    """The file may be shared with another ComfyUI: what that one saves holds here from the next question on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[tuple[int, ...] | None, SavedSettings] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def load(self) -> SavedSettings:
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._current)

    async def change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        """Write the whole file or leave the old one; `edit` is given what is saved at that moment.

        Raises:
            StoreError: `settings_not_saved`.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._change, edit)

    def _current(self) -> SavedSettings:
        version = _version(self._path)
        if self._known is None or self._known[0] != version:
            settings = self._read()
            self._known = (_version(self._path), settings)
        return self._known[1]

    def _change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        try:
            with locked(self._path.with_suffix(".lock")):
                settings = edit(self._read())
                self._write(settings)
                self._known = (_version(self._path), settings)
                return settings
        except OSError as error:
            raise StoreError(
                "settings_not_saved",
                f"The settings could not be saved: {error.strerror or error}.",
                hint="Check that ComfyUI's user folder is writable, or set COMFYUI_ASSISTANT_BASE_URL and "
                "COMFYUI_ASSISTANT_MODEL in the environment.",
            ) from error

    def _read(self) -> SavedSettings:
        try:
            data = json.loads(decode_text(self._path.read_bytes()))
            return SavedSettings(
                base_url=str(data.get("baseUrl", "")),
                model=str(data.get("model", "")),
                keys={str(place): Secret(str(key)) for place, key in dict(data.get("keys", {})).items()},
                config=readable_options(data.get("config")),
                download_hosts=tuple(map(str, data.get("downloadHosts") or ())),
            )
        except FileNotFoundError:
            return SavedSettings()
        except (OSError, ValueError, TypeError, AttributeError) as error:
            self._set_aside(error)
            return SavedSettings()

    def _set_aside(self, error: Exception) -> None:
        """Out of the way of the next save, which would take all its keys along."""
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
            "baseUrl": saved_settings.base_url,
            "model": saved_settings.model,
            "keys": {place: key.reveal() for place, key in saved_settings.keys.items()},
            "config": saved_settings.config,
        }
        if saved_settings.download_hosts:
            data["downloadHosts"] = list(saved_settings.download_hosts)
        write_whole_file(self._path, json.dumps(data, indent=2).encode())


def _version(path: Path) -> tuple[int, ...] | None:
    """What changes with every save; None where nothing is saved."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
