"""A user's project files with their texts: list, search, write, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ...base.caller import folder_of_user
from ...base.text.portable_text import escape_name
from ..skills.diagnostic import Diagnostic
from .file_text import FileFacts, FileTexts, media_type
from .folder import Place, ProjectFolder
from .passages import Passage, PassageIndex

READING_SECONDS = 4.0
"""The seconds that a chat or a list waits for files being read; until then only their names are known."""


@dataclass(frozen=True)
class ProjectFile:
    """A project file with the facts about its text."""

    place: Place
    facts: FileFacts

    @property
    def kind(self) -> str:
        """The media type."""
        return media_type(self.place)

    def as_json(self) -> dict[str, Any]:
        place, facts = self.place, self.facts
        return {
            "path": place.path,
            "name": place.name,
            "kind": self.kind,
            "bytes": place.bytes,
            "characters": facts.characters,
            "tokens": facts.tokens,
            "changed": datetime.fromtimestamp(place.changed, timezone.utc).isoformat(timespec="seconds"),
            "isOn": place.is_on,
            "problem": facts.problem,
            "isRead": facts.is_read,
        }


@dataclass(frozen=True)
class Listing:
    """The listed files. `left_out` counts files beyond the limit, `unread` are entries that are not read."""

    files: Sequence[ProjectFile]
    left_out: int
    unread: Sequence[Diagnostic]
    folder: Path


class ProjectFiles:
    """The project files of the current user. `data` is the extension's data folder."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._texts = FileTexts()
        self._index = PassageIndex()

    @property
    def _folder(self) -> ProjectFolder:
        return ProjectFolder(folder_of_user(self._data) / "project")

    async def list(self) -> Listing:
        """Return all project files."""
        folder = self._folder
        places, left_out = await asyncio.to_thread(folder.places)
        files = await self._files(folder, places)
        return Listing(files, left_out, await asyncio.to_thread(folder.unread), folder.folder)

    async def usable(self) -> Sequence[ProjectFile]:
        """Return the files that chats know: switched on, and with a text or still being read."""
        folder = self._folder
        places, _ = await asyncio.to_thread(folder.places)
        files = await self._files(folder, [place for place in places if place.is_on])
        return [file for file in files if file.facts.characters or not file.facts.is_read]

    async def file(self, path: str) -> ProjectFile:
        """Return the file at a path.

        Raises:
            RequestError: `not_found`.
        """
        folder = self._folder
        return await self._file(folder, await asyncio.to_thread(folder.place, path))

    async def text(self, file: ProjectFile) -> str:
        """Return the text of a file, "" if it has none."""
        return await self._texts.text(file.place, self._folder.folder)

    async def search(
        self, files: Sequence[ProjectFile], query: str
    ) -> list[tuple[ProjectFile, Passage, str]]:
        """Return the passages of files that contain words of the query, with their texts, best first."""
        by_version = {f"{escape_name(str(file.place.file))} {file.place.version}": file for file in files}
        texts = dict(zip(by_version, await asyncio.gather(*map(self.text, files)), strict=True))
        found = await asyncio.to_thread(self._index.search, texts, query)
        return [
            (by_version[version], passage, texts[version][passage.start : passage.end])
            for version, passage in found
        ]

    async def write(self, name: str, content: bytes, *, replace: bool) -> ProjectFile:
        """Write a file.

        Raises:
            RequestError, StoreError: as `ProjectFolder.write`.
        """
        folder = self._folder
        return await self._file(folder, await asyncio.to_thread(folder.write, name, content, replace=replace))

    async def switch(self, path: str, *, is_on: bool) -> ProjectFile:
        """Switch a file on or off.

        Raises:
            RequestError, StoreError: as `ProjectFolder.switch`.
        """
        folder = self._folder
        return await self._file(folder, await asyncio.to_thread(folder.switch, path, is_on=is_on))

    async def delete(self, path: str) -> None:
        """Delete a file for good.

        Raises:
            RequestError, StoreError: as `ProjectFolder.delete`.
        """
        await asyncio.to_thread(self._folder.delete, path)

    async def _file(self, folder: ProjectFolder, place: Place) -> ProjectFile:
        return ProjectFile(place, await self._texts.facts(place, folder.folder, seconds=READING_SECONDS))

    async def _files(self, folder: ProjectFolder, places: Sequence[Place]) -> list[ProjectFile]:
        return await asyncio.gather(*(self._file(folder, place) for place in places))
