"""Counts and sizes in words."""

from __future__ import annotations


def pluralize(count: int, noun: str) -> str:
    """Return a count with its noun: "1 place", "12 places", "1,200 places"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size_words(size: int) -> str:
    """Return a size in bytes as kB, MB or GB, the same as the panel's `sizeWords`."""
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
