"""The form of a tool for small models."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SlimForm:
    """The form in which small models get a tool.

    They fill in every optional argument with invented values, so they get the required ones and those in `optional`.
    They choose a tool by its description, so theirs says what another tool is for. With `only`, no other model gets
    the tool.
    """

    only: bool = False
    description: str | None = None
    optional: tuple[str, ...] = ()
