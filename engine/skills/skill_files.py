"""The files that lie beside a SKILL.md: which there are, and one of them as text."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from ..whole_text import whole_text
from .diagnostic import Diagnostic
from .library import Skill
from .text_file import UnreadableFile, read_text_file

MAX_BYTES = 65_536
MOST_FILES = 40
_MOST_LOOKED_AT = 2_000
_DEEPEST = 4
_NO_TEXT_SHARE = 0.05


def files_of(skill: Skill) -> tuple[list[str], int]:
    """The paths of its files from its folder on, in sorted order, and how many more there are. Blocking."""
    if skill.home is None:
        return [], 0
    main = skill.source.rsplit("/", 1)[-1]
    paths: list[str] = []
    looked_at = 0
    for folder, folders, files in os.walk(skill.home):
        place = PurePosixPath(os.path.relpath(folder, skill.home).replace(os.sep, "/"))
        deeper = sorted(name for name in folders if not name.startswith((".", "__")))
        folders[:] = deeper if len(place.parts) < _DEEPEST else []
        paths += [whole_text(str(place / name)) for name in files if not name.startswith(".")]
        looked_at += len(files)
        if looked_at > _MOST_LOOKED_AT:
            break
    paths = sorted(path for path in paths if path != main)
    return paths[:MOST_FILES], max(0, len(paths) - MOST_FILES)


def read_skill_file(skill: Skill, path: str) -> tuple[str, list[Diagnostic]]:
    """The text of one of its files, and what is wrong with it. Blocking. Raises `UnreadableFile`."""
    inner = PurePosixPath(path.strip().replace("\\", "/"))
    label = f"{skill.slug}/{inner}"
    if skill.home is None or not inner.parts or any(part.startswith((".", "/")) for part in inner.parts):
        raise UnreadableFile(Diagnostic(label, "It is no file of the skill.", "Take a path of its files."))
    text, diagnostics = read_text_file(
        skill.home.joinpath(*inner.parts), inside=skill.home, label=label, max_bytes=MAX_BYTES
    )
    if text.count("\N{REPLACEMENT CHARACTER}") > _NO_TEXT_SHARE * len(text):
        raise UnreadableFile(Diagnostic(label, "It is no text.", "Only texts can be read."))
    return text, diagnostics
