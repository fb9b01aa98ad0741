"""The bundled table of models: context windows, vision and prices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

Fact = TypeVar("Fact")
TABLE = Path(__file__).with_name("model_table.json")


def listed_window(model: str) -> int | None:
    """Return the context window of a model in tokens."""
    return look_up(model, _bundled_table()["windows"])


def listed_vision(model: str) -> bool | None:
    """Return whether a model sees images."""
    return look_up(model, _bundled_table()["vision"])


def listed_price(model: str) -> Sequence[float] | None:
    """Return the price in dollars per million tokens: input, cached input, output."""
    return look_up(model, _bundled_table()["prices"])


def look_up(model: str, facts: Mapping[str, Fact]) -> Fact | None:
    """Return a model's entry in a table, by its name or else by the longest prefix with a version number.

    A dated snapshot, a preview or a fine-tune thus has the facts of its family.
    """
    return next((facts[name] for name in _family(normal_name(model)) if name in facts), None)


def normal_name(model: str) -> str:
    """Return a model's name without what providers add to it: `openai/GPT-4.1:free` is `gpt-4-1`."""
    name = model[:_LONGEST_NAME].strip().lower().rsplit("/", 1)[-1]
    name = _HOST.sub("", name)
    name = _EDITION.sub("", name)
    return re.sub(r"[._: ]+", "-", name).strip("-")


@lru_cache(maxsize=1)
def _bundled_table() -> Mapping[str, Any]:
    """Read the table that `python -m dev model-table` writes, keyed by normal name."""
    return json.loads(TABLE.read_text("utf-8"))


_LONGEST_NAME = 200
"""The number of characters of a name that are read: servers send names of any length."""
_HOST = re.compile(
    r"^(?:ft:)?(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?(?:(?:anthropic|amazon|meta|mistral|cohere|ai21|writer|openai|google)\.)?"
)
_EDITION = re.compile(
    r"(?::(?:free|nitro|floor|beta|extended|thinking|online|latest)|@[\w-]+|-v\d+:\d+\w*)+$"
)


def _family(name: str) -> Iterator[str]:
    yield name
    segments = name.split("-")
    for length in range(len(segments) - 1, 0, -1):
        if any(character.isdigit() for segment in segments[:length] for character in segment):
            yield "-".join(segments[:length])
