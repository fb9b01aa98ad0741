"""The states of a user's skills: on, switched off, or imported and not accepted yet; and the filters by them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import is_
from pathlib import Path
from typing import Any, Literal

from ...base.files.regular_file import read_whole_regular_file
from ...base.files.writing import locked, saving, write_whole_file
from ...base.text.portable_text import decode_text
from ..skills.diagnostic import Diagnostic
from ..skills.library import Skill, SkillLibrary
from ..skills.loader import SkillFolders
from .import_record import IMPORT_RECORD, read_import_record

State = Literal["on", "off", "new"]
"""The state of a skill; `new` is imported and not accepted yet."""

_MAX_BYTES = 4_000_000
_BUILT_IN = "built-in/"
"""The prefix of built-in skills in the list of switched-off ones; slugs have no slash."""

_REASONS: dict[str, tuple[str, str]] = {
    "off": ("It is switched off.", "Switch it on in the list that /skills opens."),
    "new": ("It is from elsewhere, and nobody has accepted it yet.", "Read and accept it: /skills."),
}


@dataclass(frozen=True)
class _States:
    """The slugs of skills that are off, with a prefix if built in, and the hashes of accepted skills by slug."""

    off: frozenset[str] = frozenset()
    accepted: Mapping[str, str] = field(default_factory=dict)


class SkillStates:
    """The states of a user's skills, in a file of the user's folder `data`. Its methods block.

    An unreadable file switches nothing off and accepts nothing.
    """

    def __init__(self, data: Path) -> None:
        self._file = data / "skills-state.json"
        self._file_before = data / "skills-off.json"
        self._own = f"{data / 'skills'}{os.sep}"

    def filter_active(self, library: SkillLibrary) -> SkillLibrary:
        """Return a library without inactive skills, which are listed as left out; the same one if all are active."""
        saved = self._read()
        states: list[tuple[Skill, State]] = [(skill, self._state(skill, saved)) for skill in library.skills]
        inactive = [(skill, state) for skill, state in states if state != "on"]
        if not inactive:
            return library
        diagnostics = (
            Diagnostic(skill.source, *_REASONS[state], leaves_out=True, name=skill.name)
            for skill, state in inactive
        )
        return replace(
            library,
            skills=tuple(skill for skill, state in states if state == "on"),
            diagnostics=(*library.diagnostics, *diagnostics),
        )

    def state(self, skill: Skill, *, is_built_in: bool = False) -> State:
        """Return the state of a skill."""
        if is_built_in:
            return "off" if skill.slug in self.disabled_built_ins() else "on"
        return self._state(skill, self._read())

    def is_off(self, slug: str) -> bool:
        """Return whether one of the user's own skills is switched off."""
        return slug in self._read().off

    def disabled_built_ins(self) -> frozenset[str]:
        """Return the slugs of switched-off built-in skills; the user's own skills are not affected."""
        return frozenset(
            name.removeprefix(_BUILT_IN) for name in self._read().off if name.startswith(_BUILT_IN)
        )

    def switch(self, slug: str, *, is_on: bool, is_built_in: bool = False) -> None:
        """Switch a skill on or off.

        Raises:
            StoreError: `disk_full` or `not_saved`.
        """
        slug = f"{_BUILT_IN}{slug}" if is_built_in else slug
        if is_on and slug not in self._read().off:
            return
        with self._change() as saved:
            off = saved.off - {slug} if is_on else saved.off | {slug}
            self._write(replace(saved, off=off))

    def accept(self, slug: str, contents: str) -> None:
        """Accept an imported skill with the hash of its contents.

        Raises:
            StoreError: `disk_full` or `not_saved`.
        """
        with self._change() as saved:
            self._write(replace(saved, accepted={**saved.accepted, slug: contents}))

    def forget_other_acceptance(self, slug: str, contents: str) -> None:
        """Drop the acceptance of a skill with this name, unless its contents are the same.

        Raises:
            StoreError: `disk_full` or `not_saved`.
        """
        if self._read().accepted.get(slug, contents) == contents:
            return
        with self._change() as saved:
            accepted = {name: each for name, each in saved.accepted.items() if name != slug}
            self._write(replace(saved, accepted=accepted))

    def _state(self, skill: Skill, saved: _States) -> State:
        record = read_import_record(skill.home) if IMPORT_RECORD in skill.hidden else None
        if record is not None and not record.is_accepted:
            is_own = os.fspath(skill.path or "").startswith(self._own)
            if not is_own or skill.slug not in saved.accepted:
                return "new"
        return "off" if skill.slug in saved.off else "on"

    def _read(self) -> _States:
        try:
            value = _json(self._file)
        except FileNotFoundError:
            return _States(_texts(_json_or_none(self._file_before)))
        except (OSError, ValueError, RecursionError):
            return _States()
        match value:
            case {"off": off, "accepted": dict(accepted)}:
                pairs = {slug: each for slug, each in accepted.items() if isinstance(each, str)}
                return _States(_texts(off), pairs)
            case _:
                return _States()

    def _write(self, states: _States) -> None:
        value = {"off": sorted(states.off), "accepted": dict(states.accepted)}
        write_whole_file(self._file, json.dumps(value).encode())

    @contextmanager
    def _change(self) -> Iterator[_States]:
        with saving("Which skills are on"), locked(self._file.with_suffix(".lock")):
            yield self._read()


def _json(path: Path) -> Any:
    return json.loads(decode_text(read_whole_regular_file(path, _MAX_BYTES)))


def _json_or_none(path: Path) -> Any:
    try:
        return _json(path)
    except (OSError, ValueError, RecursionError):
        return None


def _texts(value: Any) -> frozenset[str]:
    return (
        frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else frozenset()
    )


@dataclass(frozen=True)
class BuiltInFilter:
    """Replaces built-in skills by the user's. `users` are the user's own active skills. Its methods block."""

    states: SkillStates
    users: SkillFolders

    def apply(self, library: SkillLibrary) -> SkillLibrary:
        """Return a library without switched-off skills, with the user's in place of others; the same one if nothing
        differs.

        A skill that the system message has whole is replaced there by one that the user wrote. An imported one is
        read by tool, so that the user is asked about what follows from it.
        """
        off = self.states.disabled_built_ins()
        own = {skill.slug: skill for skill in self.users.load().skills}
        skills: list[Skill] = []
        diagnostics: list[Diagnostic] = []
        for skill in library.skills:
            others = own.get(skill.slug)
            if others is None and skill.slug not in off:
                skills.append(skill)
            elif others is None:
                action = "Switch it on in the list that /skills opens."
                diagnostics.append(
                    Diagnostic(skill.source, "It is switched off.", action, leaves_out=True, name=skill.name)
                )
            elif skill.is_model_specific or read_import_record(others.home) is not None:
                problem = "A skill of the user has its name and takes its place."
                action = f'Read it with getUserSkill "{skill.slug}".'
                diagnostics.append(Diagnostic(skill.source, problem, action, leaves_out=True))
            else:
                skills.append(replace(others, priority=skill.priority, is_model_specific=False))
        if not diagnostics and all(map(is_, skills, library.skills)):
            return library
        return replace(library, skills=tuple(skills), diagnostics=(*library.diagnostics, *diagnostics))
