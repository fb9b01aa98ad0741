"""The route that returns the text of an attached document."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from ..base.errors import RequestError
from ..base.files.pdf import read_pdf
from ..base.files.regular_file import find_file
from ..base.request_body import Body
from ..comfy.host import ComfyHost
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class DocumentBody(Body):
    file: str = Field(description="the path of the file in ComfyUI's input folder")


class DocumentHandlers:
    def __init__(self, host: ComfyHost) -> None:
        self._host = host

    def routes(self) -> list[Route]:
        return [body_route("POST", "/assistant/documents/text", DocumentBody, self.text)]

    async def text(self, _: web.Request, body: DocumentBody) -> web.Response:
        """Return the text of a PDF in ComfyUI's input folder."""
        path = await asyncio.to_thread(_input_file, self._host.file_directory("input"), body.file)
        pdf = await read_pdf(path)
        return reply({"text": pdf.as_text(), "pages": pdf.count})


def _input_file(folder: Path, name: str) -> Path:
    """Return the path of a file in the folder.

    Raises:
        RequestError: `not_found` (404), also for paths out of the folder.
    """
    if (path := find_file(folder, name)) is not None:
        return path
    raise RequestError(
        "not_found",
        f"There is no file {name[:200]!r} in ComfyUI's input folder.",
        hint="Attach the file again.",
        status=404,
    )
