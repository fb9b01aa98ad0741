from __future__ import annotations

import json
import os
import shutil
from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.user.own_skills.import_record import contents_of
from comfyui_assistant.engine.user.own_skills.shelf import Shelf
from comfyui_assistant.engine.user.own_skills.states import SkillStates
from comfyui_assistant.engine.user.skills.loader import load_skills

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


def accepted_neon(data: Path) -> Shelf:
    """A shelf with a skill that was imported and accepted, and one that is off."""
    shelf = new_shelf(data)
    shelf.create("soft", skill_text())
    shelf.states.switch("soft", is_on=False)
    shelf.take_in("neon", {PurePosixPath("SKILL.md"): skill_text().encode()}, "neon.zip")
    shelf.accept("neon", contents_of(data / "skills" / "neon"))
    return shelf


def states_of(shelf: Shelf) -> dict[str, str]:
    return {skill.slug: shelf.states.state(skill) for skill in shelf.library().skills}


def test_what_is_off_and_the_hash_of_what_was_accepted_stand_in_one_file(tmp_path: Path) -> None:
    shelf = accepted_neon(tmp_path)
    assert states_of(new_shelf(tmp_path)) == {"neon": "on", "soft": "off"}
    saved = json.loads((tmp_path / "skills-state.json").read_text("utf-8"))
    assert saved == {"off": ["soft"], "accepted": {"neon": contents_of(shelf.folder / "neon")}}


@pytest.mark.parametrize(
    "text",
    ["", "{", "{}", "7", "[7]", "[" * 100_000, '{"off": 7, "accepted": []}', '{"accepted": {"neon": 1}}'],
)
def test_a_damaged_file_switches_nothing_off_and_accepts_nothing(tmp_path: Path, text: str) -> None:
    accepted_neon(tmp_path)
    (tmp_path / "skills-state.json").write_text(text, "utf-8")
    assert states_of(new_shelf(tmp_path)) == {"neon": "new", "soft": "on"}


def test_without_the_file_what_was_imported_waits_to_be_accepted_again(tmp_path: Path) -> None:
    accepted_neon(tmp_path)
    (tmp_path / "skills-state.json").unlink()
    assert states_of(new_shelf(tmp_path)) == {"neon": "new", "soft": "on"}


def test_what_was_accepted_counts_for_the_users_own_folder_alone(tmp_path: Path) -> None:
    shelf = accepted_neon(tmp_path)
    shutil.copytree(shelf.folder, tmp_path / "package")
    (skill, _) = load_skills(tmp_path / "package").skills
    assert (skill.slug, shelf.states.state(skill)) == ("neon", "new")


def test_the_list_of_what_was_off_before_there_was_this_file_still_counts(tmp_path: Path) -> None:
    (tmp_path / "skills-off.json").write_text('["soft", "built-in/model-flux", 7]', "utf-8")
    states = SkillStates(tmp_path)
    assert (states.is_off("soft"), states.built_in_off()) == (True, {"model-flux"})
    states.switch("soft", is_on=True)
    assert (states.is_off("soft"), states.built_in_off()) == (False, {"model-flux"})


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes in folders")
@pytest.mark.parametrize("name", ["skills-off.json", "skills-state.json"])
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert SkillStates(tmp_path).built_in_off() == frozenset()
