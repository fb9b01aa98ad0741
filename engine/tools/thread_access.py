"""The part of a conversation that server tools may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..base.messages import UIMessage
from ..base.tool_result import ToolResult


class ThreadAccess(Protocol):
    def conversation(self) -> Sequence[UIMessage]:
        """Return the whole conversation, nothing condensed."""
        ...

    async def cross_chat_search(self, query: str) -> Sequence[dict[str, Any]] | None:
        """Search the user's other chats and memory; None where the user has not allowed this chat to."""
        ...

    async def places_in_files(self, query: str) -> Sequence[dict[str, Any]]:
        """Search the project files that the thread does not get whole; the best matches first."""
        ...

    async def file_text(self, number: int) -> str | None:
        """Return the text of the project file that is this document of the thread, or None."""
        ...

    async def delegate(self, task: str, inputs: Sequence[str]) -> ToolResult:
        """Run a task in a fresh context that knows only the inputs, given as handles."""
        ...


class NoThread:
    """The access of a call outside of a conversation."""

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
