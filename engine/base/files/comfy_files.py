"""A file by the name that ComfyUI gave it, in a folder of ComfyUI's."""

from __future__ import annotations

import stat
from pathlib import Path


def file_in(folder: Path, name: str) -> Path | None:
    """None for what is no file inside of the folder, a link that leads out of it too."""
    try:
        path = (folder / name).resolve(strict=True)
        if path.is_relative_to(folder.resolve()) and stat.S_ISREG(path.stat().st_mode):
            return path
    except (OSError, ValueError, RuntimeError):
        pass
    return None
