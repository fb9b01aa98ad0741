"""The models that an endpoint lists, each with the facts on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..endpoint import Endpoint
from .model_facts import model_facts, price_of
from .server_facts import facts_of_entry


def model_entries(endpoint: Endpoint, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the models; window and price are None where neither the list nor the bundled table has them."""
    return [_entry_with_facts(replace(endpoint, model=str(entry["id"])), entry) for entry in entries]


def _entry_with_facts(endpoint: Endpoint, entry: dict[str, Any]) -> dict[str, Any]:
    told = facts_of_entry(entry)
    facts = model_facts(endpoint.model, server=told, is_local=endpoint.is_near)
    price = price_of(replace(endpoint, price=told.price))
    return {
        "id": endpoint.model,
        "window": None if facts.window_source == "unknown" else facts.window,
        "vision": facts.vision,
        "price": price and price.as_json(),
    }
