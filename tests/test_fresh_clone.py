from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .fresh_clone import KEY
from .person_with_everything import SECRET

ROOT = Path(__file__).parents[1]
NO_PART_OF_IT = shutil.ignore_patterns(
    ".*", "__pycache__", "node_modules", "ui", "tests", "bench", "dev", "docs"
)

TELL_THEIR_TIME = {"GET /assistant/threads/{id}/export", "GET /assistant/skills/{slug}/export"}


def clone(folder: Path) -> None:
    shutil.copytree(ROOT, folder, ignore=NO_PART_OF_IT)


def run(package: Path, data: Path, what: str) -> Any:
    command = [sys.executable, "-m", "tests.fresh_clone", str(package), str(data), what]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_a_fresh_clone_in_place_of_the_package_loses_nothing_of_the_persons(tmp_path: Path) -> None:
    package, data = tmp_path / "custom_nodes" / "comfyui-assistant", tmp_path / "user"
    data.mkdir()
    clone(package)
    run(package, data, "keep")
    before = run(package, data, "read")
    assert [path for path in package.rglob("*") if SECRET in path.name or path.suffix == ".sqlite3"] == []

    shutil.rmtree(package)
    clone(package)
    after = run(package, data, "read")

    assert after["files"] == before["files"]
    different = {name for name, told in before["told"].items() if after["told"][name] != told}
    assert different <= TELL_THEIR_TIME
    told = after["told"]
    for route, of_the_persons in {
        "GET /assistant/threads/{id}": f"a purple {SECRET}",
        "GET /assistant/threads/{id}/export": f"a purple {SECRET}",
        "GET /assistant/threads/{id}/pins": f"always an {SECRET}",
        "GET /assistant/search": SECRET,
        "GET /assistant/you": f"Draw the {SECRET} first.",
        "GET /assistant/personas": f"Knows each {SECRET}.",
        "GET /assistant/memory/{day}": f"Asked: an {SECRET}.",
        "GET /user-context/skills": "Written in the panel.",
        "GET /assistant/project": "animal.md",
        "GET /assistant/providers": "Mine",
        "GET /assistant/options": '"max_steps"',
    }.items():
        status, body = told[route]
        assert (status, of_the_persons in body) == (200, True), f"{route}: {status} {body[:600]}"
    settings = json.loads(bytes.fromhex(after["files"]["settings.json"]))
    assert KEY in json.dumps(settings["keys"])
