"""The saved settings of the user whom the work is done for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..base.comfy_user import PerUser
from .saved_settings import SavedSettings, SavedSettingsFile


class UserSettings:
    """Each user of ComfyUI has a file of their own, with keys of their own; nobody is asked with another's."""

    def __init__(self, data: Path) -> None:
        self._files = PerUser(data, lambda folder: SavedSettingsFile(folder / "settings.json"))

    async def load(self) -> SavedSettings:
        return await self._files.get().load()

    async def change(self, edit: Callable[[SavedSettings], SavedSettings]) -> SavedSettings:
        """As `SavedSettingsFile.change`.

        Raises:
            StoreError: `not_saved` or `disk_full`.
        """
        return await self._files.get().change(edit)
