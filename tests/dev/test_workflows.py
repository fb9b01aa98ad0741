"""The workflows of continuous integration call what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from dev.commands import COMMANDS
from dev.places import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(path: Path) -> list[str]:
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job.get("steps", []) if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_commands_and_names_files_that_are_there(path: Path) -> None:
    text = path.read_text("utf-8")
    called = re.findall(r"(?:make|python -m dev) ([a-z][a-z-]+)", "\n".join(steps(path)))
    called += re.findall(r"^\s+command: \[(.+)\]$", text, re.MULTILINE)
    assert {name for names in called for name in names.split(", ")} <= COMMANDS.keys()
    named = re.findall(r"(?:-r|hashFiles\('comfyui-assistant/|--ignore=) ?([\w./-]+?)(?=[\s'\"]|/\*\*)", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_is_published_was_tested_before() -> None:
    publish = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8"))
    assert publish["jobs"]["publish"]["needs"] == "test"
    assert publish["jobs"]["test"]["uses"] == "./.github/workflows/test.yml"
