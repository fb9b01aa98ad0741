"""Detection of an update: the build on disk beside the build of this process and the build of an open page."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

_RESTART = "ComfyUI Assistant was updated. Restart ComfyUI, then reload this page."
_RELOAD = "ComfyUI Assistant was updated while this page was open."


class BuildVersion:
    """Knows a build by the name of the panel's main file, which changes with its content, and by pyproject.toml."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._at_start = self._read()

    def update_for(self, page: str) -> dict[str, Any] | None:
        """Return the notice for a page whose main file is `page`, as `{"message", "reload"}`; None where it is current.

        `reload` is true where reloading the page is enough, and false where ComfyUI has to restart.
        """
        now = self._read()
        if now != self._at_start:
            return {"message": _RESTART, "reload": False}
        panel, _ = now
        if page and panel and page != panel:
            return {"message": _RELOAD, "reload": True}
        return None

    def _read(self) -> tuple[str, bytes]:
        """Return the name of the main file and the content of pyproject.toml, empty where they cannot be read."""
        names = [path.name for path in (self._root / "js" / "chunks").glob("panel-*.mjs")]
        package = b""
        with contextlib.suppress(OSError):
            package = (self._root / "pyproject.toml").read_bytes()
        return (names[0] if len(names) == 1 else "", package)
