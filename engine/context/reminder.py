"""The volatile end of a user message: date, goals and persona recited where the model reads them last."""

from __future__ import annotations

from collections.abc import Sequence

from ..clip import clip

CITATION = "Where your answer uses an attached document, cite its number in brackets, as in [1]."
_LONGEST_LINE = 240


def reminder(
    *,
    now: str = "",
    pins: Sequence[str] = (),
    goals: str = "",
    persona: str = "",
    notes: Sequence[str] = (),
    cites: bool = False,
) -> str:
    """The block that goes behind a user's text; "" where there is nothing to say.

    It is stored with the message when that arrives, so the message reads the same in every later request. `cites`
    where the thread has documents; that stands last, after all that the person wants to be told.
    """
    lines = [
        f"Date: {now}." if now else "",
        f"Persona: {line}" if (line := _first_line(persona)) else "",
        f"The user's standing goals: {line}" if (line := _first_line(goals)) else "",
        *(f"Pinned by the user: {pin}" for pin in pins),
        *notes,
        CITATION if cites else "",
    ]
    entries = [line for line in lines if line]
    return "\n".join(["<reminder>", *entries, "</reminder>"]) if entries else ""


def _first_line(text: str) -> str:
    line = next((line.strip("# \t-*") for line in text.splitlines() if line.strip("# \t-*")), "")
    return clip(line, _LONGEST_LINE)
