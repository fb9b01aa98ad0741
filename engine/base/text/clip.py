"""Text cut to a length, with an ellipsis in place of what is left out."""

from __future__ import annotations

import json


def clip(text: str, length: int) -> str:
    """Return the text, cut to `length` characters with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def clip_line(text: str, length: int) -> str:
    """Return the text as one line of at most `length` characters."""
    return clip(" ".join(text.split()), length)


def clip_words(text: str, length: int) -> str:
    """Return the text as one line of at most `length` characters that ends with a whole word."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rsplit(" ", 1)[0] + "…"


def quoted_name(name: str, length: int = 80) -> str:
    """Quote a name or text that others wrote as data: in quotation marks, on one line, without tags."""
    return json.dumps(clip_line(name, length).replace("<", "‹"), ensure_ascii=False)
