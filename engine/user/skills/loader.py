"""Loads folders of skills and of documents into libraries, cached as long as their files stay the same."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ...base.cache import Cache
from ...base.text.portable_text import valid_unicode
from .diagnostic import Diagnostic
from .library import SkillLibrary, merge
from .skill_file import read_document, read_skill
from .slugs import slugify

DOCUMENT_PRIORITY = 10
_MAX_ENTRIES = 1_000
_SKILL_FILE = "skill.md"
_NO_SKILLS = frozenset({"readme", "license", "licence", "thumbs", "desktop"})
"""The names, without endings, of files beside skills that are none."""

Read = tuple[SkillLibrary, list[str]]
"""A library with the paths whose change makes it outdated."""

SkillFilter = Callable[[SkillLibrary], SkillLibrary]

_Stamp = tuple[tuple[int, int, int, int], ...]
_TOO_NEW_SECONDS = 2
"""The seconds for which a changed file is not cached: file systems with coarse clocks may show a later change with
the same time.
"""


def keep_all(library: SkillLibrary) -> SkillLibrary:
    """Return the library unchanged."""
    return library


@dataclass(frozen=True)
class _CachedLibrary:
    library: SkillLibrary
    watched: Sequence[str]
    stamp: _Stamp

    def is_current(self) -> bool:
        return _stamp(self.watched) == self.stamp


class SkillCache:
    """The cache. Each library is kept under a path, with the paths that it depends on."""

    def __init__(self) -> None:
        self._libraries: Cache[str, _CachedLibrary] = Cache()
        self._merged: dict[str, tuple[tuple[SkillLibrary, ...], SkillLibrary]] = {}

    def get(self, path: str, read: Callable[[], tuple[SkillLibrary, Sequence[str]]]) -> SkillLibrary:
        """Return the library of a path. `read` returns it with the paths whose change makes it outdated."""
        if known := self._libraries.get(path, holds=_CachedLibrary.is_current):
            return known.library
        oldest_new = time.time_ns() - _TOO_NEW_SECONDS * 10**9
        library, watched = read()
        stamp = _stamp(watched)
        if stamp and all(max(changed, moved) < oldest_new for changed, moved, _, _ in stamp):
            self._libraries.keep(path, _CachedLibrary(library, watched, stamp), seconds=0)
        return library

    def merge(self, path: str, libraries: tuple[SkillLibrary, ...]) -> SkillLibrary:
        """Merge libraries, and return the previous result if none of them has changed."""
        parts, merged = self._merged.get(path, ((), None))
        if merged is None or len(parts) != len(libraries) or any(map(_differ, parts, libraries)):
            merged = merge(libraries)
            self._merged[path] = (libraries, merged)
        return merged


def _differ(one: SkillLibrary, other: SkillLibrary) -> bool:
    return one is not other and one != other


def _stamp(paths: Sequence[str]) -> _Stamp | None:
    try:
        stats = [os.stat(path) for path in paths]
    except (OSError, ValueError):
        return None
    return tuple((entry.st_mtime_ns, entry.st_ctime_ns, entry.st_size, entry.st_ino) for entry in stats)


@dataclass(frozen=True)
class SkillFolders:
    """The skills of several folders, looked up at each request, so that a new one is found at once.

    If two folders have the same slug, the earlier folder's skill wins. `documents` are Markdown files, or folders of
    them, that can be read like skills but are not listed.
    """

    folders: tuple[Path, ...]
    documents: tuple[Path, ...] = ()
    cache: SkillCache = field(default_factory=SkillCache, compare=False, repr=False)
    filter_skills: SkillFilter = field(default=keep_all, compare=False, repr=False)
    """The filter of a folder's skills, applied before another folder's skills take their place."""

    async def library(self) -> SkillLibrary:
        """Load the skills on a worker thread."""
        return await asyncio.to_thread(self.load)

    def load(self) -> SkillLibrary:
        """Load the skills. Blocks."""
        libraries = (
            *(self.filter_skills(load_skills(folder, self.cache)) for folder in self.folders),
            *(load_documents(path) for path in self.documents),
        )
        return self.cache.merge("", libraries)


def load_skills(folder: Path, cache: SkillCache | None = None) -> SkillLibrary:
    """Load `<folder>/*/SKILL.md` and `<folder>/*.md`, sorted by name. A missing folder has no skills.

    A flawed skill is loaded with a diagnostic if it has a name and a text. An entry that is not read has a
    diagnostic, too.
    """
    cache = cache or SkillCache()
    entries, diagnostics = _entries(folder, lambda entry: not entry.name.startswith("__"))
    place = os.fspath(folder)
    libraries = [
        cache.get(f"{place}{os.sep}{name}", partial(_load_folder if is_folder else _load_file, folder, name))
        for name, is_folder in entries
    ]
    return cache.merge(place, (_only(diagnostics), *libraries))


def load_documents(path: Path) -> SkillLibrary:
    """Load one Markdown file, or `<folder>/*.md` sorted by name."""
    if path.suffix == ".md":
        folder, names, diagnostics = path.parent, [path.name] if os.path.lexists(path) else [], []
    else:
        folder = path
        entries, diagnostics = _entries(path, lambda entry: entry.name.lower().endswith(".md"))
        names = [name for name, is_folder in entries if not is_folder]
    documents = []
    for name in names:
        document, problems = read_document(
            folder / name,
            inside=folder,
            label=f"{folder.name}/{valid_unicode(name)}",
            slug=slugify(name[:-3]) or f"document-{len(documents) + 1}",
            priority=DOCUMENT_PRIORITY,
        )
        diagnostics += problems
        if document is not None:
            documents.append(document)
    return SkillLibrary(documents=tuple(documents), diagnostics=tuple(diagnostics))


def _load_folder(folder: Path, name: str) -> Read:
    place = f"{_label(folder)}/{valid_unicode(name)}"
    path = folder / name
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        return _only([_listing_problem(place, error)]), [os.fspath(path)]
    spellings = [file for file in names if file.casefold() == _SKILL_FILE]
    if not spellings:
        return _only([_no_skill_file(path, place, names)]), [os.fspath(path)]
    file = "SKILL.md" if "SKILL.md" in spellings else spellings[0]
    skill, diagnostics = read_skill(path / file, inside=folder, label=f"{place}/{file}", folder=name)
    diagnostics += [
        Diagnostic(f"{place}/{other}", f"{file} lies beside it.", "Remove one of the two.", leaves_out=True)
        for other in spellings
        if other != file
    ]
    hidden = frozenset(name for name in names if name.startswith("."))
    skills = () if skill is None else (replace(skill, home=path, path=path / file, hidden=hidden),)
    return SkillLibrary(skills, diagnostics=tuple(diagnostics)), [os.fspath(path), os.fspath(path / file)]


def _load_file(folder: Path, name: str) -> Read:
    path, label = folder / name, f"{_label(folder)}/{valid_unicode(name)}"
    stem, ending = os.path.splitext(name)
    if stem.casefold() in _NO_SKILLS:
        return SkillLibrary(), [os.fspath(path)]
    if ending.casefold() != ".md":
        problem = "It is neither a folder nor a Markdown file."
        action = "A skill is a folder with a SKILL.md, or a file that ends in .md."
        return _only([Diagnostic(label, problem, action, leaves_out=True)]), [os.fspath(path)]
    skill, diagnostics = read_skill(path, inside=folder, label=label, folder=stem)
    library = SkillLibrary(
        () if skill is None else (replace(skill, path=path),), diagnostics=tuple(diagnostics)
    )
    return library, [os.fspath(path)]


def _no_skill_file(path: Path, place: str, names: list[str]) -> Diagnostic:
    texts = [name for name in names if name.casefold().endswith(".md")]
    inner = [name for name in names if os.path.isfile(path / name / "SKILL.md")]
    if inner:
        action = f"Move {valid_unicode(inner[0])}, which has one, up beside it."
    elif len(texts) == 1:
        action = f"Rename {valid_unicode(texts[0])} to SKILL.md."
    else:
        action = "Add one, or move the folder away."
    return Diagnostic(place, "It holds no SKILL.md.", action, leaves_out=True)


def _entries(
    folder: Path, accepts: Callable[[os.DirEntry[str]], bool]
) -> tuple[list[tuple[str, bool]], list[Diagnostic]]:
    """Return the visible entries of a folder, sorted, each with whether it is a folder."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                (entry.name, _is_folder(entry))
                for entry in entries
                if not entry.name.startswith(".") and accepts(entry)
            )
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [_listing_problem(_label(folder), error)]
    if len(found) <= _MAX_ENTRIES:
        return found, []
    first = valid_unicode(found[_MAX_ENTRIES][0])
    problem = f"It holds {len(found):,} entries; the first {_MAX_ENTRIES:,} are read, up to {first}."
    return found[:_MAX_ENTRIES], [Diagnostic(_label(folder), problem, "Move some away.", leaves_out=True)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _only(diagnostics: list[Diagnostic]) -> SkillLibrary:
    return SkillLibrary(diagnostics=tuple(diagnostics))


def _listing_problem(label: str, error: OSError) -> Diagnostic:
    problem = f"It cannot be listed ({error.strerror or type(error).__name__})."
    return Diagnostic(label, problem, "Check that it is a folder ComfyUI may read.", leaves_out=True)


def _label(folder: Path) -> str:
    """Return a folder's name after that of its context folder: "user_context/skills"."""
    return f"{folder.parent.name}/{folder.name}"
