"""`readDocumentation`: the help page of a node type."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel, Field

from ..comfy.help_pages import HelpPage
from ..comfy.snapshot import Environment
from ..context.results import ResultBudget
from .paging import page_from
from .tool import ServerTool, ToolResult, ToolServices, failure, mark_trusted, success

_MAX_NAME = 200


class Input(BaseModel):
    node: str
    section: str | None = Field(default=None, description="Heading; without it the whole page.")
    offset: int = Field(default=0, ge=0)


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    return await asyncio.to_thread(_read, arguments, await services.environment.snapshot(), services.room)


def _read(arguments: Input, environment: Environment, room: ResultBudget) -> ToolResult:
    name = arguments.node.strip()[:_MAX_NAME]
    matches = environment.index.find_by_name(name)
    node_type = name if name in environment.nodes or not matches else matches[0].type
    help_page = environment.help_pages.read(node_type)
    if help_page is None:
        return _nothing(node_type, environment)
    headings = [section.heading for section in help_page.sections]
    text = _text(help_page, arguments.section)
    if text is None:
        return failure(
            f'The help page of {node_type} has no section "{arguments.section}".',
            f"Its sections: {', '.join(headings)}.",
        )
    start = arguments.offset
    if start and start >= len(text):
        return failure(
            f"This help page of {node_type} ends at character {len(text):,}.",
            "Read it from a smaller offset.",
        )

    def result(end: int) -> ToolResult:
        data: dict[str, Any] = {"node": node_type, "sections": headings, "text": text[start:end]}
        if end < len(text):
            data["nextOffset"] = end
        is_whole = end - start == len(text)
        of = "" if is_whole else f", characters {start:,} to {end:,} of {len(text):,}"
        told = success(f"Read the help page of {node_type}{of}.", data)
        return mark_trusted(told) if environment.help_pages.is_own(node_type) else told

    return page_from(text, start, room, result)


def _text(help_page: HelpPage, heading: str | None) -> str | None:
    if heading and heading.strip():
        section = help_page.section(heading)
        return section.text if section else None
    return "\n\n".join(f"## {section.heading}\n{section.text}".strip() for section in help_page.sections)


def _nothing(node_type: str, environment: Environment) -> ToolResult:
    if node_type in environment.nodes:
        return failure(
            f"{node_type} has no help page here.",
            "getNodeInfo tells its inputs and outputs with their tooltips.",
        )
    closest = environment.index.closest(node_type)
    suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
    return failure(
        f'There is no node type "{node_type}".', f"{suggestion}searchInstalledNodes finds types by words."
    )


read_documentation = ServerTool(
    name="readDocumentation",
    description="Read the help page of a node type.",
    input=Input,
    run=run,
    untrusted="a help page",
    label="Read the help page {node}",
)
