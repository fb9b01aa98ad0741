"""The catalog of tools: those of the browser from `contract/tools.json`, then those of the server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from .engine.context.tokens import count_tools_tokens
from .engine.context.tool_facts import ToolFacts
from .engine.small_windows.flat_tools import FLAT_FACTS, FLAT_TOOLS
from .engine.tools import SERVER_TOOLS
from .engine.tools.slim_form import SlimForm
from .engine.tools.tool import ServerTool

CONTRACT = Path(__file__).with_name("contract") / "tools.json"

FLAT_ORDER = (
    *(
        "setValue",
        "runWorkflow",
        "addNode",
        "insertNode",
        "connectNodes",
        "removeNode",
        "runNewWorkflow",
        "undoTurn",
    ),
    *("readNode", "searchInstalledNodes", "getNodeInfo", "replaceNode", "setNodeMode", "findMissing"),
    *("applyWorkflow", "searchTemplates", "tryValues", "arrangeNodes", "groupNodes", "rememberRule"),
)
"""The tools for small windows, the most used first: the last ones are left out where there is no room."""
_FLAT_BESIDE, _FLAT_SHARE, _LEAST_FLAT = 2_048, 1 / 3, 8
"""The tokens of a small window for rules and a question, the share of the rest for tools, and the fewest tools."""


@dataclass(frozen=True)
class DeclaredTool:
    """A tool's declaration, whichever side runs it."""

    name: str
    description: str
    parameters: dict[str, Any]
    facts: ToolFacts
    slim: SlimForm | None

    def schema(self) -> dict[str, Any]:
        return _schema(self.name, self.description, self.parameters)

    def slim_schema(self, slim: SlimForm) -> dict[str, Any]:
        names = {*self.parameters.get("required", ()), *slim.optional}
        properties = {name: value for name, value in self.parameters["properties"].items() if name in names}
        parameters = {**self.parameters, "properties": properties}
        return _schema(self.name, slim.description or self.description, parameters)


def _schema(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


@dataclass(frozen=True)
class Catalog:
    """All tools, always in the same order, so that their list is byte-identical in every request of a thread."""

    browser: tuple[DeclaredTool, ...]
    server: tuple[ServerTool[Any], ...]

    @property
    def browser_names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.browser)

    @property
    def slim_only(self) -> frozenset[str]:
        """The tools that only small models get."""
        return frozenset(tool.name for tool in self._tools if tool.slim is not None and tool.slim.only)

    @property
    def facts(self) -> Mapping[str, ToolFacts]:
        """The facts on every tool by name: a thread may have called tools that its model does not get any more."""
        return self._facts

    @property
    def full(self) -> list[dict[str, Any]]:
        """The `tools` of a chat completion request, shared by all requests: callers must not change it."""
        return self._full

    def flat(self, window: int) -> list[dict[str, Any]]:
        """Return as many tools as a small window of this many tokens has room for."""
        room = (window - _FLAT_BESIDE) * _FLAT_SHARE
        return self._flat[: max(_LEAST_FLAT, sum(taken <= room for taken in self._flat_tokens))]

    @cached_property
    def _tools(self) -> list[DeclaredTool]:
        return [*self.browser, *map(_of_server, self.server)]

    @cached_property
    def _facts(self) -> dict[str, ToolFacts]:
        return {**FLAT_FACTS, **{tool.name: tool.facts for tool in self._tools}}

    @cached_property
    def _full(self) -> list[dict[str, Any]]:
        return [tool.schema() for tool in self._tools if tool.slim is None or not tool.slim.only]

    @cached_property
    def _flat(self) -> list[dict[str, Any]]:
        own = {tool.name: tool.schema() for tool in FLAT_TOOLS}
        others = {tool.name: tool.slim_schema(tool.slim) for tool in self._tools if tool.slim is not None}
        return [(own.get(name) or others[name]) for name in FLAT_ORDER]

    @cached_property
    def _flat_tokens(self) -> list[int]:
        """The tokens of the first tools together, by their number."""
        return [*accumulate(count_tools_tokens([tool]) for tool in self._flat)]


def load_catalog() -> Catalog:
    return Catalog(tuple(map(_of_browser, json.loads(CONTRACT.read_text("utf-8")))), tuple(SERVER_TOOLS))


def _of_browser(entry: Mapping[str, Any]) -> DeclaredTool:
    slim = entry.get("slim")
    return DeclaredTool(
        entry["name"],
        entry["description"],
        entry["parameters"],
        ToolFacts(entry["effect"], entry.get("share", "usual")),
        None if slim is None else SlimForm(**{**slim, "optional": tuple(slim.get("optional", ()))}),
    )


def _of_server(tool: ServerTool[Any]) -> DeclaredTool:
    return DeclaredTool(tool.name, tool.description, tool.schema(), tool.facts, tool.slim)
