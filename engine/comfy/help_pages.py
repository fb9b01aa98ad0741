"""Help pages of node types: Markdown from ComfyUI's documentation package and beside custom nodes' scripts.

The layout is ComfyUI's own: `docs/<node type>.md`, or `docs/<node type>/<language>.md`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from .host import HelpFolder

_LANGUAGE = "en"
_MAX_BYTES = 200_000
_MAX_PARAGRAPH = 400
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_BLANK_LINES = re.compile(r"\n\s*\n")
_NO_PROSE = ("#", ">", "|", "<", "---", "```", "![")


@dataclass(frozen=True)
class Section:
    heading: str
    text: str


@dataclass(frozen=True)
class HelpPage:
    """The sections of a page in order; the first one has the page's title."""

    sections: tuple[Section, ...]

    def section(self, title: str) -> Section | None:
        """Return the section whose heading is `title`, begins with it or contains it."""
        plain_title = title.strip().casefold()
        headings = [section.heading.casefold() for section in self.sections]
        for is_match in (str.__eq__, str.startswith, str.__contains__):
            for heading, section in zip(headings, self.sections, strict=True):
                if plain_title and is_match(heading, plain_title):
                    return section
        return None


@dataclass(frozen=True)
class HelpPages:
    """The path of each node type's page, and the types whose page comes with ComfyUI itself."""

    paths: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))
    own: frozenset[str] = frozenset()

    @classmethod
    def in_folders(cls, folders: Sequence[HelpFolder]) -> HelpPages:
        """Collect the pages; the first folder that has a page on a node type wins."""
        paths: dict[str, Path] = {}
        own: set[str] = set()
        for folder in folders:
            for node_type, path in _pages_in(folder.path):
                if node_type not in paths:
                    paths[node_type] = path
                    if folder.is_own:
                        own.add(node_type)
        return cls(MappingProxyType(paths), frozenset(own))

    def is_own(self, node_type: str) -> bool:
        """Return whether the node type's page comes with ComfyUI itself."""
        return node_type in self.own

    def read(self, node_type: str) -> HelpPage | None:
        text = self._text(node_type)
        return _page(node_type, text) if text.strip() else None

    def first_paragraph(self, node_type: str) -> str:
        """Return the first paragraph of prose of a page, without headings, tables and notices; "" where there is no
        page.
        """
        text = _IMAGE.sub("", _COMMENT.sub("", self._text(node_type)))
        paragraphs = (part.strip() for part in _BLANK_LINES.split(text))
        prose = (part for part in paragraphs if part and not part.startswith(_NO_PROSE))
        return _LINK.sub(r"\1", " ".join(next(prose, "").split()))[:_MAX_PARAGRAPH]

    def _text(self, node_type: str) -> str:
        path = self.paths.get(node_type)
        if path is None:
            return ""
        try:
            with path.open("rb") as file:
                return file.read(_MAX_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return ""


def _pages_in(folder: Path) -> Iterator[tuple[str, Path]]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if name.endswith(".md"):
            yield name[: -len(".md")], folder / name
        elif "." not in name or not (folder / name).is_file():
            yield name, folder / name / f"{_LANGUAGE}.md"


def _page(node_type: str, text: str) -> HelpPage:
    text = _LINK.sub(r"\1", _IMAGE.sub("", _COMMENT.sub("", text)))
    headings = list(_HEADING.finditer(text))
    opening = text[: headings[0].start() if headings else len(text)].strip()
    sections = [Section(node_type, opening)] if opening else []
    for heading, next_heading in zip(headings, [*headings[1:], None], strict=True):
        end = next_heading.start() if next_heading else len(text)
        body = _BLANK_LINES.sub("\n\n", text[heading.end() : end]).strip()
        sections.append(Section(heading.group(1).rstrip().rstrip("#").rstrip(), body))
    return HelpPage(tuple(sections))
