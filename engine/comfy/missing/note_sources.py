"""Sources of model files in a workflow's notes, where most authors name them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from ..workflow_needs import is_model_file, nodes_of, type_of

_NOTES = frozenset({"Note", "MarkdownNote"})
_ADDRESS = re.compile(r"https://[^\s<>()\[\]\"'`|]+")
_AFTER_AN_ADDRESS = ".,;:!?}*_"


def sources_in_notes(workflow: Mapping[str, Any]) -> dict[str, str]:
    """Return the first URL of each model file in the notes, by file name."""
    found: dict[str, str] = {}
    for text in _notes(workflow):
        for address in _ADDRESS.findall(text):
            clean = address.rstrip(_AFTER_AN_ADDRESS)
            try:
                name = posixpath.basename(unquote(urlsplit(clean).path))
            except ValueError:
                continue
            if is_model_file(name):
                found.setdefault(name, clean)
    return found


def _notes(workflow: Mapping[str, Any]) -> Iterator[str]:
    for node in nodes_of(workflow):
        values = node.get("widgets_values")
        if type_of(node) in _NOTES and isinstance(values, list):
            yield from (value for value in values if isinstance(value, str))
