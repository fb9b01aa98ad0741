"""Numbers and switches, as people type them."""

from __future__ import annotations

_SWITCHES = {
    "on": True,
    "true": True,
    "yes": True,
    "1": True,
    "off": False,
    "false": False,
    "no": False,
    "0": False,
}


def read_whole_number(text: str) -> int | None:
    """`48000`, `48,000` and `48_000` are one number; None for all that is none, and for more than twelve digits."""
    digits = text.strip().replace(",", "").replace("_", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else None


def read_switch(text: str) -> bool | None:
    return _SWITCHES.get(text.strip().lower())
