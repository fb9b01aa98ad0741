"""Skills as values, and the set in which they are looked up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from ..errors import RequestError
from .diagnostic import Diagnostic

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_NUMBER = re.compile(r"\d+[ _-]+")
_SEPARATORS = re.compile(r"[ _-]+")
_DEVICE = re.compile(r"con|prn|aux|nul|(com|lpt)\d")

DEFAULT_PRIORITY = 50


@dataclass(frozen=True)
class Skill:
    """`source` is its path from the context folder on. Skills of lower `priority` numbers matter more."""

    slug: str
    name: str
    description: str
    content: str
    source: str
    is_model_specific: bool = False
    priority: int = DEFAULT_PRIORITY


@dataclass(frozen=True)
class SkillLibrary:
    """`documents` can be read like skills but are not listed: they belong in the system message."""

    skills: tuple[Skill, ...] = ()
    documents: tuple[Skill, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def find(self, name: str) -> Skill | None:
        """By slug, name or folder name, whatever the case and the separators."""
        return self._by_name.get(_plain_query(name))

    def beginning_with(self, words: str) -> list[Skill]:
        """The skills of which a name or the slug begins so."""
        plain = _plain_query(words)
        names = self._by_name.items()
        matches = [skill for name, skill in names if plain and name.startswith(plain)]
        return [skill for skill in self.skills if any(skill is match for match in matches)]

    def closest(self, query: str, *, limit: int = 3) -> list[str]:
        """Slugs of skills that somebody may have meant."""
        plain = _plain_query(query)
        inside = [name for name in self._by_name if plain and (plain in name or name in plain)]
        alike = get_close_matches(plain, list(self._by_name), n=limit, cutoff=0.5)
        return list(dict.fromkeys(self._by_name[name].slug for name in [*inside, *alike]))[:limit]

    @cached_property
    def _by_name(self) -> dict[str, Skill]:
        """The first of equal names wins, a slug before a name, and both before a name without "model-"."""
        entries = (*self.skills, *self.documents)
        names: dict[str, Skill] = {}
        for skill in entries:
            names.setdefault(skill.slug, skill)
        for skill in entries:
            names.setdefault(_plain(unicodedata.normalize("NFC", skill.name)), skill)
        for skill in entries:
            names.setdefault(skill.slug.removeprefix("model-"), skill)
        names.pop("", None)
        return names


def slug_of(folder_name: str) -> str | None:
    """`09_model_flux` gives `model-flux`: no order number, lower case, hyphens. None for a name that gives none.

    The letters are ASCII alone and the names of Windows devices are out, so that a slug means the same one
    folder on every file system, in every normal form, and in a URL.
    """
    if not folder_name.isascii():
        return None
    slug = _plain(folder_name)
    return slug if _SLUG.fullmatch(slug) and not _DEVICE.fullmatch(slug) else None


def merge(libraries: Iterable[SkillLibrary]) -> SkillLibrary:
    """One library of several; where two have the same slug, the earlier library's skill is taken."""
    skills: dict[str, Skill] = {}
    documents: list[Skill] = []
    diagnostics: list[Diagnostic] = []
    for library in libraries:
        diagnostics += library.diagnostics
        documents += library.documents
        for skill in library.skills:
            if skills.setdefault(skill.slug, skill) is not skill:
                diagnostics.append(
                    Diagnostic(
                        skill.source,
                        f'Another skill already has the slug "{skill.slug}" ({skills[skill.slug].source}).',
                        "Rename one of the two folders.",
                    )
                )
    return SkillLibrary(tuple(skills.values()), tuple(documents), tuple(diagnostics))


def unknown_skill(name: str, library: SkillLibrary) -> RequestError:
    names = [skill.slug for skill in library.beginning_with(name)] or library.closest(name)
    names = names or [skill.slug for skill in library.skills]
    return RequestError(
        "unknown_skill",
        f'There is no skill "{name[:60]}".',
        hint=f"There are: {', '.join(names[:8])}." if names else "No skills are installed.",
        status=404,
    )


def _plain_query(words: str) -> str:
    """A name as a person or model writes it: with blanks, quotes or a slash around it."""
    return _plain(unicodedata.normalize("NFC", words).strip(" \t\n\"'`/"))


def _plain(name: str) -> str:
    """The name without its order number, in lower case, its words joined by hyphens."""
    number = _NUMBER.match(name)
    return _SEPARATORS.sub("-", name[number.end() :] if number else name).strip("-").casefold()
