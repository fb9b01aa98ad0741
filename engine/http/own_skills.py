"""Routes by which a person's skills are written, put back, taken in and given away."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable, Collection
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ..base.errors import RequestError
from ..base.text.valid_unicode import decode_text
from ..user.own_skills.history import Change
from ..user.own_skills.listing import Everything
from ..user.own_skills.packing import Files, Given, gather, pack, sort_out, unpack_zip
from ..user.own_skills.shelf import Shelf
from ..user.skills.frontmatter import BadFrontMatter, parse_block, split_document
from ..user.skills.slugs import slug_for
from .body import read_json
from .long_reply import long_reply
from .route_guard import Route, reply
from .skills import unknown_tools

if TYPE_CHECKING:
    from aiohttp import web

_LONGEST_NAME = 100


class OwnSkillHandlers:
    """`everything` is of whoever asks; `tools` are the names of all that a skill can allow."""

    def __init__(self, everything: Callable[[], Everything], *, tools: Collection[str] = ()) -> None:
        self._everything = everything
        self._tools = tools

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/skills", self.list),
            Route("GET", "/assistant/skills/{slug}", self.read),
            Route("GET", "/assistant/skills/{slug}/export", self.export),
            Route("POST", "/user-context/skills", self.create),
            Route("PATCH", "/user-context/skills/{slug}", self.change),
            Route("DELETE", "/user-context/skills/{slug}", self.delete),
            Route("POST", "/user-context/skill-changes/{change}", self.undo),
            Route("POST", "/user-context/skill-imports", self.take_in),
        ]

    async def list(self, _: web.Request) -> web.Response:
        return reply(await asyncio.to_thread(self._list, self._everything()))

    async def read(self, request: web.Request) -> web.Response:
        slug, place = request.match_info["slug"], request.query.get("place", "")
        return await long_reply(await asyncio.to_thread(self._everything().read, slug, place))

    async def export(self, request: web.Request) -> web.Response:
        from aiohttp import web

        slug, place = request.match_info["slug"], request.query.get("place", "")
        listed = await asyncio.to_thread(self._everything().find, slug, place)
        packed = await asyncio.to_thread(pack, listed.skill)
        disposition = f'attachment; filename="{listed.skill.slug}.zip"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return web.Response(body=packed, content_type="application/zip", headers=headers)

    async def create(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        change = await self._do(lambda shelf: shelf.create(_text(body, "slug"), _text(body, "text")))
        return reply({"change": change.as_json()}, status=201)

    async def change(self, request: web.Request) -> web.Response:
        """What is accepted is what was shown, so it comes before the text, which makes it another."""
        body, slug = await read_json(request), request.match_info["slug"]
        change: Change | None = None
        everything = self._everything()
        place = _text(body, "place") if "place" in body else ""
        found = await asyncio.to_thread(everything.find, slug, place)
        if "accepted" in body:
            await self._do(lambda shelf: shelf.accept(slug, _text(body, "accepted")))
        if "text" in body:
            change = await self._do(lambda shelf: shelf.write(slug, _text(body, "text"), _text(body, "seen")))
        if (is_on := body.get("isOn")) is not None:
            if not isinstance(is_on, bool):
                raise _invalid("isOn", "true or false")
            is_built_in = found.place == "built-in"
            await self._do(lambda shelf: shelf.states.switch(slug, is_on=is_on, is_built_in=is_built_in))
        listed = await asyncio.to_thread(everything.find, slug, place)
        return reply({**listed.as_json(), **({"change": change.as_json()} if change else {})})

    async def delete(self, request: web.Request) -> web.Response:
        body, slug = await read_json(request), request.match_info["slug"]
        change = await self._do(lambda shelf: shelf.delete(slug, _text(body, "seen")))
        return reply({"change": change.as_json()})

    async def undo(self, request: web.Request) -> web.Response:
        change = await self._do(lambda shelf: shelf.undo(request.match_info["change"]))
        return reply({"change": change.as_json()})

    async def take_in(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        return reply(await self._do(lambda shelf: _take_in(shelf, body)), status=201)

    async def _do(self, work: Callable[[Shelf], Any]) -> Any:
        return await asyncio.to_thread(work, self._everything().shelf)

    def _list(self, everything: Everything) -> dict[str, Any]:
        diagnostics = (*everything.diagnostics(), *unknown_tools(everything.library(), self._tools))
        return {
            "skills": [listed.as_json() for listed in everything.listed()],
            "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics],
            "changes": [change.as_json() for change in everything.changes()],
        }


def _take_in(shelf: Shelf, body: dict[str, Any]) -> dict[str, Any]:
    """Each skill by itself: what cannot be taken in is told, and is not in the way of others."""
    name = _text(body, "name").strip()[:_LONGEST_NAME] or "a folder"
    parcel = sort_out(_files_in(body))
    changes: list[Change] = []
    left_out = [{"path": path, "problem": "It belongs to no skill."} for path in parcel.left_out]
    failure: RequestError | None = None
    for folder, files in parcel.skills.items():
        slug = slug_for(folder or PurePosixPath(name).stem, _name_in(files))
        try:
            changes.append(shelf.take_in(slug, files, name))
        except RequestError as error:
            failure = error
            left_out.append({"path": folder or name, "problem": f"{error.message} {error.hint}"})
    if not changes and failure is not None:
        raise failure
    return {"changes": [change.as_json() for change in changes], "leftOut": left_out}


def _files_in(body: dict[str, Any]) -> Files:
    if "zip" in body:
        return unpack_zip(_decoded(body["zip"], "zip"))
    files = body.get("files")
    if not isinstance(files, list) or not all(isinstance(file, dict) for file in files):
        raise _invalid("files", "a list of {path, content}, or zip")
    return gather((_text(file, "path"), Given(_decoded(file.get("content"), "content"))) for file in files)


def _name_in(files: Files) -> str:
    """What a skill calls itself, for its slug."""
    content = next(content for place, content in files.items() if place.name.casefold() == "skill.md")
    try:
        name = parse_block(split_document(decode_text(content)).block or "name:").get("name")
    except BadFrontMatter:
        return ""
    return name if isinstance(name, str) else ""


def _decoded(value: Any, name: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise _invalid(name, "base64") from None


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise _invalid(name, "a text")
    return value


def _invalid(name: str, expected: str) -> RequestError:
    return RequestError("invalid_request", f"{name} is not {expected}.", hint="See docs/api.md.")
