"""getUserSkill: one skill that the user wrote, whole."""

from __future__ import annotations

from .skills import SlugInput, read_skill
from .tool import ServerTool, ToolResult, ToolServices


async def run(arguments: SlugInput, services: ToolServices) -> ToolResult:
    return read_skill(
        await services.user_skills.library(),
        arguments.slug,
        whose="user",
        listing_tool="listUserSkills",
    )


get_user_skill = ServerTool(
    name="getUserSkill",
    description="Read a skill that the user wrote.",
    input=SlugInput,
    run=run,
    label="Read your skill {slug}",
    keeps="whole",
)
