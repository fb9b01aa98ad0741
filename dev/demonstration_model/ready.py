"""Waiting for a model server that is loading its model."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable


def wait_until_ready(
    base_url: str, *, seconds: float = 60.0, is_alive: Callable[[], bool] = lambda: True, pause: float = 0.2
) -> bool:
    """Whether the server at base_url (".../v1") came to answer with a model in time.

    `is_alive` tells whether its process still runs: waiting for a dead one ends at once.
    """
    deadline = time.monotonic() + seconds
    while not _answers(base_url):
        if not is_alive() or time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def _answers(base_url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{base_url}/models", timeout=2) as response:
            return bool(json.load(response).get("data"))
    except (OSError, ValueError):
        return False
