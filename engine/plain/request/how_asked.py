"""How something is done that could be ordered as well: told by the values that the order would set, and not done."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...environment.node_definition import NodeDefinition
from ..workflow import Workflow
from .orders_read import orders_read

_I = r"(?:i|we|you|u|one)"
_HOW = re.compile(
    rf"\W*(?:(?:(?:tell|show) (?:me|us)|do you know|i (?:want|need|would like) to know) )?"
    rf"(?:how (?:do|can|could|would|should|might) {_I}|how (?:{_I} can )?to|how {_I} can|"
    rf"(?:what|which) (?:do|can|should|must) {_I} (?:do|change|set) to|"
    rf"wie (?:kann|könnte|muss|soll|mache?) (?:ich|man)|"
    rf"comment (?:puis-je|peut-on|je peux|on peut|faire pour)|cómo (?:puedo|se puede))\s+(?P<order>.+?)\s*[?.!]*\s*",
    re.IGNORECASE | re.DOTALL,
)


def way_told(workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str) -> str:
    """Empty where it asks for no way, or for one that is not a matter of values."""
    asked = _HOW.fullmatch(request)
    if asked is None:
        return ""
    order = asked["order"]
    orders = orders_read(workflow, definitions, order)
    if orders is None or not orders.values:
        return ""
    values = ", ".join(f"{value.name} to {new} ({value.value} now)" for value, new in orders.values)
    return f"Set {values}. Say “{order}”, and it is set."
