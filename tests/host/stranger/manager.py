"""A package manager in ComfyUI for the tests, with the routes of the usual one: it copies a folder and starts anew."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from aiohttp import web
from server import PromptServer

NODE_CLASS_MAPPINGS: dict[str, type] = {}
HERE = Path(__file__).parent
PACKAGES = Path(os.environ["TEST_PACKAGES"])
routes = PromptServer.instance.routes
waiting: list[str] = []


@routes.get("/manager/version")
async def version(_request):
    return web.Response(text="V3.99")


@routes.post("/manager/queue/install")
async def install(request):
    body = await request.json()
    if not (PACKAGES / body["id"]).is_dir():
        return web.Response(status=404)
    waiting.append(body["id"])
    return web.Response()


@routes.post("/manager/queue/start")
async def start(_request):
    while waiting:
        name = waiting.pop()
        shutil.copytree(PACKAGES / name, HERE / name)
    return web.Response()


@routes.get("/manager/queue/status")
async def status(_request):
    return web.json_response({"is_processing": bool(waiting)})


@routes.get("/customnode/installed")
async def installed(_request):
    return web.json_response(
        {
            path.name: {"ver": "1.0.0", "cnr_id": path.name, "aux_id": None, "enabled": True}
            for path in HERE.iterdir()
            if path.is_dir()
        }
    )


@routes.post("/manager/reboot")
async def reboot(_request):
    os.execv(sys.executable, sys.orig_argv)
