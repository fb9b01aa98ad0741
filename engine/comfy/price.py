"""The cost of a run of a paid node, as far as its definition tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

PAID = "paid"


def is_paid(info: Mapping[str, Any]) -> bool:
    """Return whether the node type of this /object_info entry is paid from the user's ComfyUI account.

    Some nodes that only hand something to a paid one lack the mark, but lie in ComfyUI's modules for paid nodes.
    """
    return info.get("api_node") is True or str(info.get("python_module")).startswith("comfy_api_nodes.")


def price_of(info: Mapping[str, Any]) -> str:
    """Return the price by an entry of /object_info, such as "paid, $0.06/Run"; "" where it is free.

    ComfyUI's frontend computes the price from an expression and the node's values. Here only an expression without
    values is evaluated; of any other, the inputs that it depends on are named.
    """
    if not is_paid(info):
        return ""
    badge = info.get("price_badge")
    if not isinstance(badge, Mapping):
        return PAID
    if price := _constant(badge.get("expr")):
        return f"{PAID}, {price}"
    depends_on = badge.get("depends_on")
    widgets = depends_on.get("widgets") if isinstance(depends_on, Mapping) else None
    names = [
        str(widget["name"]) for widget in widgets or () if isinstance(widget, Mapping) and "name" in widget
    ]
    return f"{PAID}, by {', '.join(names)}" if names else PAID


def _constant(expression: object) -> str:
    try:
        price = json.loads(str(expression))
    except ValueError:
        return ""
    if not isinstance(price, Mapping):
        return ""
    if price.get("type") == "text":
        return str(price.get("text") or "")
    form = price.get("format")
    form = form if isinstance(form, Mapping) else {}
    amounts = [price.get(name) for name in ("usd", "min_usd", "max_usd") if name in price]
    numbers = [amount for amount in amounts if isinstance(amount, (int, float))]
    if not numbers or len(numbers) != len(amounts):
        return ""
    about = "~" if form.get("approximate") else ""
    note = f" {form['note']}" if form.get("note") else ""
    return f"{about}{'-'.join(f'${number:g}' for number in numbers)}{form.get('suffix', '/Run')}{note}"
