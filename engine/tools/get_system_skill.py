"""getSystemSkill: one skill that comes with the assistant, whole."""

from __future__ import annotations

from .skills import SlugInput, read_skill
from .tool import ServerTool, ToolResult, ToolServices


async def run(arguments: SlugInput, services: ToolServices) -> ToolResult:
    return read_skill(
        await services.system_skills.library(),
        arguments.slug,
        whose="system",
        listing_tool="listSystemSkills",
    )


get_system_skill = ServerTool(
    name="getSystemSkill",
    description="Read a skill of the assistant.",
    input=SlugInput,
    run=run,
    label="Read skill {slug}",
    keeps="whole",
)
