"""Personas: folders of the user with a SOUL.md that says how the assistant speaks and acts in a chat."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..base.errors import RequestError
from ..base.text.portable_text import valid_unicode
from .documents import Document, DocumentPlace
from .skills.diagnostic import Diagnostic
from .skills.frontmatter import BadFrontMatter, FrontMatterValue, parse_block, split_document
from .skills.slugs import plain_query, slug_for, slugify
from .skills.text_file import UnreadableFile, read_text_file

MAX_BYTES = 65_536
_MOST = 200
_FILE = "SOUL.md"
_YES = ("true", "yes", "on", "1")


@dataclass(frozen=True)
class Persona:
    """A persona. One that `replaces_base` replaces the base prompt.

    `provider` and `model` are those that it asks for, or "": a provider by name, and one of its models. `folder` and
    `file` are their names as they are spelled on the disk.
    """

    slug: str
    name: str
    description: str
    text: str
    source: str
    model: str = ""
    replaces_base: bool = False
    provider: str = ""
    folder: str = field(default="", compare=False)
    file: str = field(default=_FILE, compare=False)

    def as_json(self) -> dict[str, Any]:
        asked = {"provider": self.provider, "model": self.model}
        return {
            "slug": self.slug,
            "name": self.name,
            "description": self.description,
            "source": self.source,
            "replacesBase": self.replaces_base,
            **{name: value for name, value in asked.items() if value},
        }


@dataclass(frozen=True)
class Personas:
    """The personas of a user, and the problems of their files."""

    found: tuple[Persona, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def get(self, slug: str) -> Persona | None:
        """Return the persona with a slug, or None."""
        return next((persona for persona in self.found if persona.slug == slug), None)

    def find(self, words: str) -> Persona:
        """Return the persona with this name or slug, or the only one whose name begins so.

        Raises:
            RequestError: `not_found`, with the available ones.
        """
        query = plain_query(words)
        names = [(persona, (persona.slug, plain_query(persona.name))) for persona in self.found]
        same = [persona for persona, each in names if query in each]
        begins = [persona for persona, each in names if any(name.startswith(query) for name in each)]
        if query and (same or len(begins) == 1):
            return (same or begins)[0]
        known = ", ".join(persona.slug for persona in (begins or self.found)[:8])
        raise RequestError(
            "not_found",
            f'There is no persona "{words[:60]}".',
            hint=f"There are: {known}." if known else f"A persona is a folder with a {_FILE} in personas/.",
            status=404,
        )


def load_personas(folder: Path) -> Personas:
    """Return the personas of `<folder>/*/SOUL.md`, in any case, sorted by folder name. Blocks."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    except FileNotFoundError:
        return Personas()
    except OSError as error:
        problem = f"It cannot be listed ({error.strerror or type(error).__name__})."
        action = "Check that it is a folder ComfyUI may read."
        return Personas(diagnostics=(Diagnostic("personas", problem, action, leaves_out=True),))
    found: dict[str, Persona] = {}
    diagnostics: list[Diagnostic] = []
    for name in names[:_MOST]:
        persona = _load(folder, name, diagnostics)
        if persona is None:
            continue
        if found.setdefault(persona.slug, persona) is not persona:
            other = found[persona.slug].source
            problem = f'Another persona already has the slug "{persona.slug}" ({other}).'
            diagnostics.append(Diagnostic(persona.source, problem, "Rename one of them.", leaves_out=True))
    if len(names) > _MOST:
        problem = f"It holds {len(names):,} entries; the first {_MOST} are read."
        diagnostics.append(Diagnostic("personas", problem, "Move some away.", leaves_out=True))
    return Personas(tuple(found.values()), tuple(diagnostics))


