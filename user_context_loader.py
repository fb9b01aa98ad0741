"""The context files of the system and the user, as plain values with diagnostics."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .engine.base.text.portable_text import valid_unicode
from .engine.comfy.summary import read_summary
from .engine.user.skills.diagnostic import Diagnostic
from .engine.user.skills.library import Skill
from .engine.user.skills.loader import SkillFilter, SkillFolders, keep_all
from .engine.user.skills.text_file import UnreadableFile, read_text_file

MAX_FILE_BYTES = 65_536
FILES = ("rules.md", "reminders.md", "SOUL.md", "goals.md", "preferences.json")
_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)])(?:\s+|$)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class SystemContext:
    """The sections of the system message, in order; `on_demand` skills are read by a tool."""

    sections: tuple[Skill, ...] = ()
    on_demand: tuple[Skill, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class UserContext:
    """The texts that the user wrote for the assistant, each empty where there is none.

    `soul` is the persona; `base` is the same where it replaces the base prompt. `skills` are those that the
    system message lists, and none elsewhere. `problems` are those of the files.
    """

    rules: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    soul: str = ""
    base: str = ""
    goals: str = ""
    preferences: tuple[tuple[str, str], ...] = ()
    skills: tuple[Skill, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def system_skill_folders(path: Path, *before: Path, filter_skills: SkillFilter = keep_all) -> SkillFolders:
    """Return the folders for `getSystemSkill`: skills, and the documents of the system message.

    Documents in the folders `before` replace those of the same name. `filter_skills` removes the skills
    that are switched off.
    """
    return SkillFolders((path / "skills",), documents=(*before, path), filter_skills=filter_skills)


def user_skill_folders(
    data_directory: Path, user_context: Path, filter_skills: SkillFilter = keep_all
) -> SkillFolders:
    """Return the folders for `getUserSkill`: skills, and the whole texts that the system message may shorten.

    `filter_skills` removes the skills that are switched off or not accepted yet.
    """
    folders = (data_directory, user_context)
    return SkillFolders(
        tuple(folder / "skills" for folder in folders),
        documents=tuple(
            folder / name
            for folder in folders
            for name in ("rules.md", "reminders.md", "SOUL.md", "goals.md")
        ),
        filter_skills=filter_skills,
    )


def load_system_context(path: Path, skills: SkillFolders | None = None) -> SystemContext:
    """Load top-level `.md` files in sorted order, then `skills/*/SKILL.md`; skills for single models are read on
    demand.

    The texts stay apart, each with its priority, so that whole sections can be left out when room is short. `skills`
    are the folders of this path, where they were opened before.
    """
    library = (skills or system_skill_folders(path)).load()
    return SystemContext(
        sections=(
            *sorted(library.documents, key=lambda document: document.file),
            *(skill for skill in library.skills if not skill.is_model_specific),
        ),
        on_demand=tuple(skill for skill in library.skills if skill.is_model_specific),
        diagnostics=library.diagnostics,
    )


def load_user_context(data_directory: Path, user_context: Path) -> UserContext:
    """Load the user's rules, reminders, persona, goals and preferences.

    Each file is read from the data directory, which survives a reinstall, else from `user_context`.
    """
    folders = (data_directory, user_context)
    problems = [problem for folder in folders for problem in _other_spellings(folder)]
    context = UserContext(
        rules=_rules(_first_text(folders, "rules.md", problems, is_list=True)),
        reminders=_rules(_first_text(folders, "reminders.md", problems, is_list=True)),
        soul=_first_text(folders, "SOUL.md", problems),
        goals=_first_text(folders, "goals.md", problems),
        preferences=_preferences(folders, problems),
    )
    return replace(context, problems=tuple(problems))


def load_environment_summary(data_directory: Path) -> str:
    """Return the last summary, such as "87 packages, 523 node types, 150 models"; "" before the first scan."""
    summary = read_summary(data_directory)
    return summary.text if summary is not None else ""


def _other_spellings(folder: Path) -> Iterator[Diagnostic]:
    """Report files whose names differ from the expected ones in case only, where the file system is case-sensitive."""
    known = {name.casefold(): name for name in FILES}
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for other in (name for name in names if known.get(name.casefold(), name) != name):
        name = known[other.casefold()]
        if not os.path.lexists(folder / name):
            problem = "It is not read, since its name is spelled otherwise."
            yield Diagnostic(f"{folder.name}/{other}", problem, f"Rename it to {name}.", leaves_out=True)
        elif name in names:
            problem = f"{name} lies beside it, which is read."
            yield Diagnostic(f"{folder.name}/{other}", problem, "Remove one of the two.", leaves_out=True)


def _first_text(
    folders: tuple[Path, ...], name: str, diagnostics: list[Diagnostic], *, is_list: bool = False
) -> str:
    """Return the text of the first of these files that has one, without HTML comments.

    A list that is cut gets no marker, which would be an entry.
    """
    for folder in folders:
        path = folder / name
        try:
            if not os.path.lexists(path):
                continue
            text, problems = read_text_file(
                path,
                inside=folder,
                label=f"{folder.name}/{name}",
                max_bytes=MAX_FILE_BYTES,
                marks_cut=not is_list,
            )
        except UnreadableFile as error:
            diagnostics.append(error.diagnostic)
            continue
        except OSError:
            continue
        diagnostics += problems
        text = _COMMENT.sub("", text).strip()
        if text:
            return text
    return ""


def _rules(text: str) -> tuple[str, ...]:
    """Return a rule for each list item and each paragraph outside lists; headings are left out."""
    rules: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        words = line.strip()
        bullet = _BULLET.match(words)
        if not words or words.startswith("#"):
            is_open = False
        elif bullet is not None or not is_open:
            rules.append([words[bullet.end() :] if bullet is not None else words])
            is_open = True
        else:
            rules[-1].append(words)
    return tuple(" ".join(rule) for rule in rules if any(rule))


def _preferences(folders: tuple[Path, ...], diagnostics: list[Diagnostic]) -> tuple[tuple[str, str], ...]:
    """Return the names and values of `preferences.json`, a flat object, sorted by name."""
    name = "preferences.json"
    text = _first_text(folders, name, diagnostics, is_list=True)
    if not text:
        return ()
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        problem = "It is not valid JSON."
        diagnostics.append(Diagnostic(name, problem, 'Expected {"name": "value", …}.'))
        return ()
    if not isinstance(values, dict):
        problem = "It holds no JSON object."
        diagnostics.append(Diagnostic(name, problem, 'Expected {"name": "value", …}.'))
        return ()
    preferences = []
    for key, value in sorted(values.items()):
        plain = _plain(value)
        if plain is None:
            problem = f'"{_one_line(key)[:60]}" is neither text nor a number.'
            diagnostics.append(Diagnostic(name, problem, "It is left out; give one value for each name."))
        elif plain and _one_line(key):
            preferences.append((_one_line(key), plain))
    return tuple(preferences)


def _plain(value: Any) -> str | None:
    if isinstance(value, str):
        return _one_line(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, (int, float)) else None


def _one_line(text: str) -> str:
    """Return the text on one line, with lone surrogates replaced, which JSON can contain."""
    return _BLANKS.sub(" ", valid_unicode(text).replace("\x00", "\N{REPLACEMENT CHARACTER}")).strip()
