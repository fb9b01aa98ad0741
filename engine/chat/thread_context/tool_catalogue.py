"""The tools of a chat, as it needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...context.tool_facts import ToolFacts
from ...tools.tool import ServerTool


class ToolCatalogue(Protocol):
    @property
    def facts(self) -> Mapping[str, ToolFacts]:
        """Of every tool by its name, also of those that models are not offered."""
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
        """Those for a small window of so many tokens."""
        ...
