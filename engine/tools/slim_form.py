"""How small models are offered a tool."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SlimForm:
    """Small models fill in every optional argument that they are offered, with invented values. So they are offered
    what is required, and beyond that only `optional`.

    They choose a tool by its description, so what is left to another tool is said in theirs. With `only`, no other
    model is offered the tool.
    """

    only: bool = False
    description: str | None = None
    optional: tuple[str, ...] = ()
