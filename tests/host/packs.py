"""Real node packs of other people in a folder: installed, and their example workflows."""

from __future__ import annotations

import json
import re
import shutil
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGES = ".packages"
"""A folder beside the packs with the Python packages that they need."""


@dataclass(frozen=True)
class Example:
    pack: str
    name: str
    workflow: Mapping[str, Any]


def packs_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def install_packs(folder: Path, custom_nodes: Path) -> None:
    """Copies, since many packs write into their own folder."""
    custom_nodes.mkdir(parents=True, exist_ok=True)
    for name in packs_in(folder):
        ignored = shutil.ignore_patterns(".git", "__pycache__", "node_modules")
        shutil.copytree(folder / name, custom_nodes / name, ignore=ignored, ignore_dangling_symlinks=True)


def failure_to_load(log: str, pack: str) -> str:
    """Why ComfyUI could not import a pack, as its log says it; "" where it could."""
    said = rf"Cannot import .*[/\\]{re.escape(pack)} module for custom nodes: (.*)"
    found = re.search(said, log)
    return found[1] if found else ""


def examples(folder: Path, pack: str) -> Iterator[Example]:
    """Every workflow in a pack: files of JSON, and pictures that carry one."""
    for path in sorted((folder / pack).rglob("*")):
        workflow = _workflow_of(path)
        if workflow and workflow.get("nodes"):
            yield Example(pack, str(path.relative_to(folder / pack)), workflow)


def _workflow_of(path: Path) -> dict[str, Any] | None:
    try:
        if path.suffix == ".json":
            text = path.read_text("utf-8")
        elif path.suffix == ".png":
            text = _png_texts(path.read_bytes()).get("workflow", "")
        else:
            return None
        parsed = json.loads(text)
    except (ValueError, OSError):
        return None
    is_workflow = isinstance(parsed, dict) and isinstance(parsed.get("nodes"), list) and "links" in parsed
    return parsed if is_workflow else None


def _png_texts(content: bytes) -> dict[str, str]:
    texts: dict[str, str] = {}
    at = 8
    while at + 8 <= len(content):
        length, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        data = content[at + 8 : at + 8 + length]
        if kind == b"tEXt":
            name, _, text = data.partition(b"\0")
            texts[name.decode("latin-1")] = text.decode("utf-8", "replace")
        elif kind == b"iTXt" and data.count(b"\0") >= 4:
            name, rest = data.split(b"\0", 1)
            text = rest[2:].split(b"\0", 2)[2]
            texts[name.decode("latin-1")] = (zlib.decompress(text) if rest[0] else text).decode(
                "utf-8", "replace"
            )
        at += 12 + length
    return texts
