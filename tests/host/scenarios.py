"""The scenarios of this folder, by name."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "scenarios"


def scenario(name: str) -> Path:
    return FOLDER / f"{name}.yaml"
