"""The text of a project file, whatever kind it is of."""

from __future__ import annotations

import asyncio
import mimetypes
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from ..context.tokens import count_text
from ..errors import RequestError
from ..pdf import read_pdf
from ..skills.text_file import UnreadableFile, read_text_file
from .folder import Place

_MOST_TEXT = 20_000_000
_KEPT_CHARACTERS = 40_000_000
_LOOKED_AT = 8_192
_COUNTED = 200_000
_KINDS = {".md": "text/markdown", ".txt": "text/plain", ".yaml": "text/yaml", ".yml": "text/yaml"}


@dataclass(frozen=True)
class FileText:
    """`problem` says why there is no text, or what is missing of it."""

    text: str = ""
    tokens: int = 0
    problem: str = ""


class FileTexts:
    """Read once for each version of a file; the newest stay in memory. For several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, str], FileText] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    async def of(self, place: Place, folder: Path) -> FileText:
        key = (place.file, place.version)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        read = await _pdf_text(place) if kind_of(place) == "application/pdf" else None
        text = read or await asyncio.to_thread(_text, place, folder)
        with self._lock:
            if key not in self._kept:
                self._characters += len(text.text)
            self._kept[key] = text
            while self._characters > _KEPT_CHARACTERS and len(self._kept) > 1:
                self._characters -= len(self._kept.popitem(last=False)[1].text)
        return text


def kind_of(place: Place) -> str:
    """Its media type, by its name."""
    suffix = place.file.suffix.lower()
    return _KINDS.get(suffix) or mimetypes.guess_type(place.file.name)[0] or "text/plain"


async def _pdf_text(place: Place) -> FileText:
    try:
        text = (await read_pdf(place.file)).as_text()
    except RequestError as error:
        return FileText(problem=f"{error.message} {error.hint}")
    except OSError as error:
        return FileText(problem=f"It cannot be read ({error.strerror or error}).")
    return FileText(text, await asyncio.to_thread(_tokens, text))


def _text(place: Place, folder: Path) -> FileText:
    try:
        with place.file.open("rb") as file:
            beginning = file.read(_LOOKED_AT)
        if b"\x00" in beginning and not beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
            return FileText(problem="It is no text. Project files are texts and PDF files.")
        text, diagnostics = read_text_file(place.file, inside=folder, label=place.path, max_bytes=_MOST_TEXT)
    except UnreadableFile as error:
        return FileText(problem=f"{error.diagnostic.problem} {error.diagnostic.action}")
    except OSError as error:
        return FileText(problem=f"It cannot be read ({error.strerror or error}).")
    problem = " ".join(f"{each.problem} {each.action}" for each in diagnostics)
    return FileText(text, _tokens(text), problem)


def _tokens(text: str) -> int:
    """Of a long text, as its beginning lets expect."""
    counted = count_text(text[:_COUNTED])
    return counted if len(text) <= _COUNTED else counted * len(text) // _COUNTED
