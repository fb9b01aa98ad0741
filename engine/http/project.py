"""Routes for project files and for a thread's documents."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ..base.errors import AssistantError, RequestError
from ..base.request_body import Body
from ..store.threads import ThreadStore
from ..user.project.folder import MOST_BYTES
from ..user.project.passages import nearest_passage
from ..user.project.project_files import ProjectRoom, ThreadDocument, ThreadProject
from .body import body_route, read_body
from .guard import Route
from .json_reply import reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_SHOWN = 40_000
_BEFORE = 12_000
_LONGEST_SENTENCE = 2_000


class FileSwitchBody(Body):
    path: str = Field(min_length=1, description="the path of a project file, such as `notes/style.md`")
    is_on: bool = Field(description="whether chats use it")


class ProjectHandlers:
    """`room` returns what a thread, or a new one, is shown of the files."""

    def __init__(
        self,
        project: ThreadProject,
        threads: ThreadStore,
        room: Callable[[str | None], Awaitable[ProjectRoom]],
    ) -> None:
        self._project = project
        self._files = project.files
        self._threads = threads
        self._room = room

    def routes(self) -> list[Route]:
        files = "/assistant/project/files"
        return [
            Route("GET", "/assistant/project", self.list),
            Route("PUT", files, self.write),
            body_route("PATCH", files, FileSwitchBody, self.change),
            Route("DELETE", files, self.delete),
            Route("GET", "/assistant/threads/{id}/documents", self.documents),
            Route("GET", "/assistant/threads/{id}/documents/{number}", self.document),
        ]

    async def list(self, request: web.Request) -> web.Response:
        thread_id = request.query.get("thread") or None
        listing = await self._files.list()
        room = await self._read_room(thread_id)
        conversation = await self._threads.messages(thread_id) if thread_id else ()
        whole = self._project.whole(listing.files, conversation, room)
        answer: dict[str, Any] = {
            "folder": str(listing.folder),
            "files": [{**file.as_json(), "isWhole": file.place.path in whole} for file in listing.files],
            "leftOut": listing.left_out,
            "diagnostics": [each.as_json() for each in listing.unread],
            "room": room.tokens,
            "isSearched": room.is_searched,
        }
        return reply(answer)

    async def _read_room(self, thread_id: str | None) -> ProjectRoom:
        try:
            return await self._room(thread_id)
        except AssistantError:
            # Without a model, nothing is sent.
            return ProjectRoom()

    async def write(self, request: web.Request) -> web.Response:
        query = request.query
        # For a file that is a little too large, the error names the folder to copy it into.
        content = await read_body(request, max_bytes=2 * MOST_BYTES)
        file = await self._files.write(query.get("name", ""), content, replace=query.get("replace") == "1")
        return reply(file.as_json(), status=201)

    async def change(self, _: web.Request, body: FileSwitchBody) -> web.Response:
        return reply((await self._files.switch(body.path, is_on=body.is_on)).as_json())

    async def delete(self, request: web.Request) -> web.Response:
        path = request.query.get("path")
        if not path:
            raise RequestError(
                "invalid_request",
                "path is missing; expected the path of a project file, such as notes/style.md.",
                hint="See docs/api.md.",
            )
        await self._files.delete(path)
        return reply({})

    async def documents(self, request: web.Request) -> web.Response:
        conversation = await self._threads.messages(request.match_info["id"])
        documents = await self._project.documents(conversation)
        return reply({"documents": [_as_json(document) for document in documents]})

    async def document(self, request: web.Request) -> web.Response:
        """Return a part of a document, around the passage that a sentence is about if there is one."""
        conversation = await self._threads.messages(request.match_info["id"])
        documents = await self._project.documents(conversation)
        number = request.match_info["number"]
        document = next((each for each in documents if str(each.number) == number), None)
        if document is None:
            raise RequestError(
                "not_found",
                f"This chat has no document number {number[:10]}.",
                hint=f"There are: {', '.join(str(each.number) for each in documents) or 'none'}.",
                status=404,
            )
        near = request.query.get("near", "")[:_LONGEST_SENTENCE]
        text = await self._project.document_text(document)
        found = await asyncio.to_thread(nearest_passage, text, near) if near else None
        most = max(0, len(text) - 1)
        asked = whole_number(request, "start", least=0, most=most) if "start" in request.query else None
        start = asked if asked is not None else max(0, found.start - _BEFORE) if found else 0
        return reply(
            {
                **_as_json(document),
                "start": start,
                "text": text[start : start + _SHOWN],
                "place": {"start": found.start, "end": found.end} if found else None,
                "isChanged": document.is_changed,
            }
        )


def _as_json(document: ThreadDocument) -> dict[str, Any]:
    return {
        "number": document.number,
        "title": document.title,
        "kind": "project" if document.path else "attached",
        "path": document.path,
        "characters": document.characters,
    }
