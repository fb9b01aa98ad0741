"""`delegate`: a long lookup in a context of its own, which returns only the outcome."""

from __future__ import annotations

from pydantic import BaseModel, Field

from .tool import ServerTool, ToolResult, ToolServices


class Input(BaseModel):
    task: str = Field(min_length=1, description="All that has to be known to do it.")
    inputs: list[str] | None = Field(default=None, description="Handles, such as r12.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    return await services.thread.delegate(arguments.task, arguments.inputs or [])


delegate = ServerTool(
    name="delegate",
    description="Give a long lookup to a fresh helper; returns only its result.",
    input=Input,
    run=run,
    label="Delegate {task}",
)
