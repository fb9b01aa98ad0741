from __future__ import annotations

import pytest
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from hypothesis import given
from hypothesis import strategies as st

FLUX = Skill("model-flux", "Flux.1", "Flux.", "Text.", source="skills/09_model_flux/SKILL.md")
RULES = Skill("tool-rules", "Tool rules", "Rules.", "Text.", source="skills/01_tool_rules/SKILL.md")
ROLE = Skill("role", "Role", "", "Text.", source="01_role.md")
LIBRARY = SkillLibrary((FLUX, RULES), documents=(ROLE,))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("model-flux", FLUX),
        ("MODEL_FLUX", FLUX),
        ("09_model_flux", FLUX),
        ("  flux.1 ", FLUX),
        ("flux", FLUX),
        ('"tool rules"', RULES),
        ("role", ROLE),
        ("01_role", ROLE),
        ("", None),
        ("..", None),
        ("../01_tool_rules", None),
    ],
)
def test_a_skill_is_found_by_slug_name_or_folder(asked, found):
    assert LIBRARY.find(asked) is found


@pytest.mark.parametrize(
    ("asked", "closest"),
    [("flux dev", ["model-flux"]), ("toolrule", ["tool-rules", "role"]), ("qqq", []), ("", [])],
)
def test_the_closest_slugs_are_offered(asked, closest):
    assert LIBRARY.closest(asked) == closest


def test_a_slug_wins_over_the_name_of_another_skill():
    other = Skill("other", "tool rules", "", "", source="other")

    assert SkillLibrary((other, RULES)).find("tool-rules") is RULES


@given(st.text())
def test_no_question_breaks_the_library(asked):
    LIBRARY.find(asked)
    assert len(LIBRARY.closest(asked)) <= 3
