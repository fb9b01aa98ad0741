"""setValue: a value or a text of the open workflow, by the name that the listing gives it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..tool_result import ToolFailure, failure
from .call import BrowserCall, edit, not_found
from .meant import NotFound, named_by, plain, values_meant
from .names import Value, values_by_name
from .request.text_asked import text_asked
from .request.values_said import as_words
from .workflow import Workflow

_SIZES = ("size", "image size", "picture size", "resolution", "dimensions")
_AND = re.compile(r"\s*(?:,|&|/|×|\band\b|\bund\b|\bet\b|\by\b|\bx\b)\s*", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def set_value(workflow: Workflow, name: str, value: Any, request: str = "") -> BrowserCall | ToolFailure:
    """`request` is what the person wrote."""
    values = values_by_name(workflow)
    try:
        meant = _several(values, name) or [
            (one, None) for one in _values_meant(values, name, request, str(value))
        ]
    except NotFound as error:
        return not_found("value", name, error)
    asked = None
    if isinstance(value, str) and isinstance(old := meant[0][0].value, str):
        text = text_asked(request, value, old)
        asked = None if text == value else {"name": name, "value": text}
        value = text
    numbers = _NUMBER.findall(value) if isinstance(value, str) else []
    has_one_each = len(numbers) == len(meant) > 1
    wanted = [
        (one, _fitted(one, numbers[place] if has_one_each and place is not None else value))
        for one, place in meant
    ]
    if all(new in (one.value, str(one.value)) for one, new in wanted):
        return failure(
            f"{name} has this value already; nothing was changed.",
            "If the user wants another one, call again with that; else say so.",
        )
    return replace(_set(wanted), asked=asked)


def set_values(said: Sequence[tuple[Value, Any]]) -> BrowserCall:
    """What the person said, whatever the model called."""
    return replace(_set(said), asked=as_words(said), asked_of="setValue")


def _set(wanted: Sequence[tuple[Value, Any]]) -> BrowserCall:
    if len(wanted) == 1:
        [(one, new)] = wanted
        return BrowserCall("setNodeWidgetValue", {"node": one.node.id, "widget": one.widget, "value": new})
    return edit(*({"op": "set", "nodes": [one.node.id], "widgets": {one.widget: new}} for one, new in wanted))


def _values_meant(values: Sequence[Value], name: str, request: str, new: str) -> list[Value]:
    """Where several have the name, the one whose other words the person said."""
    try:
        meant = values_meant(values, name)
        names = [value.name for value in values if value.base == meant[0].base]
    except NotFound as error:
        meant, names = None, error.candidates
        if not names:
            raise
    said = named_by(request, names, value=new) if len(names) > 1 else None
    return values_meant(values, said) if said else meant or values_meant(values, name)


def _several(values: Sequence[Value], name: str) -> list[tuple[Value, int | None]]:
    """What "width and height" names, each with its place; nothing where it is one name."""
    parts = (
        ["width", "height"] if plain(name) in _SIZES else [part for part in _AND.split(name) if part.strip()]
    )
    if len(parts) < 2:
        return []
    try:
        return [(one, place) for place, part in enumerate(parts) for one in values_meant(values, part)]
    except NotFound:
        return []


def _fitted(known: Value, value: Any) -> Any:
    """Where a number stands, the number of "768 pixels"."""
    if (
        known.is_number
        and isinstance(value, str)
        and "%" not in value
        and len(found := _NUMBER.findall(value)) == 1
    ):
        return found[0].replace(",", ".")
    return value
