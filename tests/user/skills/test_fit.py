from __future__ import annotations

import pytest
from comfyui_assistant.engine.user.skills.fit import fit_sections, shorten
from comfyui_assistant.engine.user.skills.library import Skill
from hypothesis import given
from hypothesis import strategies as st

ROLE = Skill("role", "Role", "", "R" * 300, "01_role.md", priority=10)
MINOR = Skill("minor", "Minor", "Small things.", "M" * 400, "skills/01_minor/SKILL.md", priority=60)
SENTENCE = "one two three four five six seven eight nine ten eleven"
MAJOR = Skill("major", "Major", "Great things.", "G" * 500, "skills/02_major/SKILL.md", priority=20)


@pytest.mark.parametrize(
    ("max_chars", "shown"),
    [
        pytest.param(None, ["role", "minor", "major"], id="no limit"),
        pytest.param(1_204, ["role", "minor", "major"], id="room for all"),
        pytest.param(1_203, ["role", "major"], id="the least important goes"),
        pytest.param(750, ["role", "minor"], id="a smaller one takes what room is left"),
        pytest.param(300, ["role"], id="room for the role alone"),
    ],
)
def test_whole_sections_are_left_out_by_priority(max_chars, shown):
    sections = [ROLE, MINOR, MAJOR]
    text, omitted = fit_sections(sections, max_chars=max_chars)

    assert text == "\n\n".join(section.content for section in sections if section.slug in shown)
    assert [section.slug for section in omitted] == [
        section.slug for section in sections if section.slug not in shown
    ]


def test_tokens_limit_as_well():
    text, omitted = fit_sections(
        [ROLE, MAJOR],
        max_chars=10_000,
        max_tokens=30,
        count_tokens=lambda text: len(text) // 10,
    )

    assert (text, omitted) == (ROLE.content, [MAJOR])


def test_a_role_that_is_too_long_is_shortened_and_never_replaced_by_something_lesser():
    role = Skill("role", "Role", "", "one word more " * 1_000, "01_role.md", priority=10)
    text, omitted = fit_sections([role, MINOR], max_chars=2_000)

    assert text.startswith("one word more")
    assert text.endswith('… [14,000 characters in all, read them with getSystemSkill "role"]')
    assert 1_500 < len(text) <= 2_000
    assert omitted == [role, MINOR]


@given(st.lists(st.tuples(st.text(max_size=300), st.integers(0, 99)), max_size=8), st.integers(0, 1_000))
def test_the_limit_always_holds(written, max_chars):
    sections = [
        Skill(f"s{n}", "", "", text, "", priority=priority) for n, (text, priority) in enumerate(written)
    ]
    text, omitted = fit_sections(sections, max_chars=max_chars)

    assert len(text) <= max_chars
    assert all(section.content in text or section in omitted for section in sections)


@given(st.text(max_size=300), st.integers(0, 300))
def test_a_shortened_text_is_a_beginning_with_a_marker(text, room):
    short = shorten(text, room, how="elsewhere")

    assert len(short) <= room
    assert short == text or not short or "characters in all, elsewhere]" in short
    assert short.startswith("[") or text.startswith(short.split(" … [")[0])


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        pytest.param(55, SENTENCE, id="what fits stays"),
        pytest.param(
            54, "one two three four five six … [55 characters in all]", id="up to the end of a word"
        ),
        pytest.param(40, "[55 characters in all]", id="no beginning of a few letters"),
        pytest.param(21, "", id="no room for the marker"),
    ],
)
def test_a_shortened_text_says_what_is_missing(room, shown):
    assert shorten(SENTENCE, room) == shown
