"""The files beside a SKILL.md: their list, and their texts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePosixPath

from ...base.text.portable_text import valid_unicode
from .diagnostic import Diagnostic
from .library import Skill
from .text_file import UnreadableFile, read_text_file

MAX_BYTES = 65_536
MOST_FILES = 40
MOST_SHOWN = 200
"""The files that are shown, as many as an imported skill can have."""
_MOST_LOOKED_AT = 2_000
_NO_TEXT_SHARE = 0.05


def list_files(skill: Skill, *, most: int = MOST_FILES) -> tuple[list[str], int]:
    """Return the paths of a skill's files, relative to its folder and sorted, and how many more there are. Blocks."""
    paths = list(_places(skill))
    return paths[:most], max(0, len(paths) - most)


def format_file_list(skill: Skill, *, under: str = "") -> str:
    """Return a skill's files in words, each path after `under`: "a.md, b.md and 3 more"; "" if it has none. Blocks."""
    files, more = list_files(skill)
    return f"{', '.join(under + path for path in files)}{f' and {more} more' if more else ''}"


def read_skill_file(skill: Skill, path: str) -> tuple[str, list[Diagnostic]]:
    """Return the text of one of a skill's files, and its problems. Blocks.

    Only files can be read that the user is shown before accepting an imported skill.

    Raises:
        UnreadableFile: there is no such file, or it is no text.
    """
    inner = str(PurePosixPath(path.strip().replace("\\", "/")))
    return _read(skill, inner, _places(skill).get(inner))


def read_texts(skill: Skill) -> Iterator[tuple[str, str | Diagnostic]]:
    """Yield each shown file with its text, or with the reason why it has none. Blocks."""
    for path, place in list(_places(skill).items())[:MOST_SHOWN]:
        yield path, _text_or_why_not(skill, path, place)


def _text_or_why_not(skill: Skill, path: str, place: str) -> str | Diagnostic:
    try:
        return _read(skill, path, place)[0]
    except UnreadableFile as error:
        return error.diagnostic


def _read(skill: Skill, path: str, place: str | None) -> tuple[str, list[Diagnostic]]:
    label = f"{skill.slug}/{path}"
    if skill.home is None or place is None:
        raise UnreadableFile(Diagnostic(label, "It is no file of the skill.", "Take a path of its files."))
    text, diagnostics = read_text_file(
        skill.home / place, inside=skill.home, label=label, max_bytes=MAX_BYTES
    )
    if text.count("\N{REPLACEMENT CHARACTER}") > _NO_TEXT_SHARE * len(text):
        raise UnreadableFile(Diagnostic(label, "It is no text.", "Only texts can be read."))
    return text, diagnostics


def _places(skill: Skill) -> dict[str, str]:
    """Return all visible files: their paths as valid Unicode, with their paths on the disk."""
    if skill.home is None:
        return {}
    found: list[str] = []
    for folder, folders, files in os.walk(skill.home):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        place = os.path.relpath(folder, skill.home)
        found += [os.path.normpath(os.path.join(place, name)) for name in files if not name.startswith(".")]
        if len(found) > _MOST_LOOKED_AT:
            break
    main = skill.source.rsplit("/", 1)[-1]
    told = {valid_unicode(path.replace(os.sep, "/")): path for path in sorted(found, reverse=True)}
    return {path: told[path] for path in sorted(told) if path != main}
