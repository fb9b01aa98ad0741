"""Routes for threads: list, create, read, change, delete, export, their branches, and texts behind handles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from ..base.errors import RequestError
from ..base.messages import UIMessage
from ..base.request_body import Body
from ..chat.response_streams import Beginning, ResponseStreams
from ..chat.turn_locks import TurnLocks
from ..context.handles import list_handles, read_back
from ..context.message_metadata import without_file_texts
from ..store.log.thread_writer import BROKEN_OFF
from ..store.threads import Thread, ThreadStore
from .body import body_route
from .guard import Route
from .json_reply import long_reply, reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_MAX_TAIL = 1_000_000
_BEFORE_WANTED = 10
"""The number of messages to return before the wanted one, as its context."""


class RenamedWorkflowBody(Body):
    old: str = Field(alias="from", min_length=1, description="the previous file of the workflow")
    new: str = Field(alias="to", min_length=1, description="its new file, such as `workflows/b.json`")


class ThreadBody(Body):
    title: str | None = Field(None, description="the new title; at most 200 characters of it are kept")
    pinned: bool | None = Field(None, description="a pinned thread is never removed for being idle")

    @field_validator("title")
    @classmethod
    def _clean_title(cls, title: str | None) -> str | None:
        if title is not None and not title.strip():
            raise ValueError("a text")
        return title if title is None else " ".join(title.split())[:200]

    @model_validator(mode="after")
    def _require_change(self) -> Self:
        if self.title is None and self.pinned is None:
            raise ValueError("title, pinned or both")
        return self


class ThreadHandlers:
    def __init__(
        self, threads: ThreadStore, response_streams: ResponseStreams, turn_locks: TurnLocks | None = None
    ) -> None:
        turn_locks = turn_locks or TurnLocks()
        self._threads = threads
        self._response_streams = response_streams
        self._hold = turn_locks.hold
        self._is_elsewhere = turn_locks.is_elsewhere

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/threads", self.list),
            Route("POST", "/assistant/threads", self.create),
            body_route("POST", "/assistant/renamed-workflows", RenamedWorkflowBody, self.rename_workflow),
            Route("GET", "/assistant/threads/{id}", self.read),
            body_route("PATCH", "/assistant/threads/{id}", ThreadBody, self.change),
            Route("DELETE", "/assistant/threads/{id}", self.delete),
            Route("GET", "/assistant/threads/{id}/export", self.export),
            Route("GET", "/assistant/threads/{id}/branches", self.branches),
            Route("POST", "/assistant/threads/{id}/branches/{branchId}", self.switch),
            Route("GET", "/assistant/threads/{id}/handles/{ref}", self.read_back),
        ]

    async def list(self, _: web.Request) -> web.Response:
        answer: dict[str, Any] = {"threads": [summary.as_json() for summary in await self._threads.list()]}
        return await long_reply(
            {**answer, "notice": self._threads.notice} if self._threads.notice else answer
        )

    async def create(self, _: web.Request) -> web.Response:
        return reply((await self._threads.create()).as_json(), status=201)

    async def read(self, request: web.Request) -> web.Response:
        """Return the newest `tail` messages of a thread, or all; `total` is their number.

        If the message `from` is older, they begin ten messages before it.

        With `live=true` they end before the response that runs, or that nobody has read to its end; `stream` sends it
        from its beginning. What another process writes is included as far as it is saved, and `elsewhere` says so. An
        answer that no process writes any longer ends with a notice that it broke off.
        """
        thread_id, wanted = request.match_info["id"], request.query.get("from")
        tail = whole_number(request, "tail", most=_MAX_TAIL)
        asks_live = request.query.get("live") == "true"
        live = self._response_streams.unread(thread_id) if asks_live else None
        # This is asked before the thread is read, so that the thread has what was saved last.
        is_elsewhere = asks_live and live is None and await self._is_elsewhere(thread_id)
        thread = await self._threads.read(thread_id)
        if live is None or live.beginning is None:
            is_written = is_elsewhere or self._response_streams.running(thread_id) is not None
            if asks_live and thread.has_draft and not is_written:
                thread = replace(thread, messages=_add_notice(thread.messages))
            answer = _as_json(thread_id, thread, tail=tail, wanted=wanted)
            return await long_reply({**answer, "elsewhere": True} if is_elsewhere else answer)
        before = replace(thread, messages=_remove_response(thread.messages, live.beginning))
        running = {"response": live.id, "readers": live.readers}
        return await long_reply({**_as_json(thread_id, before, tail=tail, wanted=wanted), "live": running})

    async def change(self, request: web.Request, body: ThreadBody) -> web.Response:
        thread_id = request.match_info["id"]
        answer: dict[str, Any] = {"id": thread_id}
        if body.title is not None:
            await self._threads.rename(thread_id, body.title)
            answer["title"] = body.title
        if body.pinned is not None:
            await self._threads.pin(thread_id, is_pinned=body.pinned)
            answer["pinned"] = body.pinned
        return reply(answer)

    async def rename_workflow(self, _: web.Request, body: RenamedWorkflowBody) -> web.Response:
        """Keep the chats of a workflow with it after the page has renamed its file."""
        return reply({"chats": await self._threads.rename_workflow(body.old, body.new)})

    async def delete(self, request: web.Request) -> web.Response:
        from aiohttp import web

        thread_id = request.match_info["id"]
        await self._response_streams.stop(thread_id)
        await self._threads.delete(thread_id)
        return web.Response(status=204)

    async def export(self, request: web.Request) -> web.Response:
        from aiohttp import web

        thread_id = request.match_info["id"]
        document = await self._threads.export(thread_id)
        return web.Response(
            body=document,
            content_type="application/json",
            headers={
                "Cache-Control": "no-store",
                "Content-Disposition": f'attachment; filename="{thread_id}.json"',
            },
        )

    async def branches(self, request: web.Request) -> web.Response:
        branches = await self._threads.branches(request.match_info["id"])
        return reply({"branches": [branch.as_json() for branch in branches]})

    async def switch(self, request: web.Request) -> web.Response:
        """Switch to another branch, and return the thread as it is then."""
        thread_id = request.match_info["id"]
        async with self._hold(thread_id):
            await self._threads.switch(thread_id, request.match_info["branchId"])
            thread = await self._threads.read(thread_id)
        return await long_reply(_as_json(thread_id, thread, tail=None))

    async def read_back(self, request: web.Request) -> web.Response:
        """Return the whole text of a tool result or message, as `readToolResult` reads it."""
        thread_id, ref = request.match_info["id"], request.match_info["ref"]
        conversation = (await self._threads.read(thread_id)).messages
        text = read_back(conversation, ref)
        if text is None:
            raise RequestError(
                "not_found",
                f'There is nothing behind "{ref[:40]}".',
                hint=f"There are: {list_handles(conversation)}.",
                status=404,
            )
        return reply({"ref": ref, "text": text})


def _remove_response(messages: Sequence[UIMessage], beginning: Beginning) -> list[UIMessage]:
    """Return the messages without those parts that the response has added."""
    cut: list[UIMessage] = [
        {**message, "parts": message["parts"][: beginning.parts]}
        if message["id"] == beginning.message_id
        else message
        for message in messages
    ]
    return [message for message in cut if message["parts"] or message["id"] != beginning.message_id]


def _add_notice(messages: Sequence[UIMessage]) -> list[UIMessage]:
    *others, last = messages
    return [*others, {**last, "parts": [*last["parts"], BROKEN_OFF.part]}]


def _as_json(
    thread_id: str, thread: Thread, *, tail: int | None, wanted: str | None = None
) -> dict[str, Any]:
    begin = 0 if tail is None else _start_index(thread.messages, tail, wanted)
    return {
        "id": thread_id,
        "title": thread.title,
        "branchId": thread.branch_id,
        "total": len(thread.messages),
        "messages": list(map(without_file_texts, thread.messages[begin:])),
        "damaged": [{"seq": seq, "reason": reason} for seq, reason in thread.damage],
    }


def _start_index(messages: Sequence[UIMessage], tail: int, wanted: str | None) -> int:
    places = [index - _BEFORE_WANTED for index, message in enumerate(messages) if message["id"] == wanted]
    return max(0, min([len(messages) - tail, *places]))
