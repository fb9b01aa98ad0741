"""Delegated tasks: each runs in a fresh context, and only its outcome comes back."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...base.messages import UIMessage, message_text, tool_name, tool_parts
from ...base.text.amounts import pluralize
from ...base.tool_result import ToolResult, failure, success
from ...context.handles import list_handles, read_back
from ...context.layout import to_openai
from ...context.results import ResultBudget
from ...context.shorten import head_and_tail
from ...llm.endpoint import Endpoint
from ...store.tasks import Outcome, Tasks
from ...tools.tool import ServerTool, ToolServices, run_server_tool
from ...user.project.project_files import ThreadProject
from ..calls.limits import Limits, Spending, count_steps
from ..calls.untrusted_text import untrusted_places
from ..replies.filtered_model import FilteredModel
from ..thread_context.turn_context import TurnContext
from .cross_chat_search import CrossChatSearch
from .response_writer import TurnLog
from .turn import ServerTools, Turn, TurnSetup

MAX_DEPTH = 2
_LIMITS = Limits(steps=12, calls=30)
_LONGEST_INPUT = 6_000
_LONGEST_ANSWER = 6_000
_INSTRUCTION = """\
Work on this task on your own and answer with its result: facts, names, ids and figures, no talk. You know only what \
stands below. Tools that touch the open workflow cannot be used here; those that look things up can."""


@dataclass(frozen=True)
class ServerToolbox:
    """The tools that run on the server, and the services that they may use."""

    tools: Sequence[ServerTool[Any]]
    services: ToolServices
    cross_chat_search: CrossChatSearch | None = None
    project: ThreadProject | None = None


@dataclass(frozen=True)
class Delegation:
    """The parts of a turn that its delegated tasks share: model, system message, tools, and so the cached prefix."""

    endpoint: Endpoint
    model: FilteredModel
    context: TurnContext
    toolbox: ServerToolbox
    tasks: Tasks
    thread_id: str | None
    parent_task_id: str | None = None
    depth: int = 0
    spending: Spending | None = None
    is_slim: bool = False

    def server_tools(self) -> ServerTools:
        """Return the server tools of a turn; each is called with the turn's conversation and the room of its result."""
        return {tool.name: partial(self._call, tool) for tool in self.toolbox.tools}

    async def _call(
        self,
        tool: ServerTool[Any],
        arguments: dict[str, Any],
        conversation: Sequence[UIMessage],
        room: ResultBudget,
    ) -> ToolResult:
        services = replace(
            self.toolbox.services,
            thread=TurnThread(self, conversation),
            room=room,
            is_slim=self.is_slim,
        )
        return await run_server_tool(tool, arguments, services)

    async def run(self, task: str, inputs: Sequence[str], conversation: Sequence[UIMessage]) -> ToolResult:
        """Work on `task` with the texts behind the handles `inputs`, and nothing else of the conversation.

        The outcome has at most 6,000 characters, which is less than 2,000 tokens of prose. Cancelling the call cancels
        the task and what it has started.
        """
        if self.depth >= MAX_DEPTH:
            return failure("A delegated task cannot delegate any further.", "Do this part yourself.")
        texts = {ref: read_back(conversation, ref) for ref in inputs}
        if unknown_refs := [ref for ref, text in texts.items() if text is None]:
            return failure(
                f"There is nothing behind {', '.join(unknown_refs)}. There are: {list_handles(conversation)}.",
                "Pass handles as inputs, or write what is needed into the task.",
            )
        message = _message(task, {ref: text for ref, text in texts.items() if text is not None})
        task_id = await self._begin(task, inputs)
        inner = replace(self, parent_task_id=task_id, depth=self.depth + 1)
        setup = TurnSetup(
            endpoint=self.endpoint,
            server_tools=inner.server_tools(),
            browser_tools=frozenset(),
            context=self.context.fresh(self.endpoint.model),
            limits=_LIMITS,
            spending=self.spending,
        )
        turn = Turn(
            [message],
            message_id=f"task_{secrets.token_hex(6)}",
            setup=setup,
            model=self.model,
            log=TurnLog(),
        )
        try:
            error = ""
            async for chunk in turn.run():
                error = str(dict(chunk).get("errorText", error)) if chunk["type"] == "error" else error
        except asyncio.CancelledError:
            await asyncio.shield(self._finish(task_id, "cancelled", None, turn))
            raise
        answer = _answer(turn)
        if error or not answer:
            await self._finish(task_id, "failed", error or "no answer", turn)
            return failure(
                f"The delegated task failed: {error or 'it ended without an answer.'}", "Do it yourself."
            )
        data = {
            "answer": head_and_tail(answer, _LONGEST_ANSWER, "\n… [{missing} characters left out] …\n"),
            "usedTools": list(dict.fromkeys(map(tool_name, tool_parts(turn.conversation[-1])))),
            "run": task_id,
        }
        await self._finish(task_id, "done", data, turn)
        steps = pluralize(count_steps(turn.conversation), "step")
        result = success(f"Done in {steps}: {' '.join(answer.split())[:160]}", data)
        if places := untrusted_places(turn.conversation):
            result["outside"] = list(places)
        return result

    async def _begin(self, task: str, inputs: Sequence[str]) -> str:
        if self.thread_id is None:
            return ""
        return await self.tasks.begin(self.thread_id, self.parent_task_id, task, {"inputs": list(inputs)})

    async def _finish(self, task_id: str, status: Outcome, result: Any, turn: Turn) -> None:
        if task_id:
            steps = count_steps(turn.conversation)
            await self.tasks.finish(
                task_id,
                status,
                result=result,
                messages=to_openai(turn.conversation),
                steps=steps,
                tokens=turn.usage.tokens,
            )


@dataclass(frozen=True)
class TurnThread:
    """The thread of a turn, for a tool that is called in it."""

    delegation: Delegation
    turns_conversation: Sequence[UIMessage]

    def conversation(self) -> Sequence[UIMessage]:
        return self.turns_conversation

    async def cross_chat_search(self, query: str) -> Sequence[dict[str, Any]] | None:
        places, thread_id = self.delegation.toolbox.cross_chat_search, self.delegation.thread_id
        return None if places is None or thread_id is None else await places.search(thread_id, query)

    async def places_in_files(self, query: str) -> Sequence[dict[str, Any]]:
        project = self.delegation.toolbox.project
        return await project.search(self.turns_conversation, query) if project else ()

    async def file_text(self, number: int) -> str | None:
        project = self.delegation.toolbox.project
        return await project.text(self.turns_conversation, number) if project else None

    async def delegate(self, task: str, inputs: Sequence[str]) -> ToolResult:
        return await self.delegation.run(task, inputs, self.turns_conversation)


def _message(task: str, inputs: Mapping[str, str]) -> UIMessage:
    texts = [
        f'<input ref="{ref}">\n{head_and_tail(text, _LONGEST_INPUT, " … [{missing} characters left out] … ")}\n</input>'
        for ref, text in inputs.items()
    ]
    text = "\n\n".join([_INSTRUCTION, f"Task: {task}", *texts])
    return {"id": "task", "role": "user", "parts": [{"type": "text", "text": text}]}


def _answer(turn: Turn) -> str:
    last = turn.conversation[-1]
    return message_text(last).strip() if last["role"] == "assistant" else ""
