"""A program for a disk of its own, which is then full, or can only be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from comfyui_assistant.engine.base.errors import AssistantError

from .stores import files_under, new_store, skill_text


def main() -> None:
    data = Path(sys.argv[1])
    store = new_store(data)
    version = store.create("neon", skill_text()).version
    if sys.argv[2] == "full":
        fill(data / "filling")
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(data)], check=True)
    large = skill_text(body="x" * 60_000)
    refused = [
        code_told(change)
        for change in (
            lambda: store.create("warm", large),
            lambda: store.write("neon", large, version),
            lambda: store.states.switch("neon", is_on=False),
            lambda: store.delete("neon", version),
        )
    ]
    print(json.dumps({"refused": refused, "files": files_under(data)}))


def fill(path: Path) -> None:
    try:
        with open(path, "wb") as file:
            while True:
                file.write(bytes(4_096))
                file.flush()
    except OSError:
        os.sync()


def code_told(change: Callable[[], object]) -> str:
    try:
        change()
    except AssistantError as error:
        return error.code
    return "done"
