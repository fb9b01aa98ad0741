"""Folders of skills and of documents, as libraries."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..whole_text import whole_text
from .diagnostic import Diagnostic
from .library import SkillLibrary, merge, slug_of
from .skill_file import read_document, read_skill

DOCUMENT_PRIORITY = 10
_MAX_ENTRIES = 500


@dataclass(frozen=True)
class SkillFolders:
    """The skills of several folders, read anew whenever they are asked for: one dropped in is found at once.

    Where two folders have the same slug, the earlier folder's skill is taken. `documents` are Markdown files,
    or folders of them, that can be read like skills but are not listed among them.
    """

    folders: tuple[Path, ...]
    documents: tuple[Path, ...] = ()

    async def library(self) -> SkillLibrary:
        return await asyncio.to_thread(self.load)

    def load(self) -> SkillLibrary:
        return merge(
            (
                *(load_skills(folder) for folder in self.folders),
                *(load_documents(path) for path in self.documents),
            )
        )


def load_skills(folder: Path) -> SkillLibrary:
    """All `<folder>/*/SKILL.md`, in the order of the folders' names. A missing folder holds no skills.

    A flawed skill is still found when a name and a text can be made out, with a diagnostic beside it.
    """
    names, diagnostics = _entries(folder, lambda entry: entry.is_dir() and not entry.name.startswith("__"))
    return merge(
        (SkillLibrary(diagnostics=tuple(diagnostics)), *(_load_skill(folder, name) for name in names))
    )


def load_documents(path: Path) -> SkillLibrary:
    """One Markdown file, or all `<folder>/*.md` in the order of their names."""
    if path.is_file():
        folder, names, diagnostics = path.parent, [path.name], []
    else:
        folder = path
        names, diagnostics = _entries(
            path, lambda entry: entry.is_file() and entry.name.lower().endswith(".md")
        )
    documents = []
    for name in names:
        document, problems = read_document(
            folder / name,
            inside=folder,
            label=f"{folder.name}/{whole_text(name)}",
            slug=slug_of(name[:-3]) or f"document-{len(documents) + 1}",
            priority=DOCUMENT_PRIORITY,
        )
        diagnostics += problems
        if document is not None:
            documents.append(document)
    return SkillLibrary(documents=tuple(documents), diagnostics=tuple(diagnostics))


def _load_skill(folder: Path, name: str) -> SkillLibrary:
    path = folder / name / "SKILL.md"
    label = f"{_label(folder)}/{whole_text(name)}/SKILL.md"
    if not os.path.lexists(path):
        return SkillLibrary()
    slug = slug_of(name)
    if slug is None:
        problem = "The folder's name gives no slug: it needs letters a-z, digits and hyphens, at most 63."
        return SkillLibrary(diagnostics=(Diagnostic(label, problem, "Rename the folder."),))
    skill, diagnostics = read_skill(
        path, inside=folder, label=label, slug=slug, is_model_specific="model_" in name
    )
    return SkillLibrary(() if skill is None else (skill,), diagnostics=tuple(diagnostics))


def _entries(folder: Path, accepts: Callable[[os.DirEntry[str]], bool]) -> tuple[list[str], list[Diagnostic]]:
    """The folder's entries in sorted order, without hidden ones."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name for entry in entries if not entry.name.startswith(".") and accepts(entry)
            )
    except FileNotFoundError:
        return [], []
    except OSError as error:
        problem = f"It cannot be listed ({error.strerror or type(error).__name__})."
        return [], [Diagnostic(_label(folder), problem, "Check that it is a folder ComfyUI may read.")]
    if len(names) <= _MAX_ENTRIES:
        return names, []
    problem = f"It holds {len(names):,} entries; the first {_MAX_ENTRIES} are read."
    return names[:_MAX_ENTRIES], [Diagnostic(_label(folder), problem, "Move some away.")]


def _label(folder: Path) -> str:
    """A skills folder with the context folder that it lies in: "user_context/skills"."""
    return f"{folder.parent.name}/{folder.name}"
