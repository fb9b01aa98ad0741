"""Routes for a user's skills: list, read, write, undo, import and export."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable, Collection
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pydantic import Field, model_validator
from typing_extensions import Self

from ..base.errors import RequestError
from ..base.request_body import Body, ListOf
from ..base.text.portable_text import decode_text
from ..user.own_skills.archive import Files, PostedFile, collect_files, pack, split_skills, unpack_zip
from ..user.own_skills.catalog import SkillCatalog
from ..user.own_skills.history import Change
from ..user.own_skills.skill_store import SkillStore
from ..user.skills.frontmatter import BadFrontMatter, parse_block, split_document
from ..user.skills.slugs import slug_for
from .body import body_route
from .guard import Route
from .json_reply import long_reply, reply
from .skills import unknown_tools

if TYPE_CHECKING:
    from aiohttp import web

_LONGEST_NAME = 100


class SkillBody(Body):
    slug: str = Field(description="the name of the new skill's folder")
    text: str = Field(description="its `SKILL.md`, with the front matter")


class SkillChangeBody(Body):
    text: str | None = Field(None, description="its new `SKILL.md`")
    seen: str | None = Field(None, description="needed with `text`: the `version` that it replaces")
    accepted: str | None = Field(
        None, description="the `contents` of an imported skill that the user has read"
    )
    is_on: bool | None = Field(None, description="switches the skill on or off, also a built-in one")
    place: str = Field("", description="which of several skills with this slug")

    @model_validator(mode="after")
    def _require_version(self) -> Self:
        if self.text is not None and self.seen is None:
            raise ValueError("seen with a text")
        return self


class DeletedSkillBody(Body):
    seen: str = Field(description="the `version` that was shown")


class ImportedFile(Body):
    path: str
    content: str


class SkillImportBody(Body):
    name: str = Field(description="the name of the file or folder that the user chose")
    zip: str | None = Field(None, description="the zip, in base64")
    files: ListOf[ImportedFile] = Field([], description="instead of `zip`; each `content` in base64")

    @model_validator(mode="after")
    def _require_files(self) -> Self:
        if self.zip is None and not self.files:
            raise ValueError("zip or files")
        return self


class OwnSkillHandlers:
    """`catalog` returns the skills of the current user; `tools` are the names that skills can allow."""

    def __init__(self, catalog: Callable[[], SkillCatalog], *, tools: Collection[str] = ()) -> None:
        self._catalog = catalog
        self._tools = tools

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/skills", self.list),
            Route("GET", "/assistant/skills/{slug}", self.read),
            Route("GET", "/assistant/skills/{slug}/export", self.export),
            body_route("POST", "/user-context/skills", SkillBody, self.create),
            body_route("PATCH", "/user-context/skills/{slug}", SkillChangeBody, self.change),
            body_route("DELETE", "/user-context/skills/{slug}", DeletedSkillBody, self.delete),
            Route("POST", "/user-context/skill-changes/{change}", self.undo),
            body_route("POST", "/user-context/skill-imports", SkillImportBody, self.import_skills),
        ]

    async def list(self, _: web.Request) -> web.Response:
        return reply(await asyncio.to_thread(self._list, self._catalog()))

    async def read(self, request: web.Request) -> web.Response:
        slug, place = request.match_info["slug"], request.query.get("place", "")
        return await long_reply(await asyncio.to_thread(self._catalog().read, slug, place))

    async def export(self, request: web.Request) -> web.Response:
        from aiohttp import web

        slug, place = request.match_info["slug"], request.query.get("place", "")
        listed = await asyncio.to_thread(self._catalog().find, slug, place)
        packed = await asyncio.to_thread(pack, listed.skill)
        disposition = f'attachment; filename="{listed.skill.slug}.zip"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return web.Response(body=packed, content_type="application/zip", headers=headers)

    async def create(self, _: web.Request, body: SkillBody) -> web.Response:
        change = await self._do(lambda store: store.create(body.slug, body.text))
        return reply({"change": change.as_json()}, status=201)

    async def change(self, request: web.Request, body: SkillChangeBody) -> web.Response:
        """Change a skill. It is accepted before its text changes, since the user accepted what was shown."""
        slug = request.match_info["slug"]
        change: Change | None = None
        catalog = self._catalog()
        found = await asyncio.to_thread(catalog.find, slug, body.place)
        if (accepted := body.accepted) is not None:
            await self._do(lambda store: store.accept(slug, accepted))
        if (text := body.text) is not None:
            change = await self._do(lambda store: store.write(slug, text, body.seen or ""))
        if (is_on := body.is_on) is not None:
            is_built_in = found.place == "built-in"
            await self._do(lambda store: store.states.switch(slug, is_on=is_on, is_built_in=is_built_in))
        listed = await asyncio.to_thread(catalog.find, slug, body.place)
        return reply({**listed.as_json(), **({"change": change.as_json()} if change else {})})

    async def delete(self, request: web.Request, body: DeletedSkillBody) -> web.Response:
        slug = request.match_info["slug"]
        change = await self._do(lambda store: store.delete(slug, body.seen))
        return reply({"change": change.as_json()})

    async def undo(self, request: web.Request) -> web.Response:
        change = await self._do(lambda store: store.undo(request.match_info["change"]))
        return reply({"change": change.as_json()})

    async def import_skills(self, _: web.Request, body: SkillImportBody) -> web.Response:
        return reply(await self._do(lambda store: _import_skills(store, body)), status=201)

    async def _do(self, work: Callable[[SkillStore], Any]) -> Any:
        return await asyncio.to_thread(work, self._catalog().store)

    def _list(self, catalog: SkillCatalog) -> dict[str, Any]:
        diagnostics = (*catalog.diagnostics(), *unknown_tools(catalog.library(), self._tools))
        return {
            "skills": [listed.as_json() for listed in catalog.entries()],
            "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics],
            "changes": [change.as_json() for change in catalog.changes()],
        }


def _import_skills(store: SkillStore, body: SkillImportBody) -> dict[str, Any]:
    """Import each skill on its own; the reply names those that could not be imported."""
    name = body.name.strip()[:_LONGEST_NAME] or "a folder"
    bundle = split_skills(_read_files(body))
    changes: list[Change] = []
    left_out = [{"path": path, "problem": "It belongs to no skill."} for path in bundle.left_out]
    failure: RequestError | None = None
    for folder, files in bundle.skills.items():
        slug = slug_for(folder or PurePosixPath(name).stem, _read_name(files))
        try:
            changes.append(store.import_skill(slug, files, name))
        except RequestError as error:
            failure = error
            left_out.append({"path": folder or name, "problem": f"{error.message} {error.hint}"})
    if not changes and failure is not None:
        raise failure
    return {"changes": [change.as_json() for change in changes], "leftOut": left_out}


def _read_files(body: SkillImportBody) -> Files:
    if body.zip is not None:
        return unpack_zip(_decode(body.zip, "zip"))
    return collect_files((file.path, PostedFile(_decode(file.content, file.path))) for file in body.files)


def _read_name(files: Files) -> str:
    """Return the name in a skill's front matter, for its slug."""
    content = next(content for place, content in files.items() if place.name.casefold() == "skill.md")
    try:
        name = parse_block(split_document(decode_text(content)).block or "name:").get("name")
    except BadFrontMatter:
        return ""
    return name if isinstance(name, str) else ""


def _decode(value: str, name: str) -> bytes:
    """Decode base64. For a large zip this takes time, so it runs on the worker thread."""
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise RequestError(
            "invalid_request", f"{name[:40]} is not base64.", hint="Encode the bytes of the file."
        ) from None
