"""What server tools may know of the conversation that they are called in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..base.messages import UIMessage
from ..base.tool_result import ToolResult


class ThreadAccess(Protocol):
    def conversation(self) -> Sequence[UIMessage]:
        """All of it, nothing condensed."""
        ...

    async def cross_chat_search(self, query: str) -> Sequence[dict[str, Any]] | None:
        """What the person's other chats and their memory have of it; None where they have not let this one look."""
        ...

    async def places_in_files(self, query: str) -> Sequence[dict[str, Any]]:
        """The places in project files that the thread is not shown whole, the best first."""
        ...

    async def file_text(self, number: int) -> str | None:
        """Of the project file that is this document of the thread."""
        ...

    async def delegate(self, task: str, inputs: Sequence[str]) -> ToolResult:
        """Run a task in a fresh context that knows only the inputs, given as handles."""
        ...


class NoThread:
    """Outside of a conversation."""

    def conversation(self) -> Sequence[UIMessage]:
        return ()

    async def cross_chat_search(self, query: str) -> Sequence[dict[str, Any]] | None:
        del query

    async def places_in_files(self, query: str) -> Sequence[dict[str, Any]]:
        del query
        return ()

    async def file_text(self, number: int) -> str | None:
        del number

    async def delegate(self, task: str, inputs: Sequence[str]) -> ToolResult:
        del task, inputs
        refusal: Any = {"ok": False, "error": "delegate works only inside a conversation."}
        return refusal
