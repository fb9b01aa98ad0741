"""What ComfyUI would run, which is what the oracle's work is judged by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Prompt = Mapping[str, Mapping[str, Any]]
"""ComfyUI's API form: `class_type` and `inputs` by node id."""


def links_from(prompt: Prompt, node: str, slot: int) -> Iterator[tuple[str, str]]:
    """The inputs, as node and name, that an output feeds."""
    for reader, entry in prompt.items():
        for name, value in entry["inputs"].items():
            if value == [node, slot]:
                yield reader, name


def of_type(prompt: Prompt, node_type: str) -> list[str]:
    return [node for node, entry in prompt.items() if entry["class_type"] == node_type]


def with_values(prompt: Prompt, changes: Mapping[tuple[str, str], Any]) -> Prompt:
    """The same with other inputs, by node and name."""
    return {
        node: {
            **entry,
            "inputs": {name: changes.get((node, name), value) for name, value in entry["inputs"].items()},
        }
        for node, entry in prompt.items()
    }


def without(prompt: Prompt, *nodes: str) -> Prompt:
    return {node: entry for node, entry in prompt.items() if node not in nodes}


def difference(expected: Prompt, found: Prompt) -> str | None:
    """The first thing that would run otherwise; None where nothing would."""
    for node in sorted({*expected, *found}):
        before, after = expected.get(node), found.get(node)
        if before is None or after is None:
            return f"node {node} {(before or after or {})['class_type']} is {'new' if before is None else 'gone'}"
        if before["class_type"] != after["class_type"]:
            return f"node {node} is a {after['class_type']}, not a {before['class_type']}"
        for name in sorted({*before["inputs"], *after["inputs"]}):
            wanted, value = before["inputs"].get(name), after["inputs"].get(name)
            if not _is_same(wanted, value):
                return f"{node}.{name} is {value!r}, not {wanted!r}"
    return None


def _is_same(one: Any, other: Any) -> bool:
    """As Python compares, but for numbers that went through the page's own rounding."""
    if isinstance(one, float) or isinstance(other, float):
        try:
            return abs(float(one) - float(other)) < 1e-6
        except (TypeError, ValueError):
            return False
    return one == other
