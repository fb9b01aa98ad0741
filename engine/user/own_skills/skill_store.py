"""The user's own folder of skills. Changes are atomic, made one at a time, and can be undone."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ...base.errors import RequestError, StoreError
from ...base.files.writing import locked, move_with_retry, saving, write_whole_file
from ...base.text.portable_text import decode_text, normalize_newlines, reveal_invisible
from ..skills.library import Skill, SkillLibrary
from ..skills.loader import load_skills
from ..skills.skill_file import MAX_BYTES, read_skill
from ..skills.skill_files import MOST_SHOWN, list_files
from ..skills.slugs import slugify
from .history import Change, History
from .import_record import hash_contents, read_import_record, write_import_record
from .problems import changed_meanwhile, exists_already, not_own
from .states import SkillStates

_LONGEST_READ = 4 * MAX_BYTES


@dataclass(frozen=True)
class SkillText:
    """A skill with the text of its file; `version` is the hash of its bytes."""

    skill: Skill
    text: str
    version: str


@dataclass(frozen=True)
class SkillStore:
    """The user's skills. `data` is the folder of all the user's files. Its methods block."""

    data: Path
    states: SkillStates

    @property
    def history(self) -> History:
        return History(self.data / "skills-history")

    @property
    def folder(self) -> Path:
        return self.data / "skills"

    def library(self) -> SkillLibrary:
        """Return all skills of the folder, also inactive ones."""
        return load_skills(self.folder)

    def read(self, slug: str) -> SkillText:
        """Return a skill with its text.

        Raises:
            RequestError: `not_own_skill` or `too_large`.
        """
        try:
            return self._read_text(self._skill(slug))
        except OSError:
            raise not_own(slug) from None

    def create(self, slug: str, text: str) -> Change:
        """Create a skill from the text of its SKILL.md.

        Raises:
            RequestError: `invalid_request`, `too_large` or `already_there`.
            StoreError: `disk_full` or `not_saved`.
        """
        _check_slug(slug)
        with self._change(slug):
            _check(slug, text)
            return self._add(slug, {PurePosixPath("SKILL.md"): _bytes(text)}, None)

    def write(self, slug: str, text: str, seen: str) -> Change:
        """Replace the text of a skill; `seen` is the version that it replaces. An accepted skill stays accepted.

        Raises:
            RequestError: as `read` and `create`, and `changed_meanwhile`.
            StoreError: `disk_full` or `not_saved`.
        """
        with self._change(slug):
            skill = self._require_version(slug, seen).skill
            _check(skill.folder, text)
            return self._replace(skill, _bytes(text))

    def delete(self, slug: str, seen: str) -> Change:
        """Delete a skill; `seen` is the version that the user was shown.

        Raises:
            RequestError: as `read`, and `changed_meanwhile`.
            StoreError: `disk_full` or `not_saved`.
        """
        with self._change(slug):
            skill = self._require_version(slug, seen).skill
            entry = self._entry(skill)
            was_off = self.states.is_off(skill.slug)
            with self.history.keep("deleted", skill.slug, entry, was_off=was_off) as (change, before):
                move_with_retry(os.rename, self.folder / entry, before)
            self._clear_off_mark(skill.slug)
            return change

    def undo(self, change_id: str) -> Change:
        """Restore the version before a change, which is a change of its own.

        Raises:
            RequestError: `not_found`; `changed_meanwhile` or `already_there` if the skill was changed since.
            StoreError: `disk_full` or `not_saved`.
        """
        change = self.history.find(change_id)
        before = change and self.history.previous_version(change)
        if change is None or before is None or (change.what != "created" and not before.exists()):
            raise RequestError(
                "not_found",
                "There is nothing kept of this change; it may have been undone already.",
                hint="The list of skills shows which changes can be undone.",
                status=404,
            )
        if change.what == "created":
            return self.delete(change.slug, change.version)
        if change.what == "changed":
            with self._change(change.slug):
                # The old bytes are restored, even if they would not be accepted as a new text.
                return self._replace(
                    self._require_version(change.slug, change.version).skill, before.read_bytes()
                )
        with self._change(change.slug):
            if (self.folder / change.entry).exists() or self._find(change.slug) is not None:
                raise exists_already(change.slug)
            skill_file = before if before.is_file() else _skill_file(before)
            version = _version(skill_file.read_bytes())
            with self.history.keep("created", change.slug, change.entry, version) as (restored, _):
                self.folder.mkdir(parents=True, exist_ok=True)
                move_with_retry(os.rename, before, self.folder / change.entry)
            if change.was_off:
                self.states.switch(change.slug, is_on=False)
            return restored

    def import_skill(self, slug: str, files: Mapping[PurePosixPath, bytes], origin: str) -> Change:
        """Import a skill with a record of its `origin`, which is written before the skill can be read.

        Raises:
            RequestError: `already_there`.
            StoreError: `disk_full` or `not_saved`.
        """
        with self._change(slug):
            return self._add(slug, files, origin)

    def accept(self, slug: str, contents: str) -> None:
        """Activate an imported skill; `contents` is the hash of what the user has read.

        Raises:
            RequestError: as `read`, `changed_meanwhile` if its files differ from that, and `too_large` if some of its
                files are not shown.
            StoreError: `disk_full` or `not_saved`.
        """
        with self._change(slug):
            skill = self._skill(slug)
            home = skill.home
            if home is None or read_import_record(home) is None:
                return
            _check_shown_files(skill)
            if hash_contents(home) != contents:
                raise changed_meanwhile(slug)
            self.states.accept(slug, contents)

    def _add(self, slug: str, files: Mapping[PurePosixPath, bytes], origin: str | None) -> Change:
        if (self.folder / slug).exists() or (self.folder / slug).is_symlink() or self._find(slug) is not None:
            raise exists_already(slug)
        self.folder.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(dir=self.folder, prefix=".new-"))
        try:
            for place, content in files.items():
                write_whole_file(half / place, content)
            if origin is not None:
                write_import_record(half, origin)
                self.states.forget_other_acceptance(slug, hash_contents(half))
            version = _version(_skill_file(half).read_bytes())
            with self.history.keep("created", slug, slug, version) as (change, _):
                move_with_retry(os.rename, half, self.folder / slug)
            self._clear_off_mark(slug)
            return change
        finally:
            shutil.rmtree(half, ignore_errors=True)

    def _replace(self, skill: Skill, content: bytes) -> Change:
        path = _file(skill)
        with self.history.keep("changed", skill.slug, self._entry(skill), _version(content)) as (
            change,
            before,
        ):
            write_whole_file(before, path.read_bytes())
            write_whole_file(path, content)
        return change

    def _clear_off_mark(self, slug: str) -> None:
        """Clear the mark that a skill is off, since the next one of its name is another skill.

        On a full disk the mark stays until that skill is written.
        """
        with suppress(StoreError):
            self.states.switch(slug, is_on=True)

    @contextmanager
    def _change(self, slug: str) -> Iterator[None]:
        with saving(f'The skill "{slug[:60]}"'), locked(self.data / "skills.lock"):
            yield

    def _find(self, slug: str) -> Skill | None:
        return next((skill for skill in self.library().skills if skill.slug == slug), None)

    def _skill(self, slug: str) -> Skill:
        skill = self._find(slug)
        if skill is None:
            raise not_own(slug)
        file = _file(skill)
        if file.is_symlink() or (self.folder / self._entry(skill)).is_symlink():
            raise RequestError(
                "not_own_skill",
                f"{skill.source} is a link, so it is not changed here.",
                hint="Change the file that it leads to, or put a copy in its place.",
                status=409,
            )
        return skill

    def _entry(self, skill: Skill) -> str:
        return _file(skill).relative_to(self.folder).parts[0]

    def _require_version(self, slug: str, seen: str) -> SkillText:
        written = self._read_text(self._skill(slug))
        if written.version != seen:
            raise changed_meanwhile(slug)
        return written

    def _read_text(self, skill: Skill) -> SkillText:
        with open(_file(skill), "rb") as file:
            content = file.read(_LONGEST_READ + 1)
        if len(content) > _LONGEST_READ:
            raise RequestError(
                "too_large",
                f"{skill.source} is longer than {_LONGEST_READ:,} bytes.",
                hint="Shorten it in an editor of your own.",
                status=413,
            )
        text = reveal_invisible(normalize_newlines(decode_text(content)))
        return SkillText(skill, text, _version(content))


def _file(skill: Skill) -> Path:
    if skill.path is None:
        raise ValueError(f"{skill.source} was read from no file")
    return skill.path


def _skill_file(home: Path) -> Path:
    return next(home / name for name in sorted(os.listdir(home)) if name.casefold() == "skill.md")


def _bytes(text: str) -> bytes:
    return f"{text.rstrip()}\n".encode("utf-8", "replace")


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check_shown_files(skill: Skill) -> None:
    files, more = list_files(skill, most=MOST_SHOWN)
    if more:
        raise RequestError(
            "too_large",
            f"{skill.slug} has {len(files) + more} files, of which {len(files)} are shown to be read.",
            hint="Take files out of its folder, or export it, look through all and put its folder there by hand.",
            status=413,
        )


def _check_slug(slug: str) -> None:
    if slugify(slug) != slug:
        raise RequestError(
            "invalid_request",
            f'"{slug[:60]}" is no name for a skill; expected small letters, digits and hyphens, at most 63.',
            hint="For example: neon-look.",
        )


def _check(folder: str, text: str) -> None:
    """Check a text with the reader that reads it later, so its problems are reported before it is written."""
    content = _bytes(text)
    if len(content) > MAX_BYTES:
        raise RequestError(
            "too_large",
            f"The skill has {len(content):,} bytes; at most {MAX_BYTES:,} are read.",
            hint="Put what is seldom needed into files beside it.",
        )
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "SKILL.md")
        path.write_bytes(content)
        _, diagnostics = read_skill(path, inside=Path(scratch), label="SKILL.md", folder=folder)
    if diagnostics:
        raise RequestError("invalid_request", diagnostics[0].problem, hint=diagnostics[0].action)
