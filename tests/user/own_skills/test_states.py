from __future__ import annotations

import json
import os
import shutil
from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.user.own_skills.import_record import hash_contents
from comfyui_assistant.engine.user.own_skills.skill_store import SkillStore
from comfyui_assistant.engine.user.own_skills.states import BuiltInFilter, SkillStates
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillFolders, load_skills

from .stores import new_store, skill_text

BUILT_IN = SkillLibrary(
    (
        Skill("rules", "Rules", "", "Built-in rules.", "system_context/skills/rules/SKILL.md", priority=20),
        Skill("flux", "Flux", "", "Built-in Flux.", "system_context/skills/flux/SKILL.md", True),
    )
)


def test_where_nothing_is_held_back_the_library_is_the_same_one(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.create("neon", skill_text())
    library = store.library()
    assert store.states.filter_active(library) is library


def test_what_is_held_back_is_listed_with_the_reason(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.create("off", skill_text())
    store.create("on", skill_text())
    store.import_skill("strange", {PurePosixPath("SKILL.md"): skill_text().encode()}, "strange.zip")
    store.states.switch("off", is_on=False)
    filtered = new_store(tmp_path).states.filter_active(store.library())
    assert [skill.slug for skill in filtered.skills] == ["on"]
    assert [(diagnostic.path.split("/")[-2], diagnostic.problem) for diagnostic in filtered.left_out] == [
        ("off", "It is switched off."),
        ("strange", "It is from elsewhere, and nobody has accepted it yet."),
    ]
    store.states.switch("off", is_on=True)
    assert [skill.slug for skill in store.states.filter_active(store.library()).skills] == ["off", "on"]


def accepted_neon(data: Path) -> SkillStore:
    """A store with a skill that was imported and accepted, and one that is off."""
    store = new_store(data)
    store.create("soft", skill_text())
    store.states.switch("soft", is_on=False)
    store.import_skill("neon", {PurePosixPath("SKILL.md"): skill_text().encode()}, "neon.zip")
    store.accept("neon", hash_contents(data / "skills" / "neon"))
    return store


def states_of(store: SkillStore) -> dict[str, str]:
    return {skill.slug: store.states.state(skill) for skill in store.library().skills}


def test_what_is_off_and_the_hash_of_what_was_accepted_stand_in_one_file(tmp_path: Path) -> None:
    store = accepted_neon(tmp_path)
    assert states_of(new_store(tmp_path)) == {"neon": "on", "soft": "off"}
    saved = json.loads((tmp_path / "skills-state.json").read_text("utf-8"))
    assert saved == {"off": ["soft"], "accepted": {"neon": hash_contents(store.folder / "neon")}}


@pytest.mark.parametrize(
    "text",
    ["", "{", "{}", "7", "[7]", "[" * 100_000, '{"off": 7, "accepted": []}', '{"accepted": {"neon": 1}}'],
)
def test_a_damaged_file_switches_nothing_off_and_accepts_nothing(tmp_path: Path, text: str) -> None:
    accepted_neon(tmp_path)
    (tmp_path / "skills-state.json").write_text(text, "utf-8")
    assert states_of(new_store(tmp_path)) == {"neon": "new", "soft": "on"}


def test_without_the_file_what_was_imported_waits_to_be_accepted_again(tmp_path: Path) -> None:
    accepted_neon(tmp_path)
    (tmp_path / "skills-state.json").unlink()
    assert states_of(new_store(tmp_path)) == {"neon": "new", "soft": "on"}


def test_what_was_accepted_counts_for_the_users_own_folder_alone(tmp_path: Path) -> None:
    store = accepted_neon(tmp_path)
    shutil.copytree(store.folder, tmp_path / "package")
    (skill, _) = load_skills(tmp_path / "package").skills
    assert (skill.slug, store.states.state(skill)) == ("neon", "new")


def test_the_list_of_what_was_off_before_there_was_this_file_still_counts(tmp_path: Path) -> None:
    (tmp_path / "skills-off.json").write_text('["soft", "built-in/model-flux", 7]', "utf-8")
    states = SkillStates(tmp_path)
    assert (states.is_off("soft"), states.disabled_built_ins()) == (True, {"model-flux"})
    states.switch("soft", is_on=True)
    assert (states.is_off("soft"), states.disabled_built_ins()) == (False, {"model-flux"})


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes in folders")
@pytest.mark.parametrize("name", ["skills-off.json", "skills-state.json"])
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert SkillStates(tmp_path).disabled_built_ins() == frozenset()


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
