"""Loads the repository root once, as the package `comfyui_assistant`, the way ComfyUI loads a custom node.

What holds for all tests is set here before.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from pathlib import Path

from .cases import load_profile

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "comfyui_assistant"

# Tests speak to loopback only; each of their clients would spend 20 ms on reading all the world's certificates.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(ROOT / "tests")

# Else the collector looks through what two thousand tests have left again and again: a ninth of all their time.
gc.set_threshold(100_000, 50, 1000)

load_profile()

if PACKAGE not in sys.modules:
    spec = importlib.util.spec_from_file_location(
        PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
