"""The saved settings of the current user."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..base.caller import PerUser
from .saved_settings import SavedSettings, SavedSettingsFile


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
