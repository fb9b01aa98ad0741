"""Everyday names of node types, from two files: ComfyUI's own types, and those of well-known packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .node_definition import NodeDefinition

FILE = Path(__file__).with_suffix(".txt")
PACKAGES_FILE = FILE.with_name("package_words.txt")


@cache
def plain_words(file: Path = FILE) -> Mapping[str, str]:
    """Return the everyday names by node type. The file is read once, when the first index is built."""
    names = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        node_type, colon, name = line.partition(": ")
        if colon and not line.startswith("#"):
            names[node_type] = name
    return MappingProxyType(names)


def plain_words_of(definition: NodeDefinition) -> str:
    """Return the everyday name of a type; a package's type does not get that of a ComfyUI type of the same name."""
    own = definition.package is None
    words = plain_words().get(definition.type, "") if own else ""
    return words or (
        "" if own and not definition.is_page_only else plain_words(PACKAGES_FILE).get(definition.type, "")
    )
