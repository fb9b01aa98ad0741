"""The catalog of tools, as a chat needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...context.tool_facts import ToolFacts
from ...tools.tool import ServerTool


class ToolCatalog(Protocol):
    """All tools, in the forms that models and turns need."""

    @property
    def facts(self) -> Mapping[str, ToolFacts]:
        """The facts of every tool by name, including tools that models are not offered."""
        ...

    @property
    def browser_names(self) -> frozenset[str]: ...

    @property
    def slim_only(self) -> frozenset[str]: ...

    @property
    def server(self) -> Sequence[ServerTool[Any]]: ...

    @property
    def full(self) -> list[dict[str, Any]]:
        """The `tools` of a chat completion request."""
        ...

    def flat(self, window: int) -> list[dict[str, Any]]:
        """Return the tools for a small window of so many tokens."""
        ...
