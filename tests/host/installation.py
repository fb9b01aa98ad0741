"""The extension as a person has it in custom_nodes."""

from __future__ import annotations

import shutil
from pathlib import Path

from dev.places import ROOT

INSTALLED = (
    "*.py",
    "contract",
    "engine",
    "js",
    "locales",
    "pyproject.toml",
    "system_context",
    "user_context",
)
DEVELOPERS_ONLY = {"contract": ("stream",)}


def install_copy(folder: Path) -> Path:
    """Copy what runs, so that nobody's edits or builds change the extension under a running test."""
    folder.mkdir(parents=True)
    for pattern in INSTALLED:
        for source in ROOT.glob(pattern):
            if source.is_dir():
                left_out = ("__pycache__", *DEVELOPERS_ONLY.get(source.name, ()))
                shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns(*left_out))
            else:
                shutil.copy(source, folder)
    return folder
