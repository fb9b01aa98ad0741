"""Which ComfyUI to run: the pinned one, or what `COMFYUI` names: a folder, a git repository or `newest`."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dev.component import SetUpFailed
from dev.places import CACHE, COMFYUI, HOST_VENV

VARIABLE = "COMFYUI"
NEWEST = "newest"
OFFICIAL = "https://github.com/comfyanonymous/ComfyUI"
SECONDS_TO_ASK = 8
PINNED_VERSION = "0.3.75"

_STABLE = re.compile(r"refs/tags/(v\d+(?:\.\d+)+)$")
_VERSION = re.compile(r"""^__version__ *= *["']([^"']+)["']""", re.MULTILINE)


@dataclass(frozen=True)
class ComfyUI:
    """Where its source and its environment lie. `repository` and `reference` say what the source is cloned from."""

    source: Path
    venv: Path
    repository: str = ""
    reference: str = ""

    @property
    def is_pinned(self) -> bool:
        return self.source == COMFYUI

    @property
    def version(self) -> str:
        """As the source says, which a git repository has only once it is cloned."""
        file = self.source / "comfyui_version.py"
        found = _VERSION.search(file.read_text("utf-8")) if file.is_file() else None
        return found[1] if found else "of unknown version"


PINNED = ComfyUI(COMFYUI, HOST_VENV)


def chosen_comfyui(environ: Mapping[str, str] = os.environ) -> ComfyUI:
    """The ComfyUI that `COMFYUI` names. Asks nobody: `newest` has to be resolved by `name_newest` before."""
    named = environ.get(VARIABLE, "").strip()
    if not named:
        return PINNED
    folder = Path(named).expanduser().resolve()
    place = (
        CACHE
        / "comfyui"
        / hashlib.sha256(str(folder if folder.exists() else named).encode()).hexdigest()[:12]
    )
    if (folder / "main.py").is_file():
        return ComfyUI(folder, place / "venv")
    repository, reference = (str(folder), "") if folder.exists() else _parted(named)
    return ComfyUI(place / "ComfyUI", place / "venv", repository, reference)


def _parted(named: str) -> tuple[str, str]:
    """The repository and what stands behind the last `@` of its path; one in front of the path names a user."""
    path = named.find("/", named.find("://") + 3) if "://" in named else named.find(":") + 1
    repository, _, reference = named[path:].rpartition("@")
    repository, reference = (named[:path] + repository, reference) if repository else (named, "")
    folder = Path(repository).expanduser().resolve()
    return (str(folder) if folder.exists() else repository, reference)


def name_newest(environ: dict[str, str] | os._Environ[str] = os.environ) -> None:
    """Put the newest stable release in the place of `newest`, for this process and those that it starts.

    Raises SetUpFailed where the repository cannot be asked.
    """
    if environ.get(VARIABLE, "").strip() != NEWEST:
        return
    try:
        answer = subprocess.run(
            ["git", "ls-remote", "--tags", "--refs", OFFICIAL],
            capture_output=True,
            text=True,
            timeout=SECONDS_TO_ASK,
            check=False,
            env={**environ, "GIT_TERMINAL_PROMPT": "0"},
        )
        output, reason = answer.stdout, answer.stderr.strip()
    except subprocess.TimeoutExpired:
        output, reason = "", f"it did not answer within {SECONDS_TO_ASK} s"
    except OSError as error:
        output, reason = "", str(error)
    newest = newest_stable(output)
    if newest is None:
        raise SetUpFailed(
            f"{VARIABLE}={NEWEST}: {OFFICIAL} could not be asked for its releases"
            f"{f' ({reason.splitlines()[-1]})' if reason else ''}. Check the network connection, or name a folder or a "
            f"git repository: {VARIABLE}=~/ComfyUI."
        )
    environ[VARIABLE] = f"{OFFICIAL}@{newest}"


def newest_stable(tags: str) -> str | None:
    """The highest version among the lines of `git ls-remote --tags`, without pre-releases."""
    found = [match[1] for line in tags.splitlines() if (match := _STABLE.search(line))]
    return max(found, key=lambda tag: tuple(map(int, tag[1:].split("."))), default=None)
