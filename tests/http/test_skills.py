from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.http.skills import SkillHandlers, unknown_skill, unknown_tools
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from .handlers import serving

FIXTURES = Path(__file__).parent.parent / "fixtures" / "skills"


async def get(path: str) -> tuple[int, Any]:
    async with serving(SkillHandlers("/assistant/system", SkillFolders((FIXTURES,))).routes()) as client:
        answer = await client.get(f"/assistant/system{path}")
        return answer.status, await answer.json()


async def test_skills_are_listed_without_their_text() -> None:
    status, listed = await get("/skills")
    assert (status, len(listed["skills"])) == (200, 12)
    assert listed["skills"][0] == {
        "slug": "plain",
        "name": "Plain skill",
        "description": "Says how plain skills look.",
        "source": "fixtures/skills/01_plain/SKILL.md",
    }
    assert {
        "path": "fixtures/skills/not-a-skill",
        "problem": "It holds no SKILL.md.",
        "action": "Rename notes.md to SKILL.md.",
        "leavesOut": True,
    } in listed["diagnostics"]


async def test_a_skill_is_read_with_its_text() -> None:
    assert await get("/skills/plain") == (
        200,
        {
            "slug": "plain",
            "name": "Plain skill",
            "description": "Says how plain skills look.",
            "source": "fixtures/skills/01_plain/SKILL.md",
            "content": "# Plain\n\nText.",
        },
    )


async def test_a_skill_that_is_not_there_is_named_with_the_closest() -> None:
    status, answer = await get("/skills/plane")
    assert (status, answer["error"]["code"]) == (404, "not_found")
    assert answer["error"]["message"] == 'There is no skill "plane".'
    assert answer["error"]["hint"].startswith("Did you mean plain or ")


async def test_a_skill_is_read_with_its_license_and_metadata() -> None:
    _, read = await get("/skills/nested-metadata")
    assert (read["license"], read["metadata"]) == ("MIT", {"version": "1.0"})


async def test_what_is_no_skill_says_why_when_it_is_asked_for() -> None:
    _, answer = await get("/skills/not-a-skill")
    assert answer["error"]["hint"] == (
        "fixtures/skills/not-a-skill: It holds no SKILL.md. Rename notes.md to SKILL.md. Then write the message again."
    )


NEON, WARM = (Skill(slug, slug, "", "", "") for slug in ("neon", "warm"))


@pytest.mark.parametrize(
    ("asked", "skills", "hint"),
    [
        ("neno", (NEON, WARM), "Did you mean neon? /skills lists all."),
        ("xyzzy", (NEON, WARM), "There are: neon, warm. /skills lists all."),
        ("neon", (), "No skills are installed."),
    ],
)
def test_the_hint_names_what_could_have_been_meant(asked: str, skills: Any, hint: str) -> None:
    assert unknown_skill(asked, SkillLibrary(skills)).hint == hint


@pytest.mark.parametrize(
    ("allowed", "problem", "action"),
    [
        (("Bash", "Read"), "Bash, Read.", "All tools may be called for it."),
        (("Bash", "viewImages"), "Bash.", "The others are the ones that it allows."),
    ],
)
def test_a_skill_that_allows_tools_of_others_is_told_so(
    allowed: tuple[str, ...], problem: str, action: str
) -> None:
    library = SkillLibrary((NEON, replace(WARM, allowed_tools=allowed)))
    [diagnostic] = unknown_tools(library, {"viewImages"})
    assert diagnostic.problem == f"Its allowed-tools name what is no tool here: {problem}"
    assert diagnostic.action == action
    assert not diagnostic.leaves_out
