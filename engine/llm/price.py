"""What a model's tokens cost, where that is known."""

from __future__ import annotations

from dataclasses import dataclass

from ..events import Usage
from .endpoint import Endpoint
from .model_table import listed_price

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens; `cached` is for those of the input that the provider had cached."""

    input: float
    cached: float
    output: float

    def of(self, usage: Usage) -> float:
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * self.cached + usage.output_tokens * self.output) / _MILLION


FREE = Price(0, 0, 0)


def price_of(endpoint: Endpoint) -> Price | None:
    """Nothing for a model on this machine and for a gateway's free edition; elsewhere what the bundled table says, None
    where it says nothing.
    """
    if endpoint.is_local or endpoint.model.endswith(":free"):
        return FREE
    listed = listed_price(endpoint.model)
    return None if listed is None else Price(*listed)
