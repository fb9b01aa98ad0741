"""What can go wrong with the demonstration model, in words for the person who typed the command."""

from __future__ import annotations


class DemonstrationModelError(Exception):
    """Says what was found, what was expected, and what to do next."""
