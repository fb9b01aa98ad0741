from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.http.skills import SkillHandlers, unknown_skill
from comfyui_assistant.engine.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.skills.loader import SkillFolders

from .handlers import serving

FIXTURES = Path(__file__).parent.parent / "fixtures" / "skills"


async def get(path: str) -> tuple[int, Any]:
    async with serving(SkillHandlers("/assistant/system", SkillFolders((FIXTURES,))).routes()) as client:
        answer = await client.get(f"/assistant/system{path}")
        return answer.status, await answer.json()


async def test_skills_are_listed_without_their_text() -> None:
    status, listed = await get("/skills")
    assert (status, len(listed["skills"])) == (200, 11)
    assert listed["skills"][0] == {
        "slug": "plain",
        "name": "Plain skill",
        "description": "Says how plain skills look.",
    }


async def test_a_skill_is_read_with_its_text() -> None:
    assert await get("/skills/plain") == (
        200,
        {
            "slug": "plain",
            "name": "Plain skill",
            "description": "Says how plain skills look.",
            "content": "# Plain\n\nText.",
        },
    )


async def test_a_skill_that_is_not_there_is_named_with_the_closest() -> None:
    status, answer = await get("/skills/plane")
    assert (status, answer["error"]["code"]) == (404, "unknown_skill")
    assert answer["error"]["message"] == 'There is no skill "plane".'
    assert answer["error"]["hint"].startswith("There are: plain")


NEON, WARM = (Skill(slug, slug, "", "", "") for slug in ("neon", "warm"))


@pytest.mark.parametrize(
    ("asked", "skills", "hint"),
    [
        ("neno", (NEON, WARM), "There are: neon."),
        ("xyzzy", (NEON, WARM), "There are: neon, warm."),
        ("neon", (), "No skills are installed."),
    ],
)
def test_the_hint_names_what_could_have_been_meant(asked: str, skills: Any, hint: str) -> None:
    assert unknown_skill(asked, SkillLibrary(skills)).hint == hint
