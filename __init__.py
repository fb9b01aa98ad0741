"""ComfyUI Assistant: registers its routes and its web directory with ComfyUI, and nothing else."""

from __future__ import annotations

import logging

WEB_DIRECTORY = "./js"
NODE_CLASS_MAPPINGS: dict[str, type] = {}
NODE_DISPLAY_NAME_MAPPINGS: dict[str, str] = {}

__all__ = ["NODE_CLASS_MAPPINGS", "NODE_DISPLAY_NAME_MAPPINGS", "WEB_DIRECTORY"]
