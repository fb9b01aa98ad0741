"""A user's project files: list, search, write, delete; and those that a thread is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...base.caller import folder_of_user
from ...base.errors import RequestError
from ...base.messages import UIMessage, dump, message_text
from ...base.text.portable_text import escape_name
from ...context.budget import Budget
from ...context.compaction import Compaction
from ...context.documents import (
    document_number,
    document_text,
    document_title,
    documents,
    find_project_file,
    newest_files,
    number_files,
    visible_files,
)
from ...context.message_metadata import MessageMetadata, SentFile, SentFiles
from ...context.tokens import count_text
from ..skills.diagnostic import Diagnostic
from .file_text import FileTexts, ProjectFile
from .folder import Place, ProjectFolder
from .passages import Passage, PassageIndex, is_relevant

READING_SECONDS = 4.0
"""The seconds that a chat or a list waits for files being read; until then only their names are known."""

_SHARE, _SLIM_SHARE = 0.2, 0.1
_PLACES_SHARE = 0.75
"""The share of the room for whole files that passages of other files may take, for a slim model."""
_MOST_PLACES = 8


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


@dataclass(frozen=True)
class ThreadDocument:
    """A numbered document of a thread, as the model was sent it. `path` is set for a project file.

    If the text was not sent, `text` is None, and the text is that of the present file.
    """

    number: int
    title: str
    kind: str
    characters: int
    text: str | None
    path: str = ""
    is_changed: bool = False


@dataclass(frozen=True)
class ProjectRoom:
    """The tokens of whole project files that a model is shown, and whether it can search the others itself."""

    tokens: int = 0
    is_searched: bool = True

    @classmethod
    def of(cls, budget: Budget, *, is_slim: bool) -> ProjectRoom:
        """Return the room within a budget."""
        share = _SLIM_SHARE if is_slim else _SHARE
        return cls(int(share * budget.effective_working), is_searched=not is_slim)


@dataclass(frozen=True)
class ThreadProject:
    """The project files as a thread knows them."""

    files: ProjectFiles

    async def tell(
        self,
        conversation: Sequence[UIMessage],
        *,
        compaction: Compaction | None,
        room: ProjectRoom,
    ) -> SentFiles:
        """Return the project files that the newest message brings: those that the model does not have in their
        present version.

        If not all fit the room, those that it has whole stay so, and then the smallest come first. A model that
        cannot search also gets passages about the message. It is empty if there is nothing to send.
        """
        present = await self.files.usable()
        seen = visible_files(conversation, compaction)
        whole = _whole(present, seen, room.tokens)
        told = await asyncio.gather(
            *(self._build_file(file, is_whole=file.place.path in whole) for file in present)
        )
        news = [file for file in told if _is_news(file, seen.get(file.path))]
        paths = {file.path for file in told}
        gone = [_gone(told) for path, told in seen.items() if path not in paths]
        telling = SentFiles(tuple(number_files([*gone, *news], conversation)))
        if room.is_searched:
            return telling
        places = await self._places(conversation, telling, room=_PLACES_SHARE * room.tokens)
        return replace(telling, places=dump(places)) if places else telling

    def whole(
        self, files: Sequence[ProjectFile], conversation: Sequence[UIMessage], room: ProjectRoom
    ) -> set[str]:
        """Return the paths of files that the next message sends whole, or that were sent whole before."""
        told = [file for file in files if file.place.is_on and file.facts.characters]
        return _whole(told, visible_files(conversation, None), room.tokens)

    async def _places(
        self, conversation: Sequence[UIMessage], telling: SentFiles, *, room: float
    ) -> Sequence[dict[str, Any]]:
        """Return passages about the newest message from files that are not shown, for a model that cannot search."""
        newest = conversation[-1]
        told = MessageMetadata(project=telling).put_into(newest)
        words = message_text(newest)
        found = await self.search([*conversation[:-1], told], words)
        places: list[dict[str, Any]] = []
        for place in found:
            cost = count_text(dump(place))
            if cost <= room and is_relevant(place["text"], words):
                room -= cost
                places.append({name: value for name, value in place.items() if name != "offset"})
        return places

    async def search(self, conversation: Sequence[UIMessage], query: str) -> list[dict[str, Any]]:
        """Return passages of files that the thread knows and is not shown, best first."""
        told = {
            path: file
            for path, file in newest_files(conversation).items()
            if file.text is None and not file.is_gone
        }
        files = [file for path in told if (file := await self._present(path)) is not None]
        found = await self.files.search(files, query)
        return [
            {
                "document": told[file.place.path].number,
                "title": file.place.name,
                **({"place": passage.place} if passage.place else {}),
                "offset": passage.start,
                "text": text,
            }
            for file, passage, text in found[:_MOST_PLACES]
        ]

    async def text(self, conversation: Sequence[UIMessage], number: int) -> str | None:
        """Return the present text of the project file that has this number in the thread, or None."""
        told = find_project_file(conversation, number)
        file = await self._present(told.path) if told else None
        return await self.files.text(file) if file else None

    async def documents(self, conversation: Sequence[UIMessage]) -> list[ThreadDocument]:
        """Return all numbered documents of a thread, attached ones and project files, by number."""
        attached = [
            ThreadDocument(number, document_title(part), part["mediaType"], len(text), text)
            for part in documents(conversation)
            if (number := document_number(part)) and (text := document_text(part)) is not None
        ]
        told = [await self._document(file) for file in newest_files(conversation).values()]
        return sorted([*attached, *told], key=lambda each: each.number)

    async def document_text(self, document: ThreadDocument) -> str:
        """Return the text of a document, "" if its file is gone."""
        if document.text is not None:
            return document.text
        file = await self._present(document.path)
        return await self.files.text(file) if file else ""

    async def _document(self, told: SentFile) -> ThreadDocument:
        file = await self._present(told.path)
        now = file.facts.characters if file else 0
        characters = now if told.text is None else len(told.text)
        is_changed = file is None or file.place.version != told.version
        return ThreadDocument(
            told.number, told.title, told.kind, characters, told.text, told.path, is_changed
        )

    async def _build_file(self, file: ProjectFile, *, is_whole: bool) -> SentFile:
        place = file.place
        text = await self.files.text(file) if is_whole else None
        return SentFile(0, place.path, place.name, file.kind, place.version, file.facts.characters, text)

    async def _present(self, path: str) -> ProjectFile | None:
        try:
            return await self.files.file(path)
        except RequestError:
            return None


def _whole(present: Sequence[ProjectFile], seen: Mapping[str, SentFile], room: int) -> set[str]:
    """Return the paths of files that are shown whole."""

    def order(file: ProjectFile) -> tuple[bool, int]:
        told = seen.get(file.place.path)
        return told is None or told.text is None, file.facts.tokens

    whole: set[str] = set()
    for file in sorted(present, key=order):
        if file.facts.is_read and file.facts.tokens <= room:
            room -= file.facts.tokens
            whole.add(file.place.path)
    return whole


def _is_news(told: SentFile, seen: SentFile | None) -> bool:
    """Return whether the model lacks this state of a file; one that was being read has its characters by now."""
    return (
        seen is None
        or (seen.version, seen.characters) != (told.version, told.characters)
        or (seen.text is None) != (told.text is None)
    )


def _gone(told: SentFile) -> SentFile:
    return SentFile(
        told.number, told.path, told.title, told.kind, told.version, told.characters, is_gone=True
    )
