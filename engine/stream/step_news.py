"""What a step gained since it was last looked at, and the parts that all of it amounts to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict


class StepNews(TypedDict):
    """The first `keep` parts stay, the text of the last of them grows by `grow`, and `parts` follow.

    `number` counts from 0, which keeps nothing.
    """

    number: int
    keep: int
    grow: str
    parts: list[dict[str, Any]]


def join_news(news: Iterable[StepNews]) -> tuple[list[dict[str, Any]], str]:
    """The parts, as far as nothing is missing between, and what is wrong with the rest; "" where nothing is."""
    parts: list[dict[str, Any]] = []
    due = 0
    for each in news:
        if each["number"] == 0:
            parts, due = [], 0
        if each["number"] != due or each["keep"] > len(parts):
            return parts, f"what follows on piece {due} of it is lost"
        parts = parts[: each["keep"]]
        if each["grow"]:
            if not parts or not isinstance(parts[-1].get("text"), str):
                return parts, f"piece {due} of it goes on with a text that is not there"
            parts[-1] = {**parts[-1], "text": parts[-1]["text"] + each["grow"]}
        parts += each["parts"]
        due += 1
    return parts, ""
