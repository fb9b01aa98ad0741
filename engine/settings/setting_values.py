"""Parsers for numbers and switches as users type them."""

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
    """Parse a number such as `48000`, `48,000` or `48_000`; None for anything else or over twelve digits."""
    digits = text.strip().replace(",", "").replace("_", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else None


def read_switch(text: str) -> bool | None:
    """Parse a switch such as `on` or `off`; None for anything else."""
    return _SWITCHES.get(text.strip().lower())
