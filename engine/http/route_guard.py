"""Handlers behind the guard, with every failure translated into a typed JSON reply."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..base.caller import DEFAULT_USER, acting_for, show_private_replies
from ..base.errors import AssistantError, RequestError
from ..base.request_body import Body
from .guard import check

if TYPE_CHECKING:
    from aiohttp import web

logger = logging.getLogger(__name__)

SECURITY_HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every reply: other pages cannot frame it, and browsers do not guess its type.

With `--disable-api-nodes` ComfyUI replaces the first by a policy of its own, which says nothing about frames.
"""

CLIENT_CLOSED_REQUEST = 499
"""nginx's status for requests that the client has closed; a raised error would be logged as our fault."""

Handler = Callable[["web.Request"], Awaitable["web.StreamResponse"]]


@dataclass(frozen=True)
class Route:
    """A route as ComfyUI registers it: without `/api`, which ComfyUI adds as a second path."""

    method: str
    path: str
    handler: Handler
    body: type[Body] | None = None
    """The model of the body, if the route reads an object of fields."""


class Access(Protocol):
    """Checks whether a request is let in, and trusted beyond what ComfyUI itself allows anyone."""

    def check(self, request: web.Request) -> None: ...

    def is_trusted(self, request: web.Request) -> bool: ...


UserOf = Callable[["web.Request"], "str | None"]
"""Returns the ComfyUI user of a request, None for an unknown one."""


def guard_handler(
    handler: Handler,
    *,
    allowed_hosts: Collection[str],
    user_of: UserOf = lambda _: DEFAULT_USER,
    access: Access | None = None,
) -> Handler:
    """Return a handler behind the guard, acting for the request's user, whose failures are JSON replies."""

    async def handle(request: web.Request) -> web.StreamResponse:
        answer = await respond(request)
        if not answer.prepared:
            answer.headers.update(SECURITY_HEADERS)
        return answer

    async def respond(request: web.Request) -> web.StreamResponse:
        try:
            check(request.method, request.headers, allowed_hosts=allowed_hosts)
            if access:
                access.check(request)
            are_told = access is None or access.is_trusted(request)
            with acting_for(_require_user(user_of(request))), show_private_replies(are_told):
                return await handler(request)
        except AssistantError as error:
            return reply({"error": error.as_json()}, status=error.status)
        except Exception as failure:
            if isinstance(failure, ConnectionError) and is_disconnected(request):
                return reply({}, status=CLIENT_CLOSED_REQUEST)
            logger.exception("%s %s failed", request.method, request.path)
            error = AssistantError(
                "internal_error",
                "ComfyUI Assistant failed.",
                hint="Try again; the ComfyUI log has the details.",
            )
            return reply({"error": error.as_json()}, status=500)

    return handle


def is_disconnected(request: web.Request) -> bool:
    """Return whether the client has closed the connection."""
    return request.transport is None or request.transport.is_closing()


def _require_user(user: str | None) -> str:
    if user is None:
        raise RequestError(
            "unknown_user",
            "ComfyUI keeps its users apart here, and this request is from none that it knows.",
            hint="Choose your user in ComfyUI; programs send its id as the header Comfy-User.",
            status=403,
        )
    return user


def reply(data: Any, *, status: int = 200) -> web.Response:
    """Return `data` as JSON. Lone surrogates, which UTF-8 cannot represent, become question marks."""
    return json_response(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), status=status)


def json_response(body: bytes, *, status: int = 200) -> web.Response:
    """Return a JSON text as a response that is not cached."""
    from aiohttp import web

    return web.Response(
        body=body,
        status=status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )
