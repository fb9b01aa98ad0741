"""The bundled table of models: how much each reads at once, whether it sees images, and what its tokens cost."""

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
    return look_up(model, _bundled_table()["windows"])


def listed_vision(model: str) -> bool | None:
    return look_up(model, _bundled_table()["vision"])


def listed_price(model: str) -> Sequence[float] | None:
    """Dollars for a million tokens: of the input, of its cached part, of the output."""
    return look_up(model, _bundled_table()["prices"])


def look_up(model: str, facts: Mapping[str, Fact]) -> Fact | None:
    """The fact of a model in a table, by its own name or else by the longest beginning of it that names a version.

    So a dated snapshot, a preview or somebody's fine-tune is like its family.
    """
    return next((facts[name] for name in _family(normal_name(model)) if name in facts), None)


def normal_name(model: str) -> str:
    """A model's name without what providers put around it: `openai/GPT-4.1:free` is `gpt-4-1`."""
    name = model[:_LONGEST_NAME].strip().lower().rsplit("/", 1)[-1]
    name = _HOST.sub("", name)
    name = _EDITION.sub("", name)
    return re.sub(r"[._: ]+", "-", name).strip("-")


@lru_cache(maxsize=1)
def _bundled_table() -> Mapping[str, Any]:
    """What `python -m dev model-table` wrote, by normal name."""
    return json.loads(TABLE.read_text("utf-8"))


_LONGEST_NAME = 200
"""Servers tell names of any length."""
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
