"""Workflow templates: ComfyUI's own from its packages, and the examples of custom node packages."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from heapq import nlargest
from pathlib import Path
from threading import Lock
from typing import Any

from ..base.text.portable_text import strict_json
from .host import ComfyHost, TemplateFolder
from .synonyms import conversions
from .text_index import TextIndex
from .words import parts, squeeze

logger = logging.getLogger(__name__)

_INDEX = "index.json"
_NO_WORKFLOW = ("index", "fuse_options")
_MAX_BYTES = 8_000_000
_PAID, _PAID_NAME = "API", "api_"
_PAID_STANDING = 0.6
_WAY_STANDING = 1.5
"""The factor of a template whose name or title has the query's "image to video" as a phrase, not only its words."""
_WEIGHTS = (6.0, 8.0, 5.0, 5.0, 2.0, 3.0)
_WAY = re.compile(
    r"(?<![^\W_])(i|img|image|t|txt|text|ti|v|vid|video|a|audio|s|m|ref|flf)2"
    r"(i|img|image|v|vid|video|a|audio|m|music)(?![^\W_])",
    re.IGNORECASE,
)
_ENDS = {
    "i": "image",
    "img": "image",
    "t": "text",
    "txt": "text",
    "ti": "text image",
    "v": "video",
    "vid": "video",
    "a": "audio",
    "s": "speech",
    "m": "music",
    "ref": "reference",
    "flf": "first last frame",
}


@dataclass(frozen=True)
class Template:
    """A template. `name` is unique: the file's own, prefixed by the package and a colon for custom nodes' examples."""

    name: str
    path: Path
    title: str
    description: str = ""
    tags: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    package: str | None = None

    @property
    def is_paid(self) -> bool:
        """Whether a run costs money, whatever nodes are installed."""
        return _PAID in self.tags or (self.package is None and self.name.startswith(_PAID_NAME))


class UnreadableTemplate(Exception):
    """The error that a template's file is gone, too large, or holds no workflow."""


@dataclass(frozen=True)
class TemplateLibrary:
    templates: tuple[Template, ...]
    _texts: TextIndex = field(repr=False, compare=False)

    @classmethod
    def build(cls, templates: Sequence[Template]) -> TemplateLibrary:
        return cls(tuple(templates), TextIndex.build(map(_texts, templates), weights=_WEIGHTS))

    def search(self, query: str, *, limit: int | None = None) -> list[Template]:
        """Return the templates that match, best first; without words all, in the order of the packages."""
        if not parts(query):
            return list(self.templates[:limit])
        scores = {
            number: score * (_PAID_STANDING if self.templates[number].is_paid else 1)
            for number, score in self._texts.find(query, is_for_nodes=False).scores.items()
        }
        if ways := [phrase for phrases in conversions(query) for phrase in phrases]:
            for number in scores:
                if any(way in phrases for phrases in _way_phrases(self.templates[number]) for way in ways):
                    scores[number] *= _WAY_STANDING
        exact = squeeze(query)
        for number, template in enumerate(self.templates):
            if exact in (squeeze(template.name), squeeze(template.title)):
                scores[number] = scores.get(number, 0.0) + 1_000
        best = nlargest(
            len(scores) if limit is None else limit, scores, key=lambda number: (scores[number], -number)
        )
        return [self.templates[number] for number in best]

    def find(self, name: str) -> Template | None:
        """Return the template of this name, else one whose name or title differs only by case and punctuation."""
        exact = [template for template in self.templates if template.name == name]
        plain_name = squeeze(name)
        alike = exact or [
            template
            for template in self.templates
            if plain_name and plain_name in (squeeze(template.name), squeeze(template.title))
        ]
        return alike[0] if alike else None

    def closest(self, name: str) -> list[str]:
        names = [template.name for template in self.templates]
        matches = [template.name for template in self.search(name, limit=5)]
        return list(dict.fromkeys((*get_close_matches(name, names, n=5, cutoff=0.7), *matches)))[:5]


