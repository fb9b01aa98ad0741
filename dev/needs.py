"""What must be set up before a command, and the tools that the commands call."""

from __future__ import annotations

from dev.chromium import CHROMIUM
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.frontends import NEWER_FRONTEND_FILES, NEWEST_FRONTEND_FILES
from dev.packing import PACKING_TOOL
from dev.places import BIN, DEV, venv_python
from dev.python_tools import PANEL_PACKAGES, PYTHON_TOOLS
from dev.templates import TEMPLATE_WORKFLOWS
from dev.vocabulary import TOKEN_VOCABULARY

PYTHON = venv_python(DEV)
NPM = BIN / "npm"

CHECK_NEEDS = (PYTHON_TOOLS, PANEL_PACKAGES, TOKEN_VOCABULARY)
HOST_NEEDS = (
    *CHECK_NEEDS,
    COMFYUI_WITH_EXTENSION,
    NEWER_FRONTEND_FILES,
    NEWEST_FRONTEND_FILES,
    CHROMIUM,
    TEMPLATE_WORKFLOWS,
    PACKING_TOOL,
)
