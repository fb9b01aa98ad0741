"""What a tool takes whose arguments are of every kind."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class Fruit(BaseModel):
    kind: Literal["apple", "pear"] = "apple"


class Basket(BaseModel):
    """A docstring that no model needs to read."""

    name: str = Field(description="Name.")
    fruits: list[Fruit] = Field(default=[])
    best: Fruit | None = None
    weight: float | None = Field(default=None, description="Kilograms.")
    title: str | int = "none"
