"""ComfyUI Assistant: registers its routes and its web directory with ComfyUI, and nothing else."""

from __future__ import annotations

import logging
from typing import Any

WEB_DIRECTORY = "./js"
NODE_CLASS_MAPPINGS: dict[str, type] = {}
NODE_DISPLAY_NAME_MAPPINGS: dict[str, str] = {}

__all__ = ["NODE_CLASS_MAPPINGS", "NODE_DISPLAY_NAME_MAPPINGS", "WEB_DIRECTORY"]

logger = logging.getLogger(__name__)


def _start() -> None:
    """Register with the running ComfyUI; outside of one, as in tests, do nothing.

    A failure of ours must never keep ComfyUI from starting: it becomes one line in the log, and a route that tells
    the panel.
    """
    try:
        from server import PromptServer
    except ImportError:
        return
    server = getattr(PromptServer, "instance", None)
    if server is None:
        return
    try:
        from .api_handlers import register

        register(server)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        logger.error("ComfyUI Assistant could not start: %s", " ".join(reason.split()))
        logger.debug("the failure in full", exc_info=True)
        _tell_the_panel(server, reason)


def _tell_the_panel(server: Any, reason: str) -> None:
    from aiohttp import web

    path = "/assistant/status"
    if any(getattr(route, "path", None) == path for route in server.routes):
        return
    error = {
        "code": "not_started",
        "message": f"ComfyUI Assistant could not start: {reason}",
        "hint": "Install its requirements (pip install openai tiktoken) into ComfyUI's Python, then restart ComfyUI.",
    }

    @server.routes.get(path)
    async def status(_: web.Request) -> web.Response:
        return web.json_response({"ok": False, "error": error})


_start()
