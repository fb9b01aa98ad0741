"""ComfyUI node types that a text names and this ComfyUI lacks."""

from __future__ import annotations

import re

from .search import plain_words
from .snapshot import Environment

_NAMED_TYPE = re.compile(r"`([A-Za-z]\w+)(?:\.[^`\n]*)?`")


def missing_types(text: str, environment: Environment) -> str:
    """Return a last line for `text` that lists them with reasons; "" where there are none."""
    named = dict.fromkeys(_NAMED_TYPE.findall(text))
    absent = {
        name: " ".join(f"({reason})" for reason in environment.failures_of(name).values())
        for name in named
        if name not in environment.nodes and (name in plain_words() or environment.failures_of(name))
    }
    types = ", ".join(" ".join(filter(None, pair)) for pair in absent.items())
    return f"\n\nNot installed here: {types}." if types else ""
