"""A disk of a few megabytes, for programs that fill it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def on_a_small_disk(folder: Path, megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that has a disk of its own at `folder`, which no other program sees."""
    mount = f'mount -t tmpfs -o size={megabytes}m small "$0" && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    if shutil.which("unshare") is None or on_a_small_disk(folder, 1, "true").returncode:
        pytest.skip("no disk can be mounted here")
    return folder
