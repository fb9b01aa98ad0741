"""Routes, and the guard of each: only ComfyUI's own page and programs on its machines may call them.

ComfyUI's middleware allows `Origin: null`, requests without an Origin, rebound host names, and pages on other ports
of the same machine. So each handler has a guard of its own, whatever path it is reached by.
"""

from __future__ import annotations

import functools
import ipaddress
import logging
import socket
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import SplitResult, urlsplit

from ..base.caller import DEFAULT_USER, acting_for, show_private_replies
from ..base.errors import AssistantError, RequestError
from ..base.request_body import Body
from .json_reply import reply

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

_LOCAL_SUFFIXES = ("", ".local", ".lan", ".home.arpa", ".internal")
_SAME_PAGE = ("same-origin", "none")
_DEFAULT_PORTS = {"http": 80, "https": 443}

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


def check(method: str, headers: Mapping[str, str], *, allowed_hosts: Collection[str] = ()) -> None:
    """Refuse a request that a foreign page could have sent.

    `allowed_hosts` are public names of this ComfyUI, or "*" for any. A name alone allows the usual ports and that of
    the request's own host; `name:8443` and `https://name:8443` allow that port, and that origin.

    Raises:
        RequestError: `foreign_host`, `foreign_origin` (403) or `invalid_request` (415).
    """
    host = headers.get("Host", "")
    if not _is_own_host(host, allowed_hosts):
        raise RequestError(
            "foreign_host",
            f'The request is for the host "{host[:80]}", which is not known as this ComfyUI.',
            hint="If ComfyUI is reached by this name, add it to COMFYUI_ASSISTANT_ALLOWED_HOSTS and restart ComfyUI.",
            status=403,
        )
    if not _is_own_origin(headers, host, allowed_hosts):
        raise RequestError(
            "foreign_origin",
            "The request comes from another page or program, not from this ComfyUI's own.",
            hint="Open ComfyUI at its own address and use the assistant there. A proxy at an unusual port is named with"
            " it in COMFYUI_ASSISTANT_ALLOWED_HOSTS, as name:8443.",
            status=403,
        )
    if method not in ("GET", "HEAD") and not _is_json(headers.get("Content-Type", "")):
        raise RequestError(
            "invalid_request",
            f'The content type is "{headers.get("Content-Type", "")[:80]}"; expected application/json.',
            hint="Send the header Content-Type: application/json.",
            status=415,
        )


def _is_own_host(host: str, allowed_hosts: Collection[str]) -> bool:
    """Return whether a host is known. Names can be rebound (DNS rebinding), so only addresses are always allowed."""
    name = _host_name(host)
    if name is None:
        return False
    named = {split.hostname for split in map(_split, allowed_hosts) if split}
    if name in named or "*" in allowed_hosts or name in names_of_this_machine():
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@functools.cache
def names_of_this_machine() -> frozenset[str]:
    """Return the host names of this machine, alone and with the suffixes of local networks."""
    name = socket.gethostname().lower()
    names = {name, name.partition(".")[0]} - {""}
    return frozenset({"localhost"} | {each + suffix for each in names for suffix in _LOCAL_SUFFIXES})


def _is_own_origin(headers: Mapping[str, str], host: str, allowed_hosts: Collection[str]) -> bool:
    site = headers.get("Sec-Fetch-Site")
    if site is not None and site not in _SAME_PAGE:
        return False
    origin = headers.get("Origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return False
    if (
        parts.scheme not in _DEFAULT_PORTS
        or not parts.hostname
        or parts.path
        or parts.query
        or parts.username
    ):
        return False
    own = urlsplit(f"{parts.scheme}://{host}")
    own_port = own.port or _DEFAULT_PORTS[parts.scheme]
    if (parts.hostname, port) == (own.hostname, own_port):
        return True
    return any(_allows(allowed, parts, port, own_port) for allowed in allowed_hosts)


def _allows(allowed: str, origin: SplitResult, port: int | None, own_port: int) -> bool:
    split = _split(allowed)
    if split is None or split.hostname != origin.hostname or split.scheme not in ("", origin.scheme):
        return False
    usual = _DEFAULT_PORTS[origin.scheme]
    ports = {split.port} if split.port else {usual} if split.scheme else {usual, own_port}
    return port in ports


def _split(allowed: str) -> SplitResult | None:
    """Split a name, a name with a port, or an origin; None for anything else."""
    try:
        split = urlsplit(allowed if "://" in allowed else f"//{allowed}")
        _ = split.port
    except ValueError:
        return None
    return split if split.hostname else None


def _host_name(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or parts.username is not None or not parts.hostname:
        return None
    return parts.hostname


def _is_json(content_type: str) -> bool:
    kind, _, parameters = content_type.partition(";")
    is_plain = all(
        part.strip().lower().startswith("charset=") for part in parameters.split(";") if part.strip()
    )
    return kind.strip().lower() == "application/json" and is_plain
