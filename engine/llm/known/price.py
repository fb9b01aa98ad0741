"""What a model's tokens cost, where that is known."""

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
    """Dollars for a million tokens; `cached` is for those of the input that the provider had cached."""

    input: float
    cached: float
    output: float

    def as_json(self) -> dict[str, float]:
        return {"input": self.input, "cached": self.cached, "output": self.output}

    def of(self, usage: Usage) -> float:
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * self.cached + usage.output_tokens * self.output) / _MILLION


FREE = Price(0, 0, 0)
_ONLY_HOSTED = re.compile(r"(?:chatgpt|gpt-[3-9]|o[1-9]|claude|gemini|grok-[3-9])(?![a-z])")
"""Names of models whose weights nobody has: a server near by that offers one passes requests on."""

PriceSource = Literal["you", "endpoint", "local", "table", "unknown"]


def price_of(endpoint: Endpoint) -> Price | None:
    """What was told of it. Nothing for a model that runs near by and for a gateway's free edition; else what the
    bundled table says, None where it says nothing.
    """
    if endpoint.price is not None:
        return Price(*endpoint.price)
    if _is_free(endpoint):
        return FREE
    listed = listed_price(endpoint.model)
    return None if listed is None else Price(*listed)


def price_source_of(endpoint: Endpoint) -> PriceSource:
    """Who says so, where nobody told a price of the endpoint."""
    if _is_free(endpoint):
        return "local"
    return "unknown" if listed_price(endpoint.model) is None else "table"


def _is_free(endpoint: Endpoint) -> bool:
    runs_here = endpoint.is_near and not _ONLY_HOSTED.match(normal_name(endpoint.model))
    return runs_here or endpoint.model.endswith(":free")
