"""Skills as values, and the set in which they are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from ...base.errors import RequestError
from .diagnostic import Diagnostic
from .slugs import plain_query

DEFAULT_PRIORITY = 50


@dataclass(frozen=True)
class Skill:
    """`source` is its path from the context folder on. Skills of lower `priority` numbers matter more.

    `license` and `metadata` are what its front matter says of them; `home` is its folder, where it has one of its own,
    `path` its file, and `hidden` names the hidden files of that folder.
    While a message uses it, no tools are called but its `allowed_tools`, where it has some.
    """

    slug: str
    name: str
    description: str
    content: str
    source: str
    is_model_specific: bool = False
    priority: int = DEFAULT_PRIORITY
    license: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    allowed_tools: tuple[str, ...] = ()
    home: Path | None = field(default=None, compare=False, repr=False)
    path: Path | None = field(default=None, compare=False, repr=False)
    hidden: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def file(self) -> str:
        return self.source.rsplit("/", 1)[-1]

    @property
    def folder(self) -> str:
        """The name of its folder, or of its file without the ending where it has none."""
        *folders, _ = self.source.split("/")
        file = self.file
        is_flat = file.casefold() != "skill.md"
        return file.rsplit(".", 1)[0] if is_flat or not folders else folders[-1]


@dataclass(frozen=True)
class SkillLibrary:
    """`documents` can be read like skills but are not listed: they belong in the system message."""

    skills: tuple[Skill, ...] = ()
    documents: tuple[Skill, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def find(self, name: str) -> Skill | None:
        """By slug, name or folder name, whatever the case and the separators."""
        return self._by_name.get(plain_query(name))

    @property
    def left_out(self) -> list[Diagnostic]:
        """What could have been a skill and is none."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.leaves_out]

    def left_out_as(self, name: str) -> Diagnostic | None:
        """What could have been the skill of this name."""
        asked = plain_query(name)
        for diagnostic in self.left_out if asked else ():
            called = [*re.split(r"[/.]", diagnostic.path), diagnostic.name]
            if asked in map(plain_query, called):
                return diagnostic
        return None

    def beginning_with(self, words: str) -> list[Skill]:
        """The skills of which a name or the slug begins so."""
        plain = plain_query(words)
        names = self._by_name.items()
        matches = [skill for name, skill in names if plain and name.startswith(plain)]
        return [skill for skill in self.skills if any(skill is match for match in matches)]

    def closest(self, query: str) -> list[str]:
        """Slugs of skills that somebody may have meant."""
        plain = plain_query(query)
        inside = [name for name in self._by_name if plain and (plain in name or name in plain)]
        alike = get_close_matches(plain, list(self._by_name), n=3, cutoff=0.5)
        return list(dict.fromkeys(self._by_name[name].slug for name in [*inside, *alike]))[:3]

    @cached_property
    def _by_name(self) -> dict[str, Skill]:
        """The first of equal names wins: a slug before a name, then folders, then slugs without "model-"."""
        entries = (*self.skills, *self.documents)
        names: dict[str, Skill] = {}
        for skill in entries:
            names.setdefault(skill.slug, skill)
        for skill in entries:
            names.setdefault(plain_query(skill.name), skill)
        for skill in entries:
            names.setdefault(plain_query(skill.folder), skill)
        for skill in entries:
            names.setdefault(skill.slug.removeprefix("model-"), skill)
        names.pop("", None)
        return names


def merge(libraries: Iterable[SkillLibrary]) -> SkillLibrary:
    """One library of several; of two skills with one slug, or documents of one file name, the earlier's is taken."""
    skills: dict[str, Skill] = {}
    documents: dict[str, Skill] = {}
    diagnostics: list[Diagnostic] = []
    for library in libraries:
        diagnostics += library.diagnostics
        for document in library.documents:
            documents.setdefault(document.file, document)
        for skill in library.skills:
            if skills.setdefault(skill.slug, skill) is not skill:
                diagnostics.append(
                    Diagnostic(
                        skill.source,
                        f'Another skill already has the slug "{skill.slug}" ({skills[skill.slug].source}).',
                        "Rename one of the two folders.",
                        leaves_out=True,
                    )
                )
    return SkillLibrary(tuple(skills.values()), tuple(documents.values()), tuple(diagnostics))


def unknown_skill(name: str, library: SkillLibrary) -> RequestError:
    """With the names that could have been meant, or why the file that has this name is no skill."""
    if (diagnostic := library.left_out_as(name)) is not None:
        hint = f"{diagnostic} Then write the message again."
        return RequestError("not_found", f'There is no skill "{name[:60]}".', hint=hint, status=404)
    if near := [skill.slug for skill in library.beginning_with(name)] or library.closest(name):
        hint = f"Did you mean {' or '.join(near[:8])}? /skills lists all."
    elif library.skills:
        hint = f"There are: {', '.join(skill.slug for skill in library.skills[:8])}. /skills lists all."
    else:
        hint = "No skills are installed."
    return RequestError("not_found", f'There is no skill "{name[:60]}".', hint=hint, status=404)
