from __future__ import annotations

import re

import pytest
from comfyui_assistant.engine.user.skills.slugs import slug_for, slugify
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("folder", "slug"),
    [
        ("09_model_flux", "model-flux"),
        ("model_flux", "model-flux"),
        ("01-tool rules", "tool-rules"),
        ("My_Skill", "my-skill"),
        ("3d", "3d"),
        ("3d_objects", "3d-objects"),
        ("a" * 63, "a" * 63),
        ("a" * 64, None),
        ("09_", None),
        ("", None),
        (".", None),
        ("..", None),
        ("../x", None),
        ("..%2fx", None),
        ("a\\b", None),
        ("C:", None),
        ("a:b", None),
        ("a\x00", None),
        ("a\n", None),
        ("con", None),
        ("CON", None),
        ("01_nul", None),
        ("com7", None),
        ("com10", "com10"),
        ("café", None),
        ("ｆｕｌｌ", None),
        ("ﬁne", None),
        ("İ", None),
        ("\u212a", None),
    ],
)
def test_a_folder_name_gives_one_safe_slug_or_none(folder, slug):
    assert slugify(folder) == slug


@given(st.text(max_size=80))
def test_no_slug_leaves_its_folder(name):
    slug = slugify(name)

    assert slug is None or (slug.isascii() and not set(slug) & set("./\\:%\x00") and 0 < len(slug) < 64)


@pytest.mark.parametrize(
    ("folder", "name", "slug"),
    [
        ("05_neon look", "Neon", "neon-look"),
        ("人像", "Portrait light", "portrait-light"),
        ("人像", "人像", "skill-14636e79"),
        ("人像 v2", "", "skill-"),
        ("портрет", "", "portret"),
        ("портрет", "Портрет", "portret"),
        ("Свет и тень", "", "svet-i-ten"),
        ("ελλάδα", "", "ellada"),
        ("café crème", "", "cafe-creme"),
        ("cafe\u0301", "", "cafe"),
        ("Größe!", "", "grosse"),
        ("What? Really & truly", "", "what-really-truly"),
        ("con", "", "skill-"),
        ("x" * 80, "", "x" * 63),
        ("…", "", "skill-"),
    ],
)
def test_every_folder_name_gives_a_skill_a_slug(folder: str, name: str, slug: str) -> None:
    given = slug_for(folder, name)
    assert given.startswith(slug)
    assert slug.endswith("-") or given == slug


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_slug_of_a_skill_is_safe_and_stays_the_same(folder: str, name: str) -> None:
    slug = slug_for(folder, name)
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", slug)
    assert slug == slug_for(folder, name)
