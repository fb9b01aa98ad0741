"""Where a model is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..secret import Secret


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached. `is_local` grants the patience that loading a model from disk needs."""

    base_url: str
    model: str
    api_key: Secret = field(default=Secret(""))
    is_local: bool = False

    @property
    def first_event_seconds(self) -> float:
        return 300.0 if self.is_local else 120.0

    @property
    def idle_seconds(self) -> float:
        return 180.0 if self.is_local else 60.0
