"""Texts that a user writes as files, in place of those that come with the extension."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import RequestError
from ..base.files.writing import locked, saving, write_whole_file
from ..base.text.portable_text import invisible_problem
from .skills.diagnostic import Diagnostic
from .skills.text_file import UnreadableFile, read_text_file

MAX_BYTES = 65_536


def lock_texts(folder: Path) -> AbstractContextManager[None]:
    """Lock all texts in a user's folder. Blocks."""
    return locked(folder / "user_texts.lock")


@dataclass(frozen=True)
class Document:
    """A text with the path of its file, from the context folder on. A `problem` says why it cannot be read
    completely.
    """

    text: str = ""
    source: str = ""
    is_own: bool = False
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        problem = {"problem": self.problem} if self.problem else {}
        return {"text": self.text, "source": self.source, "isOwn": self.is_own, **problem}


@dataclass(frozen=True)
class DocumentPlace:
    """The place of a text: `path` in the user's `folder`, and the file that is `given` if the user has none."""

    folder: Path
    path: str
    given: Path | None = None

    def read(self) -> Document:
        """Return the user's text, else the given one. Blocks."""
        document = _read(self.folder / self.path, self.folder, is_own=True)
        if document is None and self.given is not None:
            document = _read(self.given, self.given.parent, is_own=False)
        return document or Document()

    def write(self, text: str, seen: str) -> Document:
        """Write the user's text, or delete it if it is ""; `seen` is the text that it replaces. Blocks.

        Raises:
            RequestError: `too_large`, `invalid_request`, `changed_meanwhile` or `unreadable`.
            StoreError: `disk_full` or `not_saved`.
        """
        size = len(text.encode("utf-8", "replace"))
        if size > MAX_BYTES:
            raise RequestError(
                "too_large",
                f"The text has {size:,} bytes; at most {MAX_BYTES:,} are read.",
                hint="Shorten it; what is seldom needed can be a skill.",
            )
        if problem := invisible_problem(text):
            raise RequestError("invalid_request", problem, hint="Type the text anew.")
        path = self.folder / self.path
        with saving(self.path), lock_texts(self.folder):
            present = self.read()
            if present.problem and present.is_own:
                raise RequestError(
                    "unreadable",
                    f"{present.source}: {present.problem}",
                    hint="Mend the file; it is left as it is.",
                    status=409,
                )
            if present.text != seen and present.text != text:
                raise RequestError(
                    "changed_meanwhile",
                    f"{present.source or self.path} has been changed since it was shown.",
                    hint="Look at it again, then save.",
                    status=409,
                )
            if text.strip():
                write_whole_file(path, f"{text.rstrip()}\n".encode("utf-8", "replace"))
            else:
                path.unlink(missing_ok=True)
        return self.read()


def _read(path: Path, folder: Path, *, is_own: bool) -> Document | None:
    """Return the document, or None if there is no such file."""
    label = f"{path.parent.name}/{path.name}"
    try:
        if not path.exists() and not path.is_symlink():
            return None
        text, problems = read_text_file(path, inside=folder, label=label, max_bytes=MAX_BYTES)
    except UnreadableFile as error:
        return Document("", label, is_own, _sentence(error.diagnostic)) if is_own else None
    except OSError:
        return None
    problem = _sentence(problems[0]) if problems else ""
    return Document(text, label, is_own, problem) if text or problem else None


def _sentence(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.problem} {diagnostic.action}".strip()
