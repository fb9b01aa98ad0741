"""Node modules of ComfyUI and of packages that did not load, and the reasons."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .words import parts, squeeze

_NODE_ID = re.compile(r"""\bnode_id\s*=\s*["']([^"']{1,200})["']""")
_MAPPINGS = re.compile(r"NODE_CLASS_MAPPINGS\s*(?::[^=\n]+)?=\s*\{(.*?)\n?\}", re.DOTALL)
_KEY = re.compile(r"""["']([^"'\n]{1,200})["']\s*:""")
_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_]\w*)", re.MULTILINE)
_LOGGED = re.compile(r"Cannot import (?P<path>.+?) module for custom nodes: (?P<reason>.+)")
_MOST_FILES, _MOST_CHARACTERS = 200, 400_000


@dataclass(frozen=True)
class LoadFailure:
    """A module that did not load, with the node types that it defines; `package` is None for ComfyUI's own."""

    module: str
    reason: str
    types: tuple[str, ...]
    package: str | None = None

    @property
    def words(self) -> str:
        if self.package:
            return f"part of the package {self.package}, which did not load: {self.reason}"
        return f"part of ComfyUI, its module {self.module} did not load: {self.reason}"


def read_failure(path: Path, *, logged: str = "", package: str | None = None) -> LoadFailure:
    """Describe the failure of a Python file or a package's folder. Its source is searched, never run."""
    texts = _sources(path)
    types = {name for text in texts for name in _types(text)}
    reason = logged or _missing_module(texts[0] if texts else "") or "ComfyUI's log says why"
    return LoadFailure(path.stem, reason, tuple(sorted(types)), package)


def logged_reasons(lines: Iterable[str]) -> dict[str, str]:
    """Return by path the reasons in ComfyUI's log why modules could not be imported."""
    found = (_LOGGED.search(line) for line in lines)
    return {match["path"]: match["reason"].strip() for match in found if match}


def failures_of(name: str, failures: Sequence[LoadFailure]) -> dict[str, str]:
    """Return by node type the reasons for types of this name, ignoring case, spaces and punctuation."""
    wanted = squeeze(name)
    return {
        node_type: failure.words
        for failure in failures
        for node_type in failure.types
        if squeeze(node_type) == wanted
    }


def match_failures(query: Sequence[str], failures: Sequence[LoadFailure]) -> dict[str, str]:
    """Return by node type the reasons for types whose name is made of the query's words or has all of them."""
    asked = set(query)
    return {
        node_type: failure.words
        for failure in failures
        for node_type in failure.types
        if (own := set(parts(node_type))) and asked and (own <= asked or asked <= own)
    }


def _sources(path: Path) -> list[str]:
    """Return the texts of the Python files, the highest in the folder first, `__init__.py` before its neighbors."""
    files = list(islice(path.rglob("*.py"), _MOST_FILES)) if path.is_dir() else [path]
    files.sort(key=lambda file: (len(file.parts), file.name != "__init__.py", file.name))
    return [text for file in files if (text := _read(file))]


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")[:_MOST_CHARACTERS]
    except OSError:
        return ""


def _types(text: str) -> Iterable[str]:
    yield from _NODE_ID.findall(text)
    for block in _MAPPINGS.findall(text):
        yield from _KEY.findall(block)


def _missing_module(text: str) -> str:
    missing = next((name for name in _IMPORT.findall(text) if not _is_here(name)), None)
    return f"No module named '{missing}'" if missing else ""


def _is_here(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return True
