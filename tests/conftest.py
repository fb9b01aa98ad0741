"""Loads the repository root once, as the package `comfyui_assistant`, as ComfyUI loads a custom node.

Settings for all tests come first.
"""

from __future__ import annotations

import gc
import importlib.util
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import canary_keys
from .cases import load_profile

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "comfyui_assistant"

# Tests use loopback only; each of their clients would otherwise spend 20 ms on reading certificates.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(ROOT / "tests")

# By default the collector scans the objects of two thousand tests again and again, a ninth of the total time.
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

from comfyui_assistant.engine.store import database  # noqa: E402

from . import fresh_databases  # noqa: E402

database.migrate = fresh_databases.migrate


@pytest.fixture(autouse=True)
def no_key_turns_up(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check after each test that no key of it is in a log, a reply or a file."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    caplog = request.getfixturevalue("caplog") if "caplog" in request.fixturenames else None
    canary_keys.found.clear()
    if caplog is not None:
        # The test sees the same records as without the watch.
        caplog.handler.setLevel(logging.WARNING)
    with canary_keys.watching_logs():
        yield
    if caplog is not None:
        caplog.handler.setLevel(logging.NOTSET)
    if folder is not None:
        canary_keys.note_files(folder)
    assert canary_keys.found == []
