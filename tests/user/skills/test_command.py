from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary, parse_skill_command
from hypothesis import given
from hypothesis import strategies as st

NAMES = {
    "neon": "Neon",
    "neon-look": "Neon look",
    "portraits": "Portraits",
    "postcards": "Post cards of 1900",
    "model-flux": "Flux.1",
    "skill-1a2b3c4d": "人像 光",
}
LIBRARY = SkillLibrary(tuple(Skill(slug, name, "", "", "") for slug, name in NAMES.items()))


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
    skill, rest = parse_skill_command(command, LIBRARY)
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
        parse_skill_command(command, LIBRARY)
    assert refused.value.code == "not_found"
    assert named in refused.value.message
    assert refused.value.hint == hint


@given(st.text(max_size=80))
def test_any_words_name_a_skill_or_are_refused(command: str) -> None:
    try:
        skill, rest = parse_skill_command(command, LIBRARY)
    except RequestError:
        return
    assert skill in LIBRARY.skills
    assert command.rstrip().endswith(rest)
