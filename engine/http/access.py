"""What callers from other machines may do where ComfyUI listens beyond its own, and the code that can let them in.

ComfyUI has no login. Its own routes neither fetch a file from an address of the caller's choice nor tell what servers
inside the network answer; ours do, so these take a caller on this machine, or one who has entered the access code.
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
from .route_guard import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/assistant/access"
COOKIE = "comfyui-assistant-access"
_LASTS_SECONDS = 180 * 24 * 3_600
_PAUSE_SECONDS = 1.0
"""After a wrong code, for everybody: so many guesses cannot be made."""


class AccessBody(Body):
    code: str | int | None = Field(
        None, json_schema_extra=NOT_QUOTED, description="what `COMFYUI_ASSISTANT_ACCESS_CODE` sets"
    )


class Access:
    """`code` is `COMFYUI_ASSISTANT_ACCESS_CODE`; where it is empty, nobody is asked for one."""

    def __init__(self, exposure: Exposure, code: Secret, *, pause: float = _PAUSE_SECONDS) -> None:
        self._exposure = exposure
        self._code = code
        self._pause = pause
        self._one_at_a_time = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [body_route("POST", PATH, AccessBody, self.enter)]

    def check(self, request: web.Request) -> None:
        """
        Raises:
            RequestError: `access_code_needed` (401).
        """
        if not self._code or request.path.endswith(PATH):
            return
        if not hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._token().encode()):
            raise _code_needed("This assistant is opened with an access code.")

    def is_trusted(self, request: web.Request) -> bool:
        """Whether a request that has passed `check` may do what ComfyUI itself does not do for other machines."""
        return not self._exposure.addresses or bool(self._code) or is_near(request)

    def only_trusted(self, what: str, route: Route) -> Route:
        """Return a route that refuses whom `is_trusted` does not hold for, before anything is read of the request.

        It does so with `not_from_here` (403), and `what` as the subject of its sentence.
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
        """The right code is remembered by a cookie, for half a year."""
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
        """Another one for each code, so that a changed code ends all that was let in."""
        return hmac.new(self._code.reveal().encode(), b"comfyui-assistant", hashlib.sha256).hexdigest()


def _code_needed(message: str) -> RequestError:
    return RequestError(
        "access_code_needed",
        message,
        hint="Enter the code that COMFYUI_ASSISTANT_ACCESS_CODE sets where ComfyUI is started.",
        status=401,
    )


def is_near(request: web.Request) -> bool:
    """Whether it comes from this machine, or through a proxy on it."""
    try:
        address = ipaddress.ip_address((request.remote or "").partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
