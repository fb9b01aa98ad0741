"""Which of a person's skills hold: not those switched off, nor those from elsewhere that nobody has accepted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ..files.regular_file import read_whole_regular_file
from ..files.saving import saving
from ..files.whole_file import write_whole_file
from ..skills.diagnostic import Diagnostic
from ..skills.library import Skill, SkillLibrary
from ..store.processes.file_lock import locked
from ..text.whole_text import decode_text
from .import_record import MARK, import_record_of

State = Literal["on", "off", "new"]
"""`new`: from elsewhere, and not accepted yet."""

_MAX_BYTES = 4_000_000
_BUILT_IN = "built-in/"
"""Before the slugs of such skills in the file of what is off; the slugs themselves have no slash."""

_SAID: dict[str, tuple[str, str]] = {
    "off": ("It is switched off.", "Switch it on in the list that /skills opens."),
    "new": ("It is from elsewhere, and nobody has accepted it yet.", "Read and accept it: /skills."),
}


class SkillStates:
    """`data` is the folder of all that is the person's. Blocking."""

    def __init__(self, data: Path) -> None:
        self._file = data / "skills-off.json"

    def sift(self, library: SkillLibrary) -> SkillLibrary:
        """Without what is held back, which is listed as left out; the same one where nothing is."""
        off = self.off()
        states: list[tuple[Skill, State]] = [(skill, _state(skill, off)) for skill in library.skills]
        held = [(skill, state) for skill, state in states if state != "on"]
        if not held:
            return library
        diagnostics = (
            Diagnostic(skill.source, *_SAID[state], leaves_out=True, name=skill.name) for skill, state in held
        )
        out = {id(skill) for skill, _ in held}
        return replace(
            library,
            skills=tuple(skill for skill in library.skills if id(skill) not in out),
            diagnostics=(*library.diagnostics, *diagnostics),
        )

    def state(self, skill: Skill, *, is_built_in: bool = False) -> State:
        if is_built_in:
            return "off" if skill.slug in self.built_in_off() else "on"
        return _state(skill, self.off())

    def off(self) -> frozenset[str]:
        """The slugs of what is switched off, with where they come from if they are built in.

        A file that cannot be read switches nothing off.
        """
        try:
            kept = json.loads(decode_text(read_whole_regular_file(self._file, _MAX_BYTES)))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        return (
            frozenset(slug for slug in kept if isinstance(slug, str))
            if isinstance(kept, list)
            else frozenset()
        )

    def built_in_off(self) -> frozenset[str]:
        """The slugs of the built-in skills that are switched off, which says nothing of the person's own."""
        return frozenset(name.removeprefix(_BUILT_IN) for name in self.off() if name.startswith(_BUILT_IN))

    def switch(self, slug: str, *, is_on: bool, is_built_in: bool = False) -> None:
        slug = f"{_BUILT_IN}{slug}" if is_built_in else slug
        if is_on and slug not in self.off():
            return
        with saving("Which skills are on"), locked(self._file.with_suffix(".lock")):
            off = self.off() - {slug} if is_on else self.off() | {slug}
            write_whole_file(self._file, json.dumps(sorted(off)).encode())


def _state(skill: Skill, off: frozenset[str]) -> State:
    mark = import_record_of(skill.home) if MARK in skill.hidden else None
    if mark is not None and not mark.is_accepted:
        return "new"
    return "off" if skill.slug in off else "on"
