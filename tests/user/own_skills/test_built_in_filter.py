from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.user.own_skills.built_in_filter import BuiltInFilter
from comfyui_assistant.engine.user.own_skills.import_record import hash_contents
from comfyui_assistant.engine.user.own_skills.skill_store import SkillStore
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from .stores import new_store, skill_text

BUILT_IN = SkillLibrary(
    (
        Skill("rules", "Rules", "", "Built-in rules.", "system_context/skills/rules/SKILL.md", priority=20),
        Skill("flux", "Flux", "", "Built-in Flux.", "system_context/skills/flux/SKILL.md", True),
    )
)


@pytest.fixture
def store(tmp_path: Path) -> SkillStore:
    return new_store(tmp_path)


def filtered(store: SkillStore) -> SkillLibrary:
    users = SkillFolders((store.folder,), filter_skills=store.states.filter_active)
    return BuiltInFilter(store.states, users).apply(BUILT_IN)


def test_where_nothing_is_replaced_the_library_is_the_same_one(store: SkillStore) -> None:
    store.create("neon", skill_text())
    assert filtered(store) is BUILT_IN


def test_a_skill_that_the_message_has_whole_is_replaced_where_it_stands(store: SkillStore) -> None:
    store.create("rules", skill_text(body="My rules."))
    first, second = filtered(store).skills
    assert (first.content, first.priority) == ("My rules.", 20)
    assert second is BUILT_IN.skills[1]


def test_one_that_is_read_on_demand_gives_way_and_says_to_what(store: SkillStore) -> None:
    store.create("flux", skill_text())
    library = filtered(store)
    assert [skill.slug for skill in library.skills] == ["rules"]
    assert [each.action for each in library.left_out] == ['Read it with getUserSkill "flux".']


def test_one_from_elsewhere_gives_no_text_to_the_message(store: SkillStore) -> None:
    store.import_skill("rules", {PurePosixPath("SKILL.md"): skill_text().encode()}, "rules.zip")
    assert filtered(store) is BUILT_IN
    store.accept("rules", hash_contents(store.folder / "rules"))
    assert [skill.slug for skill in filtered(store).skills] == ["flux"]


def test_a_built_in_one_is_switched_off_apart_from_one_of_the_same_name(store: SkillStore) -> None:
    store.create("flux", skill_text())
    store.states.switch("flux", is_on=False)
    assert filtered(store) is BUILT_IN
    store.states.switch("flux", is_on=False, is_built_in=True)
    library = filtered(store)
    assert [skill.slug for skill in library.skills] == ["rules"]
    assert [each.problem for each in library.left_out] == ["It is switched off."]
    store.states.switch("flux", is_on=True, is_built_in=True)
    assert filtered(store) is BUILT_IN
    assert store.states.is_off("flux")
