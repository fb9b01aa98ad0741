"""The guard against foreign pages: only ComfyUI's own page and programs on its machines may call our routes.

ComfyUI's middleware allows `Origin: null`, requests without an Origin, rebound host names, and pages on other ports
of the same machine. So each handler has a guard of its own, whatever path it is reached by.
"""

from __future__ import annotations

import functools
import ipaddress
import socket
from collections.abc import Collection, Mapping
from urllib.parse import SplitResult, urlsplit

from ..base.errors import RequestError

_LOCAL_SUFFIXES = ("", ".local", ".lan", ".home.arpa", ".internal")
_SAME_PAGE = ("same-origin", "none")
_DEFAULT_PORTS = {"http": 80, "https": 443}


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
