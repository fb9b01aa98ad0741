from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary, parse_skill_command
from hypothesis import given
from hypothesis import strategies as st

FLUX = Skill("model-flux", "Flux.1", "Flux.", "Text.", source="skills/09_model_flux/SKILL.md")
RULES = Skill("tool-rules", "Tool rules", "Rules.", "Text.", source="skills/01_tool_rules/SKILL.md")
ROLE = Skill("role", "Role", "", "Text.", source="01_role.md")
LIBRARY = SkillLibrary((FLUX, RULES), documents=(ROLE,))

NAMES = {
    "neon": "Neon",
    "neon-look": "Neon look",
    "portraits": "Portraits",
    "postcards": "Post cards of 1900",
    "model-flux": "Flux.1",
    "skill-1a2b3c4d": "人像 光",
}
NAMED = SkillLibrary(tuple(Skill(slug, name, "", "", "") for slug, name in NAMES.items()))


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


@pytest.mark.parametrize(
    ("command", "slug", "request_text"),
    [
        ("portraits of my cat", "portraits", "of my cat"),
        ("Neon look a street\nat night", "neon-look", "a street\nat night"),
        ("neon-look", "neon-look", ""),
        ("neon lights over a street", "neon", "lights over a street"),
        ("neon, but warmer", "neon", "but warmer"),
        ("por", "portraits", ""),
        ("post cards a beach", "postcards", "a beach"),
        ("post cards of 1900: a beach", "postcards", "a beach"),
        ('"Neon look" a street', "neon-look", "a street"),
        ("“neon l” look at this", "neon-look", "look at this"),
        ("flux a fox", "model-flux", "a fox"),
        ("人像 光 一只狐狸", "skill-1a2b3c4d", "一只狐狸"),
        ("人 fox", "skill-1a2b3c4d", "fox"),
    ],
)
def test_a_skill_is_named_by_its_first_words(command: str, slug: str, request_text: str) -> None:
    skill, rest = parse_skill_command(command, NAMED)
    assert (skill.slug, rest) == (slug, request_text)


@pytest.mark.parametrize(
    ("command", "named", "hint"),
    [
        ("po", "po", "Did you mean portraits or postcards? /skills lists all."),
        ("portrets please", "portrets", "Did you mean portraits? /skills lists all."),
        ('"neon lock" x', "neon lock", "Did you mean neon or neon-look? /skills lists all."),
    ],
)
def test_what_names_none_or_several_is_refused_with_those_that_it_could_be(
    command: str, named: str, hint: str
) -> None:
    with pytest.raises(RequestError) as refused:
        parse_skill_command(command, NAMED)
    assert refused.value.code == "not_found"
    assert named in refused.value.message
    assert refused.value.hint == hint


@given(st.text(max_size=80))
def test_any_words_name_a_skill_or_are_refused(command: str) -> None:
    try:
        skill, rest = parse_skill_command(command, NAMED)
    except RequestError:
        return
    assert skill in NAMED.skills
    assert command.rstrip().endswith(rest)
