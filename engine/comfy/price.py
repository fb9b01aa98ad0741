"""What a run of a paid node costs, as far as its definition tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

PAID = "paid"


def is_paid(info: Mapping[str, Any]) -> bool:
    """Whether a run is paid from the person's ComfyUI account, of one entry of /object_info.

    Some of the nodes that only hand something to a paid one are not marked so, but lie in ComfyUI's modules for these.
    """
    return info.get("api_node") is True or str(info.get("python_module")).startswith("comfy_api_nodes.")


def price_of(info: Mapping[str, Any]) -> str:
    """Such as "paid, $0.06/Run", of one entry of /object_info; "" for what is free.

    ComfyUI's frontend works the price out of an expression and the node's values. Only one that needs no values is
    read here; of any other, what it depends on is told.
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
