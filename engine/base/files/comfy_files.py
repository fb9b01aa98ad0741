"""Files in ComfyUI's folders by the names that ComfyUI gives them."""

from __future__ import annotations

import stat
from pathlib import Path


def find_file(folder: Path, name: str) -> Path | None:
    """Return the path of a regular file inside `folder`; None for anything else, such as a link out of it."""
    try:
        path = (folder / name).resolve(strict=True)
        if path.is_relative_to(folder.resolve()) and stat.S_ISREG(path.stat().st_mode):
            return path
    except (OSError, ValueError, RuntimeError):
        pass
    return None
