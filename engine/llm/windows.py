"""How many tokens a model reads at once, and who says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

UNKNOWN_WINDOW = 32_000
TABLE = Path(__file__).with_name("context_windows.json")

WindowSource = Literal["setting", "endpoint", "table", "learned", "unknown"]


@dataclass(frozen=True)
class Window:
    tokens: int
    source: WindowSource


def get_context_window(
    model: str,
    *,
    override: int | None = None,
    endpoint: int | None = None,
    learned: int | None = None,
    is_local: bool = False,
) -> Window:
    """The first that is known: the user's setting, what the endpoint says, the bundled table, an overflow error.

    What an error taught counts before a table that promises more. The table is not asked for a model on this
    machine, whose server decides how much of the model's window it makes room for.
    """
    if override:
        return Window(override, "setting")
    if endpoint:
        return Window(endpoint, "endpoint")
    listed = None if is_local else listed_window(model, bundled_windows())
    if learned and learned < (listed or learned + 1):
        return Window(learned, "learned")
    return Window(listed, "table") if listed else Window(UNKNOWN_WINDOW, "unknown")


def listed_window(model: str, windows: Mapping[str, int]) -> int | None:
    """The window of a model in a table, by its own name or else by the longest beginning of it that names a version.

    So a dated snapshot, a preview or somebody's fine-tune has the window of its family.
    """
    return next((windows[name] for name in _family(normal_name(model)) if name in windows), None)


def normal_name(model: str) -> str:
    """A model's name without what providers put around it: `openai/GPT-4.1:free` is `gpt-4-1`."""
    name = model.strip().lower().rsplit("/", 1)[-1]
    name = _HOST.sub("", name)
    name = _EDITION.sub("", name)
    return re.sub(r"[._: ]+", "-", name).strip("-")


@lru_cache(maxsize=1)
def bundled_windows() -> Mapping[str, int]:
    """What `python -m dev windows` wrote, by normal name."""
    return json.loads(TABLE.read_text("utf-8"))["windows"]


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
