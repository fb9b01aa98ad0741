"""listSystemSkills: the skills that come with the assistant."""

from __future__ import annotations

from .skills import NoInput, list_skills
from .tool import ServerTool, ToolResult, ToolServices


async def run(_: NoInput, services: ToolServices) -> ToolResult:
    return list_skills(
        await services.system_skills.library(),
        whose="system",
        when_none="Work by the rules that you have.",
    )


list_system_skills = ServerTool(
    name="listSystemSkills",
    description="List the skills for models and tasks that come with the assistant.",
    input=NoInput,
    run=run,
    label="List skills",
)
