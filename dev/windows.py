"""`python -m dev windows`: the table of context windows, made from litellm's (MIT)."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from dev.component import SetUpFailed
from dev.places import shown
from engine.llm.windows import TABLE, listed_window, normal_name

PACKAGE = "litellm"
MEMBER = "litellm/model_prices_and_context_window_backup.json"
KINDS = ("chat", "responses")
MAKERS = (
    "mistral",
    "xai",
    "deepseek",
    "moonshot",
    "zai",
    "minimax",
    "dashscope",
    "gemini",
    "anthropic",
    "openai",
)
"""Providers whose entries tell of their own models; entries without a provider are their makers' as well."""


def write_windows() -> bool:
    """Download the newest litellm, keep nothing of it but the windows of chat models, and write the table."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = _downloaded(Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            listed = json.loads(archive.read(MEMBER))
    windows = family_windows(listed)
    version = wheel.name.split("-")[1]
    table = {"generated": date.today().isoformat(), "source": f"{PACKAGE} {version}", "windows": windows}
    TABLE.write_text(json.dumps(table, indent=0, sort_keys=True) + "\n", "utf-8")
    print(f"{shown(TABLE)}: {len(windows)} windows from {PACKAGE} {version}")
    return True


def family_windows(listed: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """By normal name, without the names whose window follows from a shorter one.

    Where providers give one model different windows, the maker's own is believed; otherwise the most frequent, and of
    equally frequent ones the smallest.
    """
    told: dict[str, Counter[int]] = defaultdict(Counter)
    own: dict[str, int] = {}
    for key, entry in sorted(listed.items()):
        window = entry.get("max_input_tokens")
        if entry.get("mode") not in KINDS or not isinstance(window, int) or window <= 0:
            continue
        name = normal_name(key)
        told[name][window] += 1
        if key.rpartition("/")[0] in ("", *MAKERS):
            own[name] = window
    windows: dict[str, int] = {}
    for name in sorted(told, key=lambda name: (name.count("-"), name)):
        window = own.get(name) or min(told[name], key=lambda size: (-told[name][size], size))
        if listed_window(name, windows) != window:
            windows[name] = window
    return dict(sorted(windows.items()))


def _downloaded(folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        PACKAGE,
    ]
    if subprocess.run(command, cwd=folder, check=False).returncode:
        raise SetUpFailed(
            f"{PACKAGE} could not be downloaded (the reason is above). Run the same command again."
        )
    return next(folder.glob("*.whl"))
