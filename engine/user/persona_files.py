"""A person's personas as they write them: the file of one, whole or not at all."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import RequestError
from .documents import Document, DocumentPlace
from .personas import Personas, load_personas, read_persona
from .skills.slugs import slug_of


@dataclass(frozen=True)
class PersonaFiles:
    """`folder` is that of all that is the person's. Blocking."""

    folder: Path

    def load(self) -> Personas:
        return load_personas(self.folder / "personas")

    def read(self, slug: str) -> Document:
        """The whole file, with its front matter.

        Raises:
            RequestError: `not_found`.
        """
        persona = self.load().named(slug)
        return self._place(persona.folder, persona.file).read()

    def write(self, slug: str, text: str, seen: str) -> Document:
        """Write one, or take it away with ""; `seen` is the text whose place it takes, "" for one that is new.

        Raises:
            RequestError: `invalid_request`, `too_large`, `changed_meanwhile` or `unreadable`.
            StoreError: `disk_full` or `not_saved`.
        """
        present = self.load().get(slug)
        if present is None and slug_of(slug) != slug:
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
        # Nothing stands in for a persona that is not there.
        return DocumentPlace(
            self.folder, f"personas/{folder}/{file}", given=self.folder / "personas" / ".none"
        )


def _check(text: str, folder: str) -> None:
    """By the very reader that reads it later."""
    _, diagnostics = read_persona(text, folder, "SOUL.md")
    if diagnostics:
        raise RequestError("invalid_request", diagnostics[0].problem, hint=diagnostics[0].action)
