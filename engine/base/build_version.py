"""Which build of the extension lies on the disk, beside the one that this process began with and the one a page has."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

_RESTART = "ComfyUI Assistant was updated. Restart ComfyUI, then reload this page."
_RELOAD = "ComfyUI Assistant was updated while this page was open."


class BuildVersion:
    """The panel's main file has a name that changes with what it holds; a release changes pyproject.toml too."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._at_start = self._read()

    def update_for(self, page: str) -> dict[str, Any] | None:
        """What to tell a page that has this main file, and whether reloading it is all there is to do."""
        now = self._read()
        if now != self._at_start:
            return {"message": _RESTART, "reload": False}
        panel, _ = now
        if page and panel and page != panel:
            return {"message": _RELOAD, "reload": True}
        return None

    def _read(self) -> tuple[str, bytes]:
        """What cannot be read, as in the midst of an update, is empty."""
        names = [path.name for path in (self._root / "js" / "chunks").glob("mountPanel-*.mjs")]
        package = b""
        with contextlib.suppress(OSError):
            package = (self._root / "pyproject.toml").read_bytes()
        return (names[0] if len(names) == 1 else "", package)
