"""The list of every skill: the user's own, those of the extension's folder, and the built-in ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from ...base.files.regular_file import read_regular_file
from ...base.text.portable_text import decode_text, normalize_newlines, reveal_invisible
from ...context.tokens import count_text
from ..skills.diagnostic import Diagnostic
from ..skills.library import Skill, SkillLibrary, unknown_skill
from ..skills.loader import SkillCache, SkillFolders, keep_all, load_skills
from ..skills.skill_file import MAX_BYTES
from ..skills.skill_files import MOST_SHOWN, list_files, read_texts
from .history import Change
from .import_record import hash_contents, read_import_record
from .skill_store import SkillStore
from .states import State

Place = Literal["built-in", "package", "own", "elsewhere"]
"""The place of a skill: `package` is the extension's folder `user_context`, `elsewhere` the user's folder, imported."""

_NEWEST_CHANGES = 20


@dataclass(frozen=True)
class CatalogEntry:
    """A skill in the list. `is_used` says that no other skill of its name takes its place."""

    skill: Skill
    place: Place
    state: State
    origin: str
    is_used: bool

    def as_json(self) -> dict[str, Any]:
        skill = self.skill
        return {
            "slug": skill.slug,
            "name": skill.name,
            "description": skill.description,
            "source": skill.source,
            "place": self.place,
            "state": self.state,
            "isUsed": self.is_used,
            "tokens": count_text(skill.content),
            **({"from": self.origin} if self.origin else {}),
        }


@dataclass(frozen=True)
class SkillCatalog:
    """The skills of a user, all of them. `users` and `system` are the folders, read in this order. Its methods
    block.
    """

    store: SkillStore
    users: SkillFolders
    system: SkillFolders

    def library(self) -> SkillLibrary:
        """Return the user's skills, also inactive ones, with the problems of their files."""
        return replace(self.users, filter_skills=keep_all, documents=()).load()

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the problems of all skill files; replaced or switched-off skills are none."""
        system = replace(self.system, filter_skills=keep_all, cache=SkillCache()).load()
        return (*self.library().diagnostics, *system.diagnostics)

    def entries(self) -> list[CatalogEntry]:
        """Return all skills in the order of their folders."""
        used: set[str] = set()
        found = []
        for skill, is_users in self._skills():
            place, origin = self._place(skill, is_users=is_users)
            state = self.store.states.state(skill, is_built_in=not is_users)
            found.append(CatalogEntry(skill, place, state, origin, state == "on" and skill.slug not in used))
            if state == "on":
                used.add(skill.slug)
        return found

    def changes(self) -> list[Change]:
        """Return the newest changes that can be undone, at most 20."""
        return self.store.history.newest()[:_NEWEST_CHANGES]

    def find(self, slug: str, place: str = "") -> CatalogEntry:
        """Return the first skill with a slug, or the one at a `place`.

        Raises:
            RequestError: `not_found`.
        """
        named = (listed for listed in self.entries() if listed.skill.slug == slug)
        found = next((listed for listed in named if place in ("", listed.place)), None)
        if found is None:
            raise unknown_skill(slug, SkillLibrary(tuple(skill for skill, _ in self._skills())))
        return found

    def read(self, slug: str, place: str = "") -> dict[str, Any]:
        """Return a skill for the user: the text of its file, and the texts of the files beside it.

        Raises:
            RequestError: `not_found`, `not_own_skill` or `too_large`.
        """
        listed = self.find(slug, place)
        skill = listed.skill
        is_own = listed.place in ("own", "elsewhere")
        if is_own:
            written = self.store.read(slug)
            text, version = written.text, written.version
        else:
            text, version = _file_text(skill), ""
        _, more = list_files(skill, most=MOST_SHOWN)
        home = skill.home
        contents = hash_contents(home) if listed.place == "elsewhere" and home else ""
        return {
            **listed.as_json(),
            "text": text,
            "version": version,
            "contents": contents,
            "files": [{"path": path, **_text_as_json(text)} for path, text in read_texts(skill)],
            "moreFiles": more,
        }

    def _skills(self) -> Iterator[tuple[Skill, bool]]:
        for folder in self.users.folders:
            yield from ((skill, True) for skill in load_skills(folder, self.users.cache).skills)
        for folder in self.system.folders:
            yield from ((skill, False) for skill in load_skills(folder, self.system.cache).skills)

    def _place(self, skill: Skill, *, is_users: bool) -> tuple[Place, str]:
        if not is_users:
            return "built-in", ""
        if skill.path is None or self.store.folder not in skill.path.parents:
            return "package", ""
        mark = read_import_record(skill.home)
        return ("own", "") if mark is None else ("elsewhere", mark.name)


def _file_text(skill: Skill) -> str:
    if skill.path is None:
        return ""
    content, size = read_regular_file(skill.path.resolve(), MAX_BYTES)
    return reveal_invisible(normalize_newlines(decode_text(content, is_whole=size <= len(content))))


def _text_as_json(text: str | Diagnostic) -> dict[str, str]:
    return {"text": text} if isinstance(text, str) else {"problem": text.problem}
