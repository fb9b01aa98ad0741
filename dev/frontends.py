"""ComfyUI's frontends beside the one that its environment has: any version of the package, unpacked into the cache."""

from __future__ import annotations

from pathlib import Path

from dev.comfyui import ENVIRONMENT, FRONTEND, OLDEST_FRONTEND
from dev.component import Component, Installation, interpreter, remove_folder, replace_folder
from dev.places import HOST, HOST_VENV, venv_python

NEWER_FRONTEND = "1.58.1"
NODES_2 = f"{NEWER_FRONTEND}-nodes-2"
"""The newer one with ComfyUI's "Nodes 2.0": nodes as elements of the page."""

NEWEST_FRONTEND = "1.59.0.dev2"
"""The newest pre-release: what people get next."""

SERIES = (
    *(OLDEST_FRONTEND, "1.33.14", "1.34.9", "1.35.9", "1.36.14", "1.37.11", "1.38.14", "1.39.19", "1.40.10"),
    *("1.41.21", "1.42.15", "1.43.18", "1.44.19", "1.45.21", "1.46.15", "1.47.12", "1.48.7", "1.49.6"),
    *(
        "1.50.6",
        "1.51.10",
        "1.52.7",
        "1.53.10",
        "1.54.12",
        "1.55.18",
        "1.57.5",
        NEWER_FRONTEND,
        NEWEST_FRONTEND,
    ),
)
"""From the oldest that is supported to the newest, the last version of each minor series; there was no 1.56."""


def frontend_root(version: str) -> Path | None:
    """What ComfyUI serves its page from; None for the frontend of its own environment."""
    return None if version == FRONTEND else _folder(version) / "comfyui_frontend_package" / "static"


def frontend_files(version: str) -> Component:
    """One that is not ComfyUI's own."""
    version = NEWER_FRONTEND if version == NODES_2 else version
    folder = _folder(version)

    def install(installation: Installation) -> None:
        new = folder.with_name(folder.name + ".new")
        remove_folder(new)
        installation.pip(
            venv_python(HOST_VENV),
            *("install", "--no-deps", "--target", new, f"comfyui-frontend-package=={version}"),
        )
        replace_folder(new, folder)

    return Component(
        name=f"frontend-{version}",
        title=f"ComfyUI's frontend {version}",
        stamp=folder / ".stamp",
        pins=lambda: version + interpreter(),
        install=install,
        needs=(ENVIRONMENT,),
    )


def _folder(version: str) -> Path:
    return HOST / f"frontend-{NEWER_FRONTEND if version == NODES_2 else version}"


NEWER_FRONTEND_FILES = frontend_files(NEWER_FRONTEND)
NEWEST_FRONTEND_FILES = frontend_files(NEWEST_FRONTEND)
