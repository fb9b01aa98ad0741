"""Ids of our own for tool calls, since those of providers repeat, are empty, or are too long."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable

NewCallId = Callable[[], str]
_ALPHABET = string.ascii_letters + string.digits


def new_call_id() -> str:
    """Return nine letters and digits, the one form that Mistral accepts, and every other provider too."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(9))
