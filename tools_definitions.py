"""The one catalogue of tools: those of the browser from `contract/tools.json`, then those of the server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .engine.tools import SERVER_TOOLS
from .engine.tools.tool import ServerTool

CONTRACT = Path(__file__).with_name("contract") / "tools.json"
SLIM_ONLY_TOOLS = frozenset({"runNewWorkflow"})
"""Small models do one thing well: a whole workflow as a script, built and run in one call. Others edit in batches."""

SLIM_TOOLS = (
    *SLIM_ONLY_TOOLS,
    "getWorkflowInfo",
    "addNode",
    "connectNodes",
    "setNodeWidgetValue",
    "executeWorkflow",
    "searchInstalledNodes",
    "getNodeInfo",
)
SLIM_DESCRIPTIONS = {
    "addNode": "Add one single node, without links, values or a run. Only when the user asks for a node.",
}
"""Small models choose a tool by its description, so what is left to another tool is said in it."""

SLIM_OPTIONAL_ARGUMENTS = {"connectNodes": ("fromOutput", "toInput")}
"""Small models fill in every optional argument that they are offered, with invented values. So the slim tools offer
what is required, and beyond that only these."""


@dataclass(frozen=True)
class Catalogue:
    """All tools, always in the same order, so that their list is byte-identical in every request of a thread."""

    browser: tuple[Mapping[str, Any], ...]
    server: tuple[ServerTool[Any], ...]

    @property
    def browser_names(self) -> frozenset[str]:
        return frozenset(tool["name"] for tool in self.browser)

    def schemas(self, *, is_slim: bool = False) -> list[dict[str, Any]]:
        """The `tools` of a chat completion request. Never change what it returns: every request has the same list."""
        return self._slim if is_slim else self._all

    @cached_property
    def _all(self) -> list[dict[str, Any]]:
        return [tool for tool in self._declared if tool["function"]["name"] not in SLIM_ONLY_TOOLS]

    @cached_property
    def _declared(self) -> list[dict[str, Any]]:
        declared = [
            *((tool["name"], tool["description"], tool["parameters"]) for tool in self.browser),
            *((tool.name, tool.description, tool.schema()) for tool in self.server),
        ]
        return [
            {
                "type": "function",
                "function": {"name": name, "description": description, "parameters": parameters},
            }
            for name, description, parameters in declared
        ]

    @cached_property
    def _slim(self) -> list[dict[str, Any]]:
        return [_slimmed(tool) for tool in self._declared if tool["function"]["name"] in SLIM_TOOLS]


def _slimmed(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    parameters = function["parameters"]
    kept = {*parameters.get("required", ()), *SLIM_OPTIONAL_ARGUMENTS.get(function["name"], ())}
    properties = {name: value for name, value in parameters["properties"].items() if name in kept}
    description = SLIM_DESCRIPTIONS.get(function["name"], function["description"])
    return {
        **tool,
        "function": {
            **function,
            "description": description,
            "parameters": {**parameters, "properties": properties},
        },
    }


def load_catalogue(contract: Path = CONTRACT, server: Sequence[ServerTool[Any]] = SERVER_TOOLS) -> Catalogue:
    return Catalogue(tuple(json.loads(contract.read_text("utf-8"))), tuple(server))
