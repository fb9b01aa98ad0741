from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.own_skills.states import SkillStates

from .shelves import new_shelf, skill_text


def test_where_nothing_is_held_back_the_library_is_the_same_one(tmp_path: Path) -> None:
    shelf = new_shelf(tmp_path)
    shelf.create("neon", skill_text())
    library = shelf.library()
    assert shelf.states.sift(library) is library


def test_what_is_held_back_is_listed_with_the_reason(tmp_path: Path) -> None:
    shelf = new_shelf(tmp_path)
    shelf.create("off", skill_text())
    shelf.create("on", skill_text())
    shelf.take_in("strange", {PurePosixPath("SKILL.md"): skill_text().encode()}, "strange.zip")
    shelf.states.switch("off", is_on=False)
    sifted = new_shelf(tmp_path).states.sift(shelf.library())
    assert [skill.slug for skill in sifted.skills] == ["on"]
    assert [(diagnostic.path.split("/")[-2], diagnostic.problem) for diagnostic in sifted.left_out] == [
        ("off", "It is switched off."),
        ("strange", "It is from elsewhere, and nobody has accepted it yet."),
    ]
    shelf.states.switch("off", is_on=True)
    assert [skill.slug for skill in shelf.states.sift(shelf.library()).skills] == ["off", "on"]


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "[7]", "[" * 100_000])
def test_a_damaged_list_switches_nothing_off(tmp_path: Path, text: str) -> None:
    (tmp_path / "skills-off.json").write_text(text, "utf-8")
    assert SkillStates(tmp_path).off() == frozenset()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes in folders")
def test_a_pipe_in_the_place_of_the_list_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "skills-off.json")
    assert SkillStates(tmp_path).off() == frozenset()
