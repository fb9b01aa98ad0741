from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.user.own_skills.import_record import contents_of
from comfyui_assistant.engine.user.own_skills.in_place import InPlace
from comfyui_assistant.engine.user.own_skills.shelf import Shelf
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from .shelves import new_shelf, skill_text

BUILT_IN = SkillLibrary(
    (
        Skill("rules", "Rules", "", "Built-in rules.", "system_context/skills/rules/SKILL.md", priority=20),
        Skill("flux", "Flux", "", "Built-in Flux.", "system_context/skills/flux/SKILL.md", True),
    )
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return new_shelf(tmp_path)


def sifted(shelf: Shelf) -> SkillLibrary:
    users = SkillFolders((shelf.folder,), sift=shelf.states.sift)
    return InPlace(shelf.states, users).sift(BUILT_IN)


def test_where_nothing_is_replaced_the_library_is_the_same_one(shelf: Shelf) -> None:
    shelf.create("neon", skill_text())
    assert sifted(shelf) is BUILT_IN


def test_a_skill_that_the_message_has_whole_is_replaced_where_it_stands(shelf: Shelf) -> None:
    shelf.create("rules", skill_text(body="My rules."))
    first, second = sifted(shelf).skills
    assert (first.content, first.priority) == ("My rules.", 20)
    assert second is BUILT_IN.skills[1]


def test_one_that_is_read_on_demand_gives_way_and_says_to_what(shelf: Shelf) -> None:
    shelf.create("flux", skill_text())
    library = sifted(shelf)
    assert [skill.slug for skill in library.skills] == ["rules"]
    assert [each.action for each in library.left_out] == ['Read it with getUserSkill "flux".']


def test_one_from_elsewhere_gives_no_text_to_the_message(shelf: Shelf) -> None:
    shelf.take_in("rules", {PurePosixPath("SKILL.md"): skill_text().encode()}, "rules.zip")
    assert sifted(shelf) is BUILT_IN
    shelf.accept("rules", contents_of(shelf.folder / "rules"))
    assert [skill.slug for skill in sifted(shelf).skills] == ["flux"]


def test_a_built_in_one_is_switched_off_apart_from_one_of_the_same_name(shelf: Shelf) -> None:
    shelf.create("flux", skill_text())
    shelf.states.switch("flux", is_on=False)
    assert sifted(shelf) is BUILT_IN
    shelf.states.switch("flux", is_on=False, is_built_in=True)
    library = sifted(shelf)
    assert [skill.slug for skill in library.skills] == ["rules"]
    assert [each.problem for each in library.left_out] == ["It is switched off."]
    shelf.states.switch("flux", is_on=True, is_built_in=True)
    assert sifted(shelf) is BUILT_IN
    assert shelf.states.is_off("flux")
