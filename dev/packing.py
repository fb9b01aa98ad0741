"""The package as ComfyUI's registry gets it: validated and packed by comfy-cli, the registry's own tool.

comfy-cli is GPL-3: it is installed into the ignored cache and never becomes part of this repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from dev.component import Component, Installation, create_venv, interpreter
from dev.places import REGISTRY, ROOT, venv_python

TOOL = "comfy-cli==1.23.0"
ARCHIVE = "node.zip"
_ALL_IS_WELL = "All validation checks passed"


class PackingFailed(Exception):
    """comfy-cli refused the package. The text is what it said."""


def pack(folder: Path) -> Path:
    """Validate and pack what is in the working tree; the archive lies in the folder, which is made for it.

    comfy-cli packs what git tracks, so the files are given to a repository of their own: those that are not
    committed yet come along, and nothing is written into ours.

    Raises:
        PackingFailed: with what comfy-cli said.
    """
    for name in _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    _git("init", "--quiet", cwd=folder)
    _git("add", "--all", cwd=folder)
    told = _comfy(folder, "validate")
    if _ALL_IS_WELL not in told:
        raise PackingFailed(told)
    _comfy(folder, "pack")
    return folder / ARCHIVE


def _git(*arguments: str, cwd: Path) -> str:
    # A hook's variables would name another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=True
    ).stdout


def _comfy(folder: Path, command: str) -> str:
    ended = subprocess.run(
        [REGISTRY / "bin" / "comfy", "--skip-prompt", "node", command],
        cwd=folder,
        # It keeps settings of its own in the home folder, and reports what is done with it unless asked not to.
        env={**os.environ, "HOME": str(REGISTRY), "DO_NOT_TRACK": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise PackingFailed(ended.stdout)
    return ended.stdout


def _install(installation: Installation) -> None:
    create_venv(installation, REGISTRY)
    installation.pip(venv_python(REGISTRY), "install", TOOL)


PACKING_TOOL = Component(
    name="registry",
    title="comfy-cli",
    stamp=REGISTRY / ".stamp",
    pins=lambda: TOOL + interpreter(),
    install=_install,
    is_present=lambda: (REGISTRY / "bin" / "comfy").exists(),
)
