"""readDocumentation: the help page of a node type."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel, Field

from ..environment.help_pages import HelpPage
from ..environment.snapshot import Environment
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_NAME = 200
_PAGE = 5_000


class Input(BaseModel):
    node: str
    section: str | None = Field(default=None, description="Heading; without it the whole page.")
    page: int = 1


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    return await asyncio.to_thread(_read, arguments, await services.environment.snapshot())


def _read(arguments: Input, environment: Environment) -> ToolResult:
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
    pages = max(1, -(-len(text) // _PAGE))
    number = min(max(1, arguments.page), pages)
    data: dict[str, Any] = {
        "node": node_type,
        "sections": headings,
        "text": text[(number - 1) * _PAGE : number * _PAGE],
    }
    if pages > 1:
        data["page"] = f"{number} of {pages}"
    of = f", page {number} of {pages}" if pages > 1 else ""
    return success(f"Read the help page of {node_type}{of}.", data)


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
    outside="a help page",
    label="Read the help page {node}",
)
