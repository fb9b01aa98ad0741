"""The files of a user's personas, written atomically."""

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
        # A missing persona has no default text.
        return DocumentPlace(
            self.folder, f"personas/{folder}/{file}", given=self.folder / "personas" / ".none"
        )


def _check(text: str, folder: str) -> None:
    """Check a text with the reader that reads it later."""
    _, diagnostics = read_persona(text, folder, "SOUL.md")
    if diagnostics:
        raise RequestError("invalid_request", diagnostics[0].problem, hint=diagnostics[0].action)
