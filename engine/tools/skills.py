"""What the tools for the system's and for the user's skills have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from ..skills.library import SkillLibrary
from .tool import ToolResult, failure, success

_MAX_LISTED = 60
_MAX_SLUG = 100
_MAX_DESCRIPTION = 200


class NoInput(BaseModel):
    """These tools take no arguments."""


class SlugInput(BaseModel):
    slug: str = Field(description="Slug or name of the skill.")


def list_skills(library: SkillLibrary, *, whose: str, when_none: str) -> ToolResult:
    if not library.skills:
        return success(f"There are no {whose} skills.", {"skills": [], "hint": when_none})
    first_skills = library.skills[:_MAX_LISTED]
    data: dict[str, Any] = {
        "skills": [
            {"slug": skill.slug, "name": skill.name, "description": skill.description[:_MAX_DESCRIPTION]}
            for skill in first_skills
        ]
    }
    if len(library.skills) > len(first_skills):
        data["more"] = len(library.skills) - len(first_skills)
    slugs = ", ".join(skill.slug for skill in first_skills)
    noun = "skill" if len(library.skills) == 1 else "skills"
    return success(f"{len(library.skills)} {whose} {noun}: {slugs}.", data)


def read_skill(library: SkillLibrary, slug: str, *, whose: str, listing_tool: str) -> ToolResult:
    slug = slug[:_MAX_SLUG]
    skill = library.find(slug)
    if skill is None:
        closest = library.closest(slug)
        suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
        return failure(f'There is no {whose} skill "{slug}".', f"{suggestion}{listing_tool} shows all.")
    data = {
        "slug": skill.slug,
        "name": skill.name,
        "description": skill.description,
        "content": skill.content,
    }
    return success(f'Read the {whose} skill "{skill.slug}".', data)
