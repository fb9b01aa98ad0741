"""Prices of models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ...base.events import Usage
from ..endpoint import Endpoint
from .model_table import listed_price, normal_name

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens; `cached` is for input tokens from the provider's cache."""

    input: float
    cached: float
    output: float

    def as_json(self) -> dict[str, float]:
        return {"input": self.input, "cached": self.cached, "output": self.output}

    def of(self, usage: Usage) -> float:
        """Return the dollars that a request cost."""
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * self.cached + usage.output_tokens * self.output) / _MILLION


FREE = Price(0, 0, 0)
_ONLY_HOSTED = re.compile(r"(?:chatgpt|gpt-[3-9]|o[1-9]|claude|gemini|grok-[3-9])(?![a-z])")
"""Names of models without public weights: a local server that offers one forwards the requests."""

PriceSource = Literal["you", "endpoint", "local", "table", "unknown"]


def price_of(endpoint: Endpoint) -> Price | None:
    """Return the price of an endpoint's model: the endpoint's own, zero for a local model or a gateway's free
    edition, else that of the bundled table; None where it has none.
    """
    if endpoint.price is not None:
        return Price(*endpoint.price)
    if _is_free(endpoint):
        return FREE
    listed = listed_price(endpoint.model)
    return None if listed is None else Price(*listed)


def price_source_of(endpoint: Endpoint) -> PriceSource:
    """Return the source of the price, where the endpoint has none of its own."""
    if _is_free(endpoint):
        return "local"
    return "unknown" if listed_price(endpoint.model) is None else "table"


def _is_free(endpoint: Endpoint) -> bool:
    runs_here = endpoint.is_near and not _ONLY_HOSTED.match(normal_name(endpoint.model))
    return runs_here or endpoint.model.endswith(":free")
