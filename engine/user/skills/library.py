"""Skills, and the library that finds them, also by the words after `/skill`."""

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

_QUOTED = re.compile(r"\s*[\"“„«]([^\"“”»\n]{1,80})[\"”“»]")
_WORD = re.compile(r"[^\s]+")
_MOST_WORDS = 8
_LONGEST_NAME = 1_000
_AROUND = ",.:;!?"


@dataclass(frozen=True)
class Skill:
    """A skill. `source` is its path from the context folder on. Lower `priority` numbers are more important.

    `license` and `metadata` come from its front matter; `home` is its own folder, or None, `path` its file, and
    `hidden` names the hidden files of that folder. If a skill has `allowed_tools`, only these are called while a
    message uses it.
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
        """The name of the skill's folder, or of its file without the ending if it has none."""
        *folders, _ = self.source.split("/")
        file = self.file
        is_flat = file.casefold() != "skill.md"
        return file.rsplit(".", 1)[0] if is_flat or not folders else folders[-1]


@dataclass(frozen=True)
class SkillLibrary:
    """The skills that were loaded. `documents` can be read like skills but belong in the system message, unlisted."""

    skills: tuple[Skill, ...] = ()
    documents: tuple[Skill, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def find(self, name: str) -> Skill | None:
        """Return the skill with a slug, name or folder name, in any case and with any separators, or None."""
        return self._by_name.get(plain_query(name))

    @property
    def left_out(self) -> list[Diagnostic]:
        """The problems of files that could have been skills."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.leaves_out]

    def find_left_out(self, name: str) -> Diagnostic | None:
        """Return the problem of the file that could have been the skill of this name, or None."""
        asked = plain_query(name)
        for diagnostic in self.left_out if asked else ():
            called = [*re.split(r"[/.]", diagnostic.path), diagnostic.name]
            if asked in map(plain_query, called):
                return diagnostic
        return None

    def find_by_prefix(self, words: str) -> list[Skill]:
        """Return the skills whose slug or name begins so."""
        plain = plain_query(words)
        names = self._by_name.items()
        matches = [skill for name, skill in names if plain and name.startswith(plain)]
        return [skill for skill in self.skills if any(skill is match for match in matches)]

    def closest(self, query: str) -> list[str]:
        """Return the slugs of up to three skills with similar names."""
        plain = plain_query(query)
        inside = [name for name in self._by_name if plain and (plain in name or name in plain)]
        alike = get_close_matches(plain, list(self._by_name), n=3, cutoff=0.5)
        return list(dict.fromkeys(self._by_name[name].slug for name in [*inside, *alike]))[:3]

    @cached_property
    def _by_name(self) -> dict[str, Skill]:
        """Skills by name. The first of equal names wins: slugs, then names, folders, slugs without "model-"."""
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
    """Merge libraries; of skills with one slug, or documents with one file name, the first wins."""
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
    """Return the error for an unknown skill, with similar names, or the problem of the file with this name."""
    if (diagnostic := library.find_left_out(name)) is not None:
        hint = f"{diagnostic} Then write the message again."
        return RequestError("not_found", f'There is no skill "{name[:60]}".', hint=hint, status=404)
    if near := [skill.slug for skill in library.find_by_prefix(name)] or library.closest(name):
        hint = f"Did you mean {' or '.join(near[:8])}? /skills lists all."
    elif library.skills:
        hint = f"There are: {', '.join(skill.slug for skill in library.skills[:8])}. /skills lists all."
    else:
        hint = "No skills are installed."
    return RequestError("not_found", f'There is no skill "{name[:60]}".', hint=hint, status=404)


def parse_skill_command(command: str, library: SkillLibrary) -> tuple[Skill, str]:
    """Return the skill that the first words name, and the rest, which is the request.

    The longest exact name wins, then the longest beginning of only one name. A name may be in quotation marks.

    Raises:
        RequestError: `not_found`, with the closest names, or those that begin with the words.
    """
    if quoted := _QUOTED.match(command):
        name, rest = quoted[1], command[quoted.end() :]
        if (skill := library.find(name) or _unique_match(name, library)) is None:
            raise unknown_skill(name, library)
        return skill, rest.strip()
    line = command.split("\n", 1)[0][:_LONGEST_NAME]
    ends = [word.end() for word in _WORD.finditer(line)][:_MOST_WORDS]
    for look in (library.find, lambda name: _unique_match(name, library)):
        for end in reversed(ends):
            if (skill := look(line[:end].rstrip(_AROUND))) is not None:
                return skill, command[end:].strip()
    names = [line[:end].rstrip(_AROUND) for end in ends] or [""]
    raise unknown_skill(next(filter(library.find_left_out, reversed(names)), names[0]), library)


def _unique_match(beginning: str, library: SkillLibrary) -> Skill | None:
    skills = library.find_by_prefix(beginning)
    return skills[0] if len(skills) == 1 else None
