"""Parser for the words after `/skill`."""

from __future__ import annotations

import re

from .library import Skill, SkillLibrary, unknown_skill

_QUOTED = re.compile(r"\s*[\"“„«]([^\"“”»\n]{1,80})[\"”“»]")
_WORD = re.compile(r"[^\s]+")
_MOST_WORDS = 8
_LONGEST_NAME = 1_000
_AROUND = ",.:;!?"


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
