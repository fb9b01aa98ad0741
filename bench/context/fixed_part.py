"""What stands in every request beside the conversation, as large as the product lets it become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_RULE = "Rule {number}: name nodes by the ids that tools return, change only what the task needs, say what came out."


@dataclass(frozen=True)
class FixedPart:
    system: str
    tools: list[dict[str, Any]]


def fixed_part(*, system_characters: int, tool_count: int) -> FixedPart:
    """A tool takes about 100 tokens of the character estimate, 1,000 characters of the system message take 300."""
    rules = "\n".join(_RULE.format(number=number) for number in range(1, 200))
    names = ["readToolResult", *(f"changeNode{number}" for number in range(1, tool_count))]
    return FixedPart(rules[:system_characters], [_tool(name) for name in names])


def _tool(name: str) -> dict[str, Any]:
    properties = {
        "node": {"type": "string", "description": "Node id or title."},
        "value": {"type": "string", "description": "What it becomes, as getNodeInfo spells it."},
    }
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": "Change one thing of a node of the open workflow, and read it back.",
            "parameters": {"type": "object", "properties": properties, "required": ["node", "value"]},
        },
    }


FULL = fixed_part(system_characters=10_000, tool_count=34)
SLIM = fixed_part(system_characters=2_500, tool_count=8)
