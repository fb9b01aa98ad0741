"""A project file of any kind with its text and the facts about that."""

from __future__ import annotations

import asyncio
import mimetypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ...base.cache import Cache
from ...base.errors import RequestError
from ...base.files.pdf import read_pdf
from ...context.tokens import count_text
from ..skills.text_file import UnreadableFile, read_text_file
from .folder import Place

_MOST_TEXT = 20_000_000
_KEPT_CHARACTERS = 40_000_000
_KEPT_FACTS = 5_000
_AT_ONCE = 3
_LOOKED_AT = 8_192
_COUNTED = 200_000
_FAILURE_HOLDS, _FAILURE_HOLDS_LEAST = 20.0, 5.0
"""A failure is cached for 20 times the duration of the attempt, and for at least 5 s."""
_KINDS = {".md": "text/markdown", ".txt": "text/plain", ".yaml": "text/yaml", ".yml": "text/yaml"}

_Key = tuple[Path, str]


@dataclass(frozen=True)
class FileFacts:
    """Facts about a file's text. `problem` says why there is none, or what is missing.

    While `is_read` is false, the file is still being read and nothing is known.
    """

    characters: int = 0
    tokens: int = 0
    problem: str = ""
    is_read: bool = True


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
class _Read:
    text: str
    facts: FileFacts


class FileTexts:
    """The texts of project files. Each version of a file is read once, a few files at a time.

    The newest texts and the facts of all files stay in memory. An object belongs to one event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._facts: Cache[_Key, FileFacts] = Cache(most=_KEPT_FACTS, clock=clock)
        self._texts: Cache[_Key, str] = Cache(most=_KEPT_CHARACTERS, size=len)
        self._reading: dict[_Key, asyncio.Task[_Read]] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def facts(self, place: Place, folder: Path, *, seconds: float | None = None) -> FileFacts:
        """Return the facts of a file after `seconds` at the latest; a longer reading goes on in the background."""
        if known := self._facts.get((place.file, place.version)):
            return known
        reading = self._start(place, folder)
        done, _ = await asyncio.wait({reading}, timeout=seconds)
        return reading.result().facts if done else FileFacts(is_read=False)

    async def text(self, place: Place, folder: Path) -> str:
        """Return the text of a file, "" if it has none."""
        key = (place.file, place.version)
        if (text := self._texts.get(key)) is not None:
            return text
        if (await self.facts(place, folder)).characters == 0:
            return ""
        text = self._texts.get(key)
        return (await self._start(place, folder)).text if text is None else text

    def _start(self, place: Place, folder: Path) -> asyncio.Task[_Read]:
        key = (place.file, place.version)
        if key not in self._reading:
            reading = self._reading[key] = asyncio.create_task(self._read(place, folder))
            reading.add_done_callback(lambda _: self._reading.pop(key, None))
        return self._reading[key]

    async def _read(self, place: Place, folder: Path) -> _Read:
        async with self._places:
            begin = self._clock()
            is_pdf = media_type(place) == "application/pdf"
            text, problem = await (_pdf_text(place) if is_pdf else asyncio.to_thread(_text, place, folder))
            facts = FileFacts(len(text), await asyncio.to_thread(_tokens, text), problem)
            took = self._clock() - begin
        holds = float("inf") if text or not problem else max(_FAILURE_HOLDS_LEAST, _FAILURE_HOLDS * took)
        self._facts.keep((place.file, place.version), facts, seconds=holds)
        self._texts.keep((place.file, place.version), text)
        return _Read(text, facts)


def media_type(place: Place) -> str:
    """Return the media type of a file, by its name."""
    suffix = place.file.suffix.lower()
    return _KINDS.get(suffix) or mimetypes.guess_type(place.file.name)[0] or "text/plain"


async def _pdf_text(place: Place) -> tuple[str, str]:
    """Return the text of a PDF and its problem."""
    try:
        return (await read_pdf(place.file)).as_text(), ""
    except RequestError as error:
        return "", f"{error.message} {error.hint}"
    except OSError as error:
        return "", _unreadable(error)


def _text(place: Place, folder: Path) -> tuple[str, str]:
    try:
        with place.file.open("rb") as file:
            beginning = file.read(_LOOKED_AT)
        if b"\x00" in beginning and not beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "", "It is no text. Project files are texts and PDF files."
        text, diagnostics = read_text_file(
            place.file, inside=folder, label=place.path, max_bytes=_MOST_TEXT, for_instructions=False
        )
    except UnreadableFile as error:
        return "", f"{error.diagnostic.problem} {error.diagnostic.action}"
    except OSError as error:
        return "", _unreadable(error)
    return text, " ".join(f"{each.problem} {each.action}" for each in diagnostics)


def _unreadable(error: OSError) -> str:
    return f"It cannot be read ({error.strerror or error})."


def _tokens(text: str) -> int:
    """Return the tokens of a text, for a long one extrapolated from its beginning."""
    counted = count_text(text[:_COUNTED])
    return counted if len(text) <= _COUNTED else counted * len(text) // _COUNTED
