"""Import of skills from a zip or a folder, and export of a skill as a zip; sizes are counted while unpacking."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ...base.errors import RequestError
from ...base.files.device_names import is_device_name
from ...base.files.regular_file import read_regular_file
from ...base.text.portable_text import valid_unicode
from ..skills.library import Skill

MOST_FILES = 200
MOST_BYTES = 6_000_000
DEEPEST = 6
LONGEST_PATH = 200
MOST_SKILLS = 20
_UNSAFE = frozenset('<>:"|?*\\')
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LONGEST_EXPORT = 50_000_000

Files = dict[PurePosixPath, bytes]


@dataclass(frozen=True)
class SkillBundle:
    """The files of each imported skill by its folder, "" for none; `left_out` belongs to no skill."""

    skills: Mapping[str, Files]
    left_out: tuple[str, ...] = field(default=())


def unpack_zip(content: bytes) -> Files:
    """Return the files of a zip.

    Raises:
        RequestError: `invalid_request` or `too_large`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            return collect_files((entry.filename, _ZipEntry(archive, entry)) for entry in entries)
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OSError,
    ) as error:
        raise _bad("It is no zip that can be read.", "Pack the folder anew, as a plain zip.") from error


class _ZipEntry:
    def __init__(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._entry = entry

    def read(self, most: int) -> bytes:
        """Return at most `most` bytes and one more, which shows that there are more."""
        entry = self._entry
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise _bad(f"{_quoted(entry.filename)} is a link or a device.", "Pack the file itself.")
        if entry.flag_bits & 1 or entry.compress_type not in _PLAIN_METHODS:
            raise _bad(f"{_quoted(entry.filename)} is packed in an unusual way.", "Pack it as a plain zip.")
        with self._archive.open(entry) as file:
            return file.read(most + 1)


class PostedFile:
    """A file whose content is already there."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self, most: int) -> bytes:
        """Return at most `most` bytes and one more, which shows that there are more."""
        return self._content[: most + 1]


def collect_files(files: Iterable[tuple[str, _ZipEntry | PostedFile]]) -> Files:
    """Return files by their safe paths, within the limits.

    Raises:
        RequestError: `invalid_request` or `too_large`.
    """
    found: Files = {}
    spellings: set[str] = set()
    taken = 0
    for count, (name, file) in enumerate(files, start=1):
        if count > MOST_FILES:
            raise _too_large(f"It holds more than {MOST_FILES} files.")
        place = safe_path(name)
        if place is None:
            continue
        if (spelling := str(place).casefold()) in spellings:
            raise _bad(f"It holds {_quoted(name)} twice.", "Keep one of the two.")
        spellings.add(spelling)
        content = file.read(MOST_BYTES - taken)
        taken += len(content)
        if taken > MOST_BYTES:
            raise _too_large(f"It holds more than {MOST_BYTES // 1_000_000} MB unpacked.")
        found[place] = content
    folders = {str(parent).casefold() for place in found for parent in place.parents}
    if clash := next((place for place in found if str(place).casefold() in folders), None):
        raise _bad(f"{_quoted(str(clash))} is a file and a folder.", "Rename one of the two.")
    return found


def safe_path(name: str) -> PurePosixPath | None:
    """Return the path of a file, if it is safe on every system; None for hidden files, which belong to no skill.

    Raises:
        RequestError: `invalid_request`, for a path that leads elsewhere or that some system cannot have.
    """
    place = PurePosixPath(name)
    is_plain = len(name) <= LONGEST_PATH and not _UNSAFE.intersection(name) and name.isprintable()
    parts = place.parts
    leads_away = place.is_absolute() or any(part == ".." or part != part.rstrip(". ") for part in parts)
    is_plain = is_plain and not any(is_device_name(part) for part in parts)
    if not parts or not is_plain or leads_away or len(parts) > DEEPEST:
        raise _bad(
            f"{_quoted(name)} is no path that is taken.",
            f"Expected folders and a name, at most {DEEPEST} deep, that lead nowhere else, no Windows device.",
        )
    return None if any(part.startswith((".", "__MACOSX")) for part in parts) else place


def split_skills(files: Files) -> SkillBundle:
    """Split files into skills: each folder with a SKILL.md and all that it contains, or a single Markdown file.

    Raises:
        RequestError: `invalid_request` or `too_large`.
    """
    homes = [place.parent for place in files if place.name.casefold() == "skill.md"]
    homes = [home for home in homes if not any(other in home.parents for other in homes)]
    if len(homes) > MOST_SKILLS:
        raise _too_large(f"It holds {len(homes)} skills; at most {MOST_SKILLS} are taken at once.")
    if not homes:
        texts = [place for place in files if place.suffix.casefold() == ".md"]
        if len(texts) != 1:
            raise _bad("It holds no SKILL.md.", "A skill is a folder with a SKILL.md, or one Markdown file.")
        return SkillBundle(
            {texts[0].stem: {PurePosixPath("SKILL.md"): files[texts[0]]}}, _others(files, texts)
        )
    skills: dict[str, Files] = {}
    for home in sorted(set(homes)):
        inside = {
            place.relative_to(home): content for place, content in files.items() if home in place.parents
        }
        skills[home.name] = inside
    if len(skills) < len(set(homes)):
        raise _bad("Two of its folders have the same name.", "Rename one of the two.")
    kept = [place for place in files if any(home in place.parents for home in homes)]
    return SkillBundle(skills, _others(files, kept))


def pack(skill: Skill) -> bytes:
    """Return a skill's folder as a zip, without hidden files and links. Blocks.

    Raises:
        RequestError: `too_large`.
    """
    packed = io.BytesIO()
    total = 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, place in _files_to_pack(skill):
            content, size = read_regular_file(path, _LONGEST_EXPORT)
            total += size
            if total > _LONGEST_EXPORT:
                raise RequestError(
                    "too_large",
                    f"{skill.slug} and its files have over {_LONGEST_EXPORT // 1_000_000} MB.",
                    hint="Copy its folder instead.",
                    status=413,
                )
            archive.writestr(f"{skill.slug}/{valid_unicode(place)}", content)
    return packed.getvalue()


def _files_to_pack(skill: Skill) -> list[tuple[Path, str]]:
    if skill.home is None:
        return [] if skill.path is None else [(skill.path.resolve(), "SKILL.md")]
    found: list[tuple[Path, str]] = []
    for folder, folders, names in os.walk(skill.home):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            if not name.startswith(".") and not path.is_symlink() and path.is_file():
                found.append((path, path.relative_to(skill.home).as_posix()))
    return sorted(found)


def _others(files: Files, kept: Iterable[PurePosixPath]) -> tuple[str, ...]:
    return tuple(sorted(str(place) for place in set(files) - set(kept)))


def _quoted(name: str) -> str:
    return repr(name[:80])


def _bad(problem: str, action: str) -> RequestError:
    return RequestError("invalid_request", problem, hint=action)


def _too_large(problem: str) -> RequestError:
    return RequestError("too_large", problem, hint="Take in fewer files at once.", status=413)