class TemplateShelf:
    """Provides the current templates, reading them again when one of their folders changed. Blocks."""

    def __init__(self, host: ComfyHost) -> None:
        self._host = host
        self._latest: tuple[Hashable, TemplateLibrary] | None = None
        self._lock = Lock()

    def library(self) -> TemplateLibrary:
        with self._lock:
            folders = self._host.template_folders()
            version = tuple((folder, _modification_time(folder.path)) for folder in folders)
            if self._latest is None or self._latest[0] != version:
                self._latest = (version, TemplateLibrary.build(list(_templates_in(folders))))
            return self._latest[1]


def read_workflow(template: Template) -> dict[str, Any]:
    """Return the workflow of a template's file, in the form of the editor or of the API.

    Raises:
        UnreadableTemplate: with what is wrong, for whoever asked for it.
    """
    try:
        if template.path.stat().st_size > _MAX_BYTES:
            raise UnreadableTemplate(f"it is larger than {_MAX_BYTES // 1_000_000} MB")
        workflow = strict_json(template.path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableTemplate(f"its file cannot be read ({type(error).__name__})") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableTemplate("its file is not valid JSON") from error
    if not isinstance(workflow, dict) or not (_is_editor_form(workflow) or _is_api_form(workflow)):
        raise UnreadableTemplate("its file holds no workflow")
    return workflow


def _is_editor_form(workflow: Mapping[str, Any]) -> bool:
    return isinstance(workflow.get("nodes"), list)


def _is_api_form(workflow: Mapping[str, Any]) -> bool:
    return any(isinstance(node, dict) and "class_type" in node for node in workflow.values())


def _templates_in(folders: Sequence[TemplateFolder]) -> Iterator[Template]:
    """Yield the templates; the first of a name wins, and those in an index come first, in its order."""
    official = [folder for folder in folders if folder.package is None]
    descriptions = {
        entry["name"]: entry for folder in official for entry in _index_entries(folder.path / _INDEX)
    }
    files = {path.stem: path for folder in reversed(official) for path in _workflow_files(folder.path)}
    for name in (
        *(name for name in descriptions if name in files),
        *sorted(files.keys() - descriptions.keys()),
    ):
        yield _official(name, files[name], descriptions.get(name, {}))
    names: set[str] = set()
    for folder in folders:
        for path in _workflow_files(folder.path) if folder.package else ():
            name = f"{folder.package}:{path.stem}"
            if name not in names:
                names.add(name)
                yield Template(name, path, title=path.stem, package=folder.package)


def _official(name: str, path: Path, entry: Mapping[str, Any]) -> Template:
    return Template(
        name=name,
        path=path,
        title=str(entry.get("title") or name),
        description=str(entry.get("description") or ""),
        tags=_strings(entry.get("tags")),
        models=_strings(entry.get("models")),
    )


def _index_entries(index: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the templates in an index, which is a list of groups."""
    try:
        groups = json.loads(index.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError, RecursionError) as error:
        logger.warning("the template index %s cannot be read (%s)", index, type(error).__name__)
        return
    for group in groups if isinstance(groups, list) else []:
        entries = group.get("templates") if isinstance(group, dict) else None
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                yield entry


def _workflow_files(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        folder / name
        for name in names
        if name.endswith(".json") and not name.startswith((".", *_NO_WORKFLOW))
    ]


def _texts(template: Template) -> tuple[str, ...]:
    return (
        _spelled_out(template.name),
        template.title,
        " ".join(template.tags),
        " ".join(template.models),
        template.description,
        template.package or "",
    )


def _way_phrases(template: Template) -> tuple[str, str]:
    return (" ".join(parts(_spelled_out(template.name))), " ".join(parts(template.title)))


def _spelled_out(name: str) -> str:
    """Return the name followed by its abbreviations in full: `video_wan2_2_14B_i2v image to video`."""
    ways = [(one.lower(), other.lower()) for one, other in _WAY.findall(name)]
    return " ".join([name, *(f"{_ENDS.get(one, one)} to {_ENDS.get(other, other)}" for one, other in ways)])


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _modification_time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
