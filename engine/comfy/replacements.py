"""Node types that ComfyUI has others in the place of, as newer versions list them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any


def replaced_types(listed: Mapping[str, Any], installed: Container[str]) -> dict[str, str]:
    """By the old type, the first installed one that takes its place; packages may list anything."""
    found: dict[str, str] = {}
    for old, entries in listed.items():
        for entry in entries if isinstance(entries, Sequence) else ():
            new = entry.get("new_node_id") if isinstance(entry, Mapping) else None
            if isinstance(new, str) and new in installed and new != old:
                found.setdefault(old, new)
    return found
