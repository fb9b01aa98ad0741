"""Names of files that a link of the file system leads out of ComfyUI's folders, where no name tells it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..environment.host import ComfyHost, FileKind

_KINDS: tuple[FileKind, ...] = ("input", "output", "temp")
_ANNOTATED = re.compile(r"^(?P<name>.*?) *\[(?P<kind>input|output|temp)\]$", re.DOTALL)
_IN_INPUT = re.compile(r"^(?:\.?[/\\])*input[/\\]")


def linked_out(host: ComfyHost, names: Iterable[str]) -> list[str]:
    """Those that ComfyUI would read elsewhere than in its input, output and temp folder. Blocking.

    A name is relative to the input folder, or to the one that it is annotated with, as ComfyUI takes it; one that
    begins with `input/` to ComfyUI's own folder, too, as packages take it. Whether there is such a file counts for
    nothing. What leads out by itself, absolute or by `..`, is told by its name and left out here.
    """
    folders = {kind: host.file_directory(kind) for kind in _KINDS}
    homes = [Path(os.path.realpath(folder)) for folder in folders.values()]

    def leads_out(name: str) -> bool:
        annotated = _ANNOTATED.match(name)
        kind: FileKind = annotated["kind"] if annotated else "input"  # pyright: ignore[reportAssignmentType]
        plain = (annotated["name"] if annotated else name).replace("\\", os.sep)
        return any(_is_out(folders[kind], each, homes) for each in {plain, _IN_INPUT.sub("", plain)})

    return [name for name in names if leads_out(name)]


def _is_out(folder: Path, name: str, homes: Iterable[Path]) -> bool:
    if os.path.isabs(name) or ".." in Path(name).parts:
        return False
    try:
        place = Path(os.path.realpath(folder / name))
    except (OSError, ValueError):
        return False
    return not any(place.is_relative_to(home) for home in homes)
