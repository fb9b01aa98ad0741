"""setValue: a value or a text of the open workflow, by the name that the listing gives it."""

from __future__ import annotations

import re
from typing import Any

from ..tool_result import ToolFailure, failure
from .call import BrowserCall, edit, not_found
from .meant import NotFound, values_meant
from .names import Value, values_by_name
from .text_asked import text_asked
from .workflow import Workflow

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def set_value(workflow: Workflow, name: str, value: Any, request: str = "") -> BrowserCall | ToolFailure:
    """`request` is what the person wrote."""
    try:
        meant = values_meant(values_by_name(workflow), name)
    except NotFound as error:
        return not_found("value", name, error)
    if isinstance(value, str) and isinstance(meant[0].value, str):
        value = text_asked(request, value, meant[0].value)
    if all(_fitted(one, value) in (one.value, str(one.value)) for one in meant):
        return failure(
            f"{meant[0].name} has this value already; nothing was changed.",
            "If the user wants another one, call again with that; else say so.",
        )
    if len(meant) == 1:
        [one] = meant
        return BrowserCall(
            "setNodeWidgetValue", {"node": one.node.id, "widget": one.widget, "value": _fitted(one, value)}
        )
    return edit(
        *(
            {"op": "set", "nodes": [one.node.id], "widgets": {one.widget: _fitted(one, value)}}
            for one in meant
        )
    )


def _fitted(known: Value, value: Any) -> Any:
    """Where a number stands, the number of "768 pixels"."""
    is_number = isinstance(known.value, int | float) and not isinstance(known.value, bool)
    if is_number and isinstance(value, str) and len(found := _NUMBER.findall(value)) == 1:
        return found[0].replace(",", ".")
    return value
