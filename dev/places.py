"""Where things lie: the repository, and the ignored cache that holds everything set-up installs."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("COMFYUI_ASSISTANT_CACHE") or ROOT / ".cache").expanduser().resolve()

LOGS = CACHE / "logs"
REQUIREMENTS = ROOT / "dev" / "requirements"
CONSTRAINTS = REQUIREMENTS / "constraints.txt"

DEV = CACHE / "dev"
BIN = CACHE / "bin"
NODE_MODULES = ROOT / "ui" / "node_modules"

HOST = CACHE / "host"
HOST_VENV = HOST / "venv"
COMFYUI = HOST / "ComfyUI"

VOCABULARY = CACHE / "tiktoken"
MODELS = CACHE / "models"
MATRIX = CACHE / "matrix"
REGISTRY = CACHE / "registry"
RUN = CACHE / "run"
SCREENSHOTS = CACHE / "screenshots"


def venv_python(venv: Path) -> Path:
    return venv / "bin" / "python"


def shown(path: Path) -> str:
    """The path as a person in the repository would type it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
