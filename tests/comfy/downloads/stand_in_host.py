"""A host of model files on this machine, which can be as faulty as the real ones."""

from __future__ import annotations

import json
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.comfy.downloads.downloads import Downloads
from comfyui_assistant.engine.comfy.downloads.hosts import DownloadHost, HostKind
from comfyui_assistant.engine.comfy.downloads.offers import Offer, Offers, Trust
from comfyui_assistant.engine.comfy.downloads.part_file import PartFile

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def safetensors(size: int = 40) -> bytes:
    header = json.dumps({"a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(index % 251 for index in range(size))


def whole(content: bytes, *, tag: str = '"one"', **headers: str) -> Answer:
    """As a good server answers, ranges included."""

    async def answer(request: web.Request) -> web.Response:
        wanted = request.http_range
        told = {"ETag": tag, "Accept-Ranges": "bytes", **headers}
        if wanted.start is None or request.headers.get("If-Range", tag) != tag:
            return web.Response(body=content, headers=told)
        piece = content[wanted.start : wanted.stop]
        told["Content-Range"] = f"bytes {wanted.start}-{wanted.start + len(piece) - 1}/{len(content)}"
        return web.Response(status=206, body=piece, headers=told)

    return answer


def breaking(content: bytes, *, after: int, times: int = 1) -> Answer:
    """Breaks off in the middle, so often."""
    good, broken = whole(content), []

    async def answer(request: web.Request) -> web.StreamResponse:
        start = request.http_range.start or 0
        if request.headers.get("Range") == "bytes=0-0" or len(broken) >= times:
            return await good(request)
        broken.append(start)
        response = web.StreamResponse(status=206 if start else 200, headers={"ETag": '"one"'})
        if start:
            response.headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        response.content_length = len(content) - start
        await response.prepare(request)
        await response.write(content[start : start + after])
        request.transport.close()
        return response

    return answer


@dataclass
class Rig:
    url: str
    places: Path
    downloads: Downloads
    requests: list[web.Request] = field(default_factory=list)

    async def offer(self, path: str = "/a.safetensors", folder: str = "loras", **more: str) -> Offer:
        return await self.downloads.offers.make(self.url + path, folder, **more)

    async def fetch(self, path: str = "/a.safetensors", *, allows_pickle: bool = False, **more: str):
        offer = await self.offer(path, **more)
        download = self.downloads.begin(offer.id, allows_pickle=allows_pickle)
        await download.task
        return download

    @property
    def files(self) -> list[str]:
        """All that lies anywhere."""
        return sorted(str(path.relative_to(self.places)) for path in self.places.rglob("*") if path.is_file())


@dataclass
class Folders:
    places: Path

    def model_folders(self) -> list[str]:
        return ["checkpoints", "loras"]

    def model_places(self, folder: str) -> list[Path]:
        return [self.places / "models" / folder]


@asynccontextmanager
async def rig(
    places: Path,
    answers: dict[str, Answer],
    *,
    kind: HostKind = "plain",
    delivery: tuple[str, ...] = (),
    token: str = "",
    allows_loopback: bool = True,
    is_listed_by_person: bool = False,
    part_file: Callable[..., PartFile] = PartFile,
    **limits: int,
) -> AsyncIterator[Rig]:
    requests: list[web.Request] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        requests.append(request)
        if found := answers.get(request.path):
            return await found(request)
        raise web.HTTPNotFound

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with TestServer(app) as server:
        url = str(server.make_url("")).rstrip("/")
        host = DownloadHost(url, kind, delivery, is_listed_by_person)

        async def hosts() -> list[DownloadHost]:
            return [host]

        async def token_for(origin: str) -> Secret:
            return Secret(token if origin == url else "")

        trust = Trust(hosts, token_for, allows_loopback=allows_loopback)
        downloads = Downloads(
            Offers(Folders(places), trust), trust, part_file=part_file, pauses=(0, 0), **limits
        )
        try:
            yield Rig(url, places, downloads, requests)
        finally:
            await downloads.close()
