"""What people call ComfyUI's own node types, from the file of that name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_suffix(".txt")


@cache
def plain_words() -> Mapping[str, str]:
    """By node type. Read once, when the first index is built."""
    names = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        node_type, colon, name = line.partition(": ")
        if colon and not line.startswith("#"):
            names[node_type] = name
    return MappingProxyType(names)
