"""What was learned of endpoints, kept as a store keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class StatesInMemory:
    def __init__(self) -> None:
        self.states: dict[str, dict[str, Any]] = {}

    async def load(self, model_key: str) -> dict[str, Any] | None:
        return self.states.get(model_key)

    async def save(self, model_key: str, state: Mapping[str, Any]) -> None:
        self.states[model_key] = dict(state)

    async def forget(self, model_key: str) -> None:
        self.states.pop(model_key, None)
