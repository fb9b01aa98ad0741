"""listUserSkills: the skills that the user wrote."""

from __future__ import annotations

from .skills import NoInput, list_skills
from .tool import ServerTool, ToolResult, ToolServices


async def run(_: NoInput, services: ToolServices) -> ToolResult:
    return list_skills(
        await services.user_skills.library(),
        whose="user",
        when_none="The user can add one as skills/<name>/SKILL.md.",
    )


list_user_skills = ServerTool(
    name="listUserSkills",
    description="List the skills that the user wrote.",
    input=NoInput,
    run=run,
    label="List your skills",
)