def _load(folder: Path, name: str, diagnostics: list[Diagnostic]) -> Persona | None:
    label = f"personas/{valid_unicode(name)}"
    file, *others = _find_files(folder / name) or [""]
    if not file:
        action = f"A persona is a folder with a {_FILE}."
        diagnostics.append(Diagnostic(label, f"It holds no {_FILE}.", action, leaves_out=True))
        return None
    diagnostics += [
        Diagnostic(f"{label}/{other}", f"{file} lies beside it.", "Remove one of the two.", leaves_out=True)
        for other in others
    ]
    path, label = folder / name / file, f"{label}/{file}"
    try:
        text, problems = read_text_file(path, inside=folder, label=label, max_bytes=MAX_BYTES)
    except UnreadableFile as error:
        diagnostics.append(error.diagnostic)
        return None
    diagnostics += problems
    persona, problems = read_persona(text, name, label)
    diagnostics += problems
    return persona and replace(persona, file=file)


def _find_files(home: Path) -> list[str]:
    """Return the spellings of a persona's file, the one that is read first."""
    try:
        names = [name for name in os.listdir(home) if name.casefold() == _FILE.casefold()]
    except OSError:
        return []
    return sorted(names, key=lambda name: (name != _FILE, name))


def read_persona(text: str, folder: str, label: str) -> tuple[Persona | None, list[Diagnostic]]:
    """Return the persona of a SOUL.md, and its problems; `folder` is the name of its folder."""
    diagnostics: list[Diagnostic] = []
    document = split_document(text)
    values = _values(document.block, label, diagnostics)
    if not document.body.strip():
        diagnostics.append(
            Diagnostic(label, "It says nothing.", "Write there how it speaks.", leaves_out=True)
        )
        return None, diagnostics
    given = _word(values, "name")
    slug = slug_for(folder, given)
    persona = Persona(
        slug=slug,
        name=given[:64] or slug,
        description=_word(values, "description")[:300],
        text=document.body.strip(),
        source=label,
        model=_word(values, "model")[:200],
        replaces_base=_word(values, "replace_base").casefold() in _YES,
        provider=_word(values, "provider")[:200],
        folder=folder,
    )
    return persona, diagnostics


def _values(block: str | None, label: str, diagnostics: list[Diagnostic]) -> dict[str, FrontMatterValue]:
    try:
        return parse_block(block) if block is not None else {}
    except BadFrontMatter as error:
        diagnostics.append(Diagnostic(label, str(error), "Put values that hold : or # in quotes."))
        return {}


def _word(values: dict[str, FrontMatterValue], name: str) -> str:
    value = values.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


@dataclass(frozen=True)
class PersonaFiles:
    """The files of a user's personas. `folder` is the folder of all the user's files. Its methods block."""

    folder: Path

    def load(self) -> Personas:
        """Return all personas."""
        return load_personas(self.folder / "personas")

    def read(self, slug: str) -> Document:
        """Return the whole file of a persona, with its front matter.

        Raises:
            RequestError: `not_found`.
        """
        persona = self.load().find(slug)
        return self._place(persona.folder, persona.file).read()

    def write(self, slug: str, text: str, seen: str) -> Document:
        """Write a persona, or delete it if the text is ""; `seen` is the text that it replaces, "" for a new persona.

        Raises:
            RequestError: `invalid_request`, `too_large`, `changed_meanwhile` or `unreadable`.
            StoreError: `disk_full` or `not_saved`.
        """
        present = self.load().get(slug)
        if present is None and slugify(slug) != slug:
            raise RequestError(
                "invalid_request",
                f'"{slug[:60]}" is no name for a persona; expected small letters, digits and hyphens, at most 63.',
                hint="For example: strict-critic.",
            )
        folder = present.folder if present else slug
        if text.strip():
            _check(text, folder)
        written = self._place(folder, present.file if present else "SOUL.md").write(text, seen)
        if not text.strip():
            with contextlib.suppress(OSError):
                os.rmdir(self.folder / "personas" / folder)
        return written

    def _place(self, folder: str, file: str) -> DocumentPlace:
        # A missing persona has no default text.
        return DocumentPlace(
            self.folder, f"personas/{folder}/{file}", given=self.folder / "personas" / ".none"
        )


def _check(text: str, folder: str) -> None:
    """Check a text with the reader that reads it later."""
    _, diagnostics = read_persona(text, folder, "SOUL.md")
    if diagnostics:
        raise RequestError("invalid_request", diagnostics[0].problem, hint=diagnostics[0].action)
