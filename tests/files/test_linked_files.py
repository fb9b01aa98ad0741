from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.environment.recorded import RecordedComfy
from comfyui_assistant.engine.files.linked_files import linked_out


@pytest.fixture
def comfy(tmp_path: Path) -> RecordedComfy:
    """Its input folder is itself a link, as where pictures lie on another disk."""
    home, disk = tmp_path / "comfy", tmp_path / "disk"
    for folder in (home / "output" / "cats", home / "temp", disk / "cats", tmp_path / "private"):
        folder.mkdir(parents=True)
    os.symlink(disk, home / "input")
    os.symlink(tmp_path / "private", disk / "link")
    os.symlink(tmp_path / "private" / "a.png", disk / "linked.png")
    os.symlink(home / "output" / "cats", disk / "results")
    os.symlink(disk / "cats", disk / "more-cats")
    os.symlink("loop", disk / "loop")
    os.symlink(tmp_path / "private", home / "output" / "link")
    return RecordedComfy({}, directory=home)


@pytest.mark.parametrize(
    "name",
    [
        "link",
        "link/secret.png",
        "link/none/such.png",
        "linked.png",
        "linked.png [input]",
        "link/a.png [output]",
        "input/link/a.png",
        "./input/link/a.png",
        "./link/a.png",
    ],
)
def test_a_name_that_a_link_leads_elsewhere_is_told(comfy: RecordedComfy, name: str) -> None:
    assert linked_out(comfy, [name]) == [name]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "cats/a.png",
        "none.png",
        "results/a.png",
        "more-cats/a.png",
        "cats/a.png [output]",
        "input/cats/a.png",
        "loop",
        "a\0b",
        "x" * 5_000,
        "link.png",
        "/etc/hostname",
        "../private/a.png",
    ],
)
def test_any_other_name_is_not(comfy: RecordedComfy, name: str) -> None:
    """What leads out by itself is told by the name, without asking."""
    assert linked_out(comfy, [name]) == []
