"""Access from other machines, if ComfyUI listens beyond its own, and the access code that can allow it.

ComfyUI has no login. Its own routes neither fetch files from an address of the caller's choice nor reveal what
servers of the private network reply; ours do, so these need a caller on this machine, or one who has entered the
access code.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from ..base.errors import RequestError
from ..base.request_body import Body
from ..base.secret import Secret
from ..base.validation import NOT_QUOTED
from ..comfy.exposure import Exposure
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/assistant/access"
COOKIE = "comfyui-assistant-access"
_LASTS_SECONDS = 180 * 24 * 3_600
_PAUSE_SECONDS = 1.0
"""The pause after a wrong code, for all callers, so that codes cannot be guessed."""


class AccessBody(Body):
    code: str | int | None = Field(
        None, json_schema_extra=NOT_QUOTED, description="the value of `COMFYUI_ASSISTANT_ACCESS_CODE`"
    )


class Access:
    """Access checks. `code` is `COMFYUI_ASSISTANT_ACCESS_CODE`; if it is empty, no caller is asked for one."""

    def __init__(self, exposure: Exposure, code: Secret, *, pause: float = _PAUSE_SECONDS) -> None:
        self._exposure = exposure
        self._code = code
        self._pause = pause
        self._one_at_a_time = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [body_route("POST", PATH, AccessBody, self.enter)]

    def check(self, request: web.Request) -> None:
        """Check that a request has the cookie of the access code.

        Raises:
            RequestError: `access_code_needed` (401).
        """
        if not self._code or request.path.endswith(PATH):
            return
        if not hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._token().encode()):
            raise _code_needed("This assistant is opened with an access code.")

    def is_trusted(self, request: web.Request) -> bool:
        """Return whether a request that passed `check` may do what ComfyUI itself allows no other machine."""
        return not self._exposure.addresses or bool(self._code) or is_local_request(request)

    def restrict_to_trusted(self, what: str, route: Route) -> Route:
        """Return a route that refuses requests that are not `is_trusted`, before anything of them is read.

        It replies `not_from_here` (403), with `what` as the subject of the message.
        """

        async def check_and_handle(request: web.Request) -> web.StreamResponse:
            if self.is_trusted(request):
                return await route.handler(request)
            raise RequestError(
                "not_from_here",
                f"{what} only from a browser on ComfyUI's own machine: ComfyUI listens for others and has no login.",
                hint="Do it there, or start ComfyUI with COMFYUI_ASSISTANT_ACCESS_CODE set and enter that code here.",
                status=403,
            )

        return replace(route, handler=check_and_handle)

    async def enter(self, request: web.Request, body: AccessBody) -> web.Response:
        """Check a code, and remember the right one by a cookie for half a year."""
        given = str(body.code or "").strip()
        async with self._one_at_a_time:
            if self._code and not hmac.compare_digest(given.encode(), self._code.reveal().encode()):
                await asyncio.sleep(self._pause)
                raise _code_needed("This is not the access code.")
        answer = reply({"ok": True})
        if self._code:
            answer.set_cookie(
                COOKIE,
                self._token(),
                max_age=_LASTS_SECONDS,
                httponly=True,
                samesite="Strict",
                secure=request.secure,
            )
        return answer

    def _token(self) -> str:
        """Return the value of the cookie. It depends on the code, so that a changed code ends all access."""
        return hmac.new(self._code.reveal().encode(), b"comfyui-assistant", hashlib.sha256).hexdigest()


def _code_needed(message: str) -> RequestError:
    return RequestError(
        "access_code_needed",
        message,
        hint="Enter the code that COMFYUI_ASSISTANT_ACCESS_CODE sets where ComfyUI is started.",
        status=401,
    )


def is_local_request(request: web.Request) -> bool:
    """Return whether a request comes from this machine, or through a proxy on it."""
    try:
        address = ipaddress.ip_address((request.remote or "").partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
