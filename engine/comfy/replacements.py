"""Replacements of node types, as newer ComfyUI versions list them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any


def read_replacements(listed: Mapping[str, Any], installed: Container[str]) -> dict[str, str]:
    """Return by old type the first installed type that replaces it; packages may list anything."""
    found: dict[str, str] = {}
    for old, entries in listed.items():
        for entry in entries if isinstance(entries, Sequence) else ():
            new = entry.get("new_node_id") if isinstance(entry, Mapping) else None
            if isinstance(new, str) and new in installed and new != old:
                found.setdefault(old, new)
    return found
