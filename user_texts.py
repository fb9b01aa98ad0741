"""The user's texts for the assistant in effect: entries of the panel, then those of the files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from .engine.base.caller import PerUser, folder_of_user
from .engine.base.errors import RequestError
from .engine.store.user_entries import Change, Entry, Kind, UserEntries, one_line
from .engine.user.documents import Document, DocumentPlace
from .engine.user.own_skills.catalog import SkillCatalog
from .engine.user.own_skills.skill_store import SkillStore
from .engine.user.own_skills.states import BuiltInFilter, SkillStates
from .engine.user.personas import PersonaFiles, Personas
from .engine.user.skills.diagnostic import Diagnostic
from .engine.user.skills.library import Skill, SkillLibrary
from .engine.user.skills.loader import SkillFolders
from .user_context_loader import (
    FILES,
    UserContext,
    load_user_context,
    system_skill_folders,
    user_skill_folders,
)

DocumentName = Literal["goals", "persona", "base"]

_FIRST_RUN = "first-run"
"""The name of a pseudo document that is switched off once the user is not to be asked for an introduction."""

_IN_PACKAGE = (
    "It lies in the extension's own folder, which a new copy of the extension replaces.",
    "Move it into the folder __comfyui_assistant of ComfyUI's user folder.",
)


@dataclass(frozen=True)
class _Sources:
    """The content of the files, and all entries: those of the panel first, each kind in its order."""

    files: UserContext
    entries: Mapping[Kind, Sequence[Entry]]
    documents_off: frozenset[str]


class UserTexts:
    """The texts of the current user. Folders are cached as long as their files stay the same."""

    def __init__(self, data: Path, *, system_context: Path, user_context: Path, entries: UserEntries) -> None:
        self._data = data
        self._system_context = system_context
        self._user_context = user_context
        self._entries = entries
        self._stores = PerUser(data, lambda folder: SkillStore(folder, SkillStates(folder)))
        self._user_folders = PerUser(data, self._open_user_folders)
        self._system_folders = PerUser(data, self._open_system_folders)

    @property
    def folder(self) -> Path:
        return folder_of_user(self._data)

    def user_folders(self) -> SkillFolders:
        return self._user_folders.get()

    def _open_user_folders(self, folder: Path) -> SkillFolders:
        return user_skill_folders(folder, self._user_context, self.skill_store().states.filter_active)

    def skill_store(self) -> SkillStore:
        """Return the user's own skills, for writing."""
        return self._stores.get()

    def every_skill(self) -> SkillCatalog:
        """Return all skills, including those that are switched off or not accepted yet."""
        return SkillCatalog(self.skill_store(), self.user_folders(), self.system_folders())

    def system_folders(self) -> SkillFolders:
        """Return the system's folders with the user's own base prompt and skills in place of the extension's."""
        return self._system_folders.get()

    def _open_system_folders(self, folder: Path) -> SkillFolders:
        filter_skills = BuiltInFilter(self.skill_store().states, self.user_folders()).apply
        return system_skill_folders(
            self._system_context, folder / "system_context", filter_skills=filter_skills
        )

    async def personas(self) -> Personas:
        return await asyncio.to_thread(PersonaFiles(self.folder).load)

    async def read_persona(self, slug: str) -> Document:
        return await asyncio.to_thread(PersonaFiles(self.folder).read, slug)

    async def write_persona(self, slug: str, text: str, seen: str) -> Document:
        return await asyncio.to_thread(PersonaFiles(self.folder).write, slug, text, seen)

    async def context(self, persona: str = "") -> UserContext:
        """Return the texts in effect, in a chat with the persona of this slug, if any."""
        chosen = (await self.personas()).get(persona) if persona else None
        sources = await self._sources()
        on = {kind: [each for each in entries if each.is_on] for kind, entries in sources.entries.items()}
        goals, soul = (
            "" if name in sources.documents_off else text
            for name, text in (("goals", sources.files.goals), ("persona", sources.files.soul))
        )
        return replace(
            sources.files,
            rules=_texts(rule for rule in on["rules"] if not _is_in_reminders_file(rule)),
            reminders=_texts(rule for rule in on["rules"] if rule.repeats),
            preferences=tuple((entry.text, entry.value) for entry in on["preferences"]),
            goals=goals,
            soul=chosen.text if chosen else soul,
            base=chosen.text if chosen and chosen.replaces_base else "",
        )

    async def library(self) -> SkillLibrary:
        """Return the user's skills, with their texts as documents; one that the panel changed replaces that of its
        file.
        """
        library = await self.user_folders().library()
        written, holds = await self._load_files(), await self.context()
        texts = (
            ("rules", written.rules != holds.rules, _bullet_list(holds.rules)),
            ("reminders", written.reminders != holds.reminders, _bullet_list(holds.reminders)),
            ("goals", written.goals != holds.goals, holds.goals),
            ("soul", written.soul != holds.soul, holds.soul),
            ("preferences", True, _bullet_list(f"{name}: {value}" for name, value in holds.preferences)),
        )
        changed = {slug: text for slug, is_changed, text in texts if is_changed}
        personas = tuple(
            Skill(f"persona-{each.slug}", each.name, each.description, each.text, source=each.source)
            for each in (await self.personas()).found
        )
        library = replace(library, documents=(*library.documents, *personas))
        others = tuple(document for document in library.documents if document.slug not in changed)
        own = tuple(
            Skill(slug, slug.title(), "", text, source=slug) for slug, text in changed.items() if text
        )
        return replace(library, documents=(*others, *own))

    async def entries(self, kind: Kind) -> Sequence[Entry]:
        return (await self._sources()).entries[kind]

    async def remember(self, kind: Kind, text: str, value: str = "") -> Entry:
        """Add an entry and return it; one that stands in the file already is not added."""
        wanted = Entry(one_line(text), one_line(value), source="file")
        return wanted if wanted in await self.entries(kind) else await self._entries.add(kind, text, value)

    async def change(self, kind: Kind, text: str, change: Change) -> Entry:
        """Change an entry of the panel.

        Raises:
            RequestError: the entry stands in a file.
        """
        await self._check_not_in_file(kind, text)
        return await self._entries.change(kind, text, change)

    async def forget(self, kind: Kind, text: str) -> None:
        """Delete an entry of the panel.

        Raises:
            RequestError: the entry stands in a file.
        """
        await self._check_not_in_file(kind, text)
        await self._entries.delete(kind, text)

    async def _check_not_in_file(self, kind: Kind, text: str) -> None:
        same = [entry for entry in await self.entries(kind) if entry.text == text]
        if same and all(entry.source == "file" for entry in same):
            file = "reminders.md" if same[0].repeats else f"{kind}.{'md' if kind == 'rules' else 'json'}"
            raise RequestError(
                "invalid_request",
                f'"{text[:80]}" stands in {file}, which is not written here.',
                hint="Edit that file; what it says holds from the next message on.",
            )

    async def documents(self) -> list[dict[str, Any]]:
        off = (await self._entries.all()).documents_off
        read = await asyncio.to_thread(lambda: {name: place.read() for name, place in self._places().items()})
        return [
            {"name": name, **document.as_json(), "isOn": name not in off} for name, document in read.items()
        ]

    async def problems(self) -> tuple[Diagnostic, ...]:
        """Return the problems of the files; documents report their own."""
        documents = {each["source"] for each in await self.documents() if "problem" in each}
        unreported = [each for each in (await self._load_files()).problems if each.path not in documents]
        return (*unreported, *await asyncio.to_thread(self._package_problems))

    def _package_problems(self) -> list[Diagnostic]:
        """Report files in effect that lie in the extension's folder, which an update replaces."""
        return [
            Diagnostic(f"{self._user_context.name}/{name}", *_IN_PACKAGE)
            for name in FILES
            if os.path.isfile(self._user_context / name) and not os.path.exists(self.folder / name)
        ]

    async def write_document(self, name: DocumentName, text: str, seen: str) -> Document:
        return await asyncio.to_thread(self._places()[name].write, text, seen)

    async def switch_document(self, name: DocumentName, *, is_on: bool) -> None:
        await self._entries.switch_document(name, is_on=is_on)

    async def is_first_run(self) -> bool:
        """Return whether the user has no texts yet and may be asked for an introduction."""
        sources = await self._sources()
        if _FIRST_RUN in sources.documents_off or sources.files.goals or sources.files.soul:
            return False
        return not any(sources.entries.values())

    async def end_first_run(self) -> None:
        await self._entries.switch_document(_FIRST_RUN, is_on=False)

    def _places(self) -> dict[DocumentName, DocumentPlace]:
        role = "system_context/01_role.md"
        return {
            "goals": DocumentPlace(self.folder, "goals.md", self._user_context / "goals.md"),
            "persona": DocumentPlace(self.folder, "SOUL.md", self._user_context / "SOUL.md"),
            "base": DocumentPlace(self.folder, role, self._system_context / "01_role.md"),
        }

    async def _sources(self) -> _Sources:
        files, entries = await asyncio.gather(self._load_files(), self._entries.all())
        in_files: Mapping[Kind, Sequence[Entry]] = {
            "rules": [
                *(Entry(text, source="file") for text in files.rules),
                *(Entry(text, source="file", repeats=True) for text in files.reminders),
            ],
            "preferences": [Entry(text, value, source="file") for text, value in files.preferences],
        }
        together: Mapping[Kind, Sequence[Entry]] = {
            kind: _merge_entries(entries.by_kind[kind], lines) for kind, lines in in_files.items()
        }
        return _Sources(files, together, entries.documents_off)

    async def _load_files(self) -> UserContext:
        return await asyncio.to_thread(load_user_context, self.folder, self._user_context)


def _bullet_list(entries: Iterable[str]) -> str:
    return "\n".join(f"- {entry}" for entry in entries)


def _texts(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.text for entry in entries))


def _is_in_reminders_file(rule: Entry) -> bool:
    """Return whether the entry is a line of reminders.md, which only repeats."""
    return rule.source == "file" and rule.repeats


def _merge_entries(entries: Sequence[Entry], lines: Sequence[Entry]) -> list[Entry]:
    """Return the panel's entries, then the file's lines without those that equal an entry in text and repetition."""
    present = {(entry.text, entry.repeats) for entry in entries}
    return [*entries, *(line for line in dict.fromkeys(lines) if (line.text, line.repeats) not in present)]
