"""The panel's build for tests in a page without ComfyUI, made anew whenever a source of the panel has changed."""

from __future__ import annotations

from dev.component import Component, Installation
from dev.places import BIN, CACHE, ROOT
from dev.python_tools import PANEL_PACKAGES, node_environment

FAKE_PAGE_FILES = CACHE / "fake-page"
UI = ROOT / "ui"
SOURCES = ("src", "scripts")


def _sources() -> str:
    """The panel's sources by name, size and time of their last change."""
    files = [file for folder in SOURCES for file in sorted((UI / folder).rglob("*")) if file.is_file()]
    packages = UI / "package-lock.json"
    return "\n".join(
        f"{file.relative_to(UI)} {stat.st_size} {stat.st_mtime_ns}"
        for file in (packages, *files)
        if ".test." not in file.name
        for stat in [file.stat()]
    )


def _build(installation: Installation) -> None:
    installation.step("vite")
    installation.run(
        BIN / "node",
        "scripts/fakePage.ts",
        FAKE_PAGE_FILES,
        cwd=UI,
        environment=node_environment(),
    )


FAKE_PAGE = Component(
    name="fake-page",
    title="the panel for a page without ComfyUI",
    stamp=FAKE_PAGE_FILES / ".stamp",
    pins=_sources,
    needs=(PANEL_PACKAGES,),
    advice="mend what vite complains about.",
    install=_build,
)
