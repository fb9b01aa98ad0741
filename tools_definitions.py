"""The one catalogue of tools: those of the browser from `contract/tools.json`, then those of the server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .engine.context.tool_facts import ToolFacts
from .engine.plain.tools import PLAIN_FACTS, PLAIN_TOOLS
from .engine.tools import SERVER_TOOLS
from .engine.tools.slim_form import SlimForm
from .engine.tools.tool import ServerTool

CONTRACT = Path(__file__).with_name("contract") / "tools.json"


@dataclass(frozen=True)
class DeclaredTool:
    """What there is to know of a tool, in either language."""

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
class Catalogue:
    """All tools, always in the same order, so that their list is byte-identical in every request of a thread."""

    browser: tuple[DeclaredTool, ...]
    server: tuple[ServerTool[Any], ...]

    @property
    def browser_names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.browser)

    @property
    def slim_only(self) -> frozenset[str]:
        """Those that only small models are offered."""
        return frozenset(tool.name for tool in self._tools if tool.slim is not None and tool.slim.only)

    @property
    def facts(self) -> Mapping[str, ToolFacts]:
        """Of every tool by its name: a thread may have called those that its model is not offered any more."""
        return self._facts

    def schemas(self, *, is_slim: bool = False) -> list[dict[str, Any]]:
        """The `tools` of a chat completion request. Never change what it returns: every request has the same list."""
        return self._slim if is_slim else self._full

    @cached_property
    def _tools(self) -> list[DeclaredTool]:
        return [*self.browser, *map(_of_server, self.server)]

    @cached_property
    def _facts(self) -> dict[str, ToolFacts]:
        return {**PLAIN_FACTS, **{tool.name: tool.facts for tool in self._tools}}

    @cached_property
    def _full(self) -> list[dict[str, Any]]:
        return [tool.schema() for tool in self._tools if tool.slim is None or not tool.slim.only]

    @cached_property
    def _slim(self) -> list[dict[str, Any]]:
        own = [tool.schema() for tool in PLAIN_TOOLS]
        return [*own, *(tool.slim_schema(tool.slim) for tool in self._tools if tool.slim is not None)]


def load_catalogue() -> Catalogue:
    return Catalogue(tuple(map(_of_browser, json.loads(CONTRACT.read_text("utf-8")))), tuple(SERVER_TOOLS))


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
