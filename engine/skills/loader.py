"""Skill folders on disk, as skills and diagnostics."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .diagnostic import Diagnostic
from .frontmatter import BadFrontMatter, Document, Value, parse_block, split_document
from .library import DEFAULT_PRIORITY, Skill, SkillLibrary, merged, slug_of
from .text_file import UnreadableFile, read_text_file

MAX_SKILL_BYTES = 65_536
_MAX_SKILLS = 500
_MAX_NAME = 64
_MAX_DESCRIPTION = 1_024
_LINE = re.compile(r"(name|description):[ \t]*(\S.*)")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


@dataclass(frozen=True)
class SkillFolders:
    """The skills of several folders, read anew whenever they are asked for: one dropped in is found at once.

    Where two folders have the same slug, the earlier folder's skill is taken.
    """

    folders: tuple[Path, ...]

    async def library(self) -> SkillLibrary:
        return await asyncio.to_thread(self.load)

    def load(self) -> SkillLibrary:
        return merged(load_skills(folder) for folder in self.folders)


def load_skills(folder: Path) -> SkillLibrary:
    """All `<folder>/*/SKILL.md`, in the order of the folders' names. A missing folder holds no skills.

    A flawed skill is still found when a name and a text can be made out, with a diagnostic beside it.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except FileNotFoundError:
        return SkillLibrary()
    except OSError as error:
        found = f"It cannot be listed ({error.strerror or type(error).__name__})."
        return SkillLibrary(
            diagnostics=(Diagnostic(shown(folder), found, "Check the folder's permissions."),)
        )
    names = [name for name in names if not name.startswith((".", "__"))]
    libraries = [_load_skill(folder, name) for name in names[:_MAX_SKILLS]]
    if len(names) > _MAX_SKILLS:
        found = f"It holds {len(names):,} skill folders; the first {_MAX_SKILLS} are read."
        libraries.append(SkillLibrary(diagnostics=(Diagnostic(shown(folder), found, "Remove some."),)))
    return merged(libraries)


def _load_skill(folder: Path, name: str) -> SkillLibrary:
    path = folder / name / "SKILL.md"
    label = f"{shown(folder)}/{_printable(name)}/SKILL.md"
    if not os.path.lexists(path):
        return SkillLibrary()
    slug = slug_of(name)
    if slug is None:
        found = "The folder's name gives no slug: it needs letters a-z, digits and hyphens, at most 63."
        return SkillLibrary(diagnostics=(Diagnostic(label, found, "Rename the folder."),))
    try:
        text, diagnostics = read_text_file(path, inside=folder, label=label, max_bytes=MAX_SKILL_BYTES)
    except UnreadableFile as error:
        return SkillLibrary(diagnostics=(error.diagnostic,))
    document = split_document(text)
    values = _front_matter(document, label, diagnostics)
    if not document.body.strip():
        diagnostics.append(
            Diagnostic(label, "There is nothing below the front matter.", "Write the skill there.")
        )
    description = _one_line(values.get("description"))
    if not description:
        description = _first_sentence(document.body)
        if document.block is not None:
            found = "Its front matter has no `description`."
            diagnostics.append(Diagnostic(label, found, "Add one: it tells the assistant when to read it."))
    if len(description) > _MAX_DESCRIPTION:
        found = f"Its description has {len(description):,} characters; {_MAX_DESCRIPTION:,} are shown."
        diagnostics.append(Diagnostic(label, found, "Move details below the front matter."))
        description = description[: _MAX_DESCRIPTION - 1] + "…"
    skill = Skill(
        slug=slug,
        name=_one_line(values.get("name"))[:_MAX_NAME] or slug,
        description=description,
        content=document.body.strip(),
        source=label,
        is_model_specific="model_" in name,
        priority=_priority(values.get("metadata"), label, diagnostics),
    )
    return SkillLibrary((skill,), diagnostics=tuple(diagnostics))


def _front_matter(document: Document, label: str, diagnostics: list[Diagnostic]) -> dict[str, Value]:
    if document.block is None:
        found = "It does not begin with front matter (`---`, `name: …`, `description: …`, `---`)."
        diagnostics.append(Diagnostic(label, found, "Add it at the top."))
        return {}
    try:
        return parse_block(document.block)
    except BadFrontMatter as error:
        diagnostics.append(Diagnostic(label, str(error), "Put values that hold : or # in quotes."))
        return {key: value.strip() for key, value in _LINE.findall(document.block[: _MAX_DESCRIPTION * 4])}


def _priority(metadata: Value | None, label: str, diagnostics: list[Diagnostic]) -> int:
    given = metadata.get("priority") if isinstance(metadata, dict) else None
    if given is None:
        return DEFAULT_PRIORITY
    if isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) <= 3:
        return int(given)
    found = f"Its metadata.priority is {str(given)[:40]!r}; expected a whole number from 0 (first) to 999."
    diagnostics.append(Diagnostic(label, found, f"It counts as {DEFAULT_PRIORITY}."))
    return DEFAULT_PRIORITY


def _one_line(value: Value | None) -> str:
    return _BLANKS.sub(" ", value).strip() if isinstance(value, str) else ""


def shown(folder: Path) -> str:
    """A skills folder with the context folder that it lies in: "user_context/skills"."""
    return f"{folder.parent.name}/{folder.name}"


def _printable(name: str) -> str:
    """A file name that is no valid UTF-8 comes with unpaired surrogates, which no message may carry."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _first_sentence(body: str) -> str:
    """The first line that is text, in place of a description that nobody wrote."""
    for line in body[:4_096].split("\n"):
        text = line.strip().lstrip("#>*- ")
        if text and not line.startswith("#"):
            return _BLANKS.sub(" ", text)[:200]
    return ""
