"""Hosts of model files, and the targets that each of them may redirect to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

HostKind = Literal["huggingface", "civitai", "plain"]

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_DEFAULT_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True)
class DownloadHost:
    """A host. `origin` is scheme, name and port; a redirect may lead to it and to names that match `delivery`.

    A host that the user named may have a private address; a built-in one may not.
    """

    origin: str
    kind: HostKind = "plain"
    delivery: tuple[str, ...] = ()
    is_listed_by_person: bool = False

    @property
    def name(self) -> str:
        return urlsplit(self.origin).hostname or ""

    def may_redirect_to(self, url: str) -> bool:
        target = origin_of(url)
        if target == self.origin:
            return True
        parts = urlsplit(url)
        return (
            target is not None
            and parts.scheme == "https"
            and (parts.port or 443) == 443
            and any(re.fullmatch(pattern, parts.hostname or "") for pattern in self.delivery)
        )


BUILT_IN = (
    DownloadHost(
        "https://huggingface.co",
        "huggingface",
        delivery=(r"(?:[a-z0-9-]+\.)*hf\.co", r"(?:[a-z0-9-]+\.)*huggingface\.co"),
    ),
    DownloadHost(
        "https://civitai.com",
        "civitai",
        delivery=(
            r"(?:[a-z0-9-]+\.)*civitai\.com",
            r"civitai-[a-z0-9-]+\.[0-9a-f]{32}\.r2\.cloudflarestorage\.com",
        ),
    ),
)


def origin_of(url: str) -> str | None:
    """Return scheme, name and port, without the default port; None for what is no plain web address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    if parts.scheme not in _DEFAULT_PORTS or "@" in parts.netloc or not _NAME.fullmatch(name):
        return None
    is_default = port in (None, _DEFAULT_PORTS[parts.scheme])
    return f"{parts.scheme}://{name}" if is_default else f"{parts.scheme}://{name}:{port}"


def read_host(text: str) -> DownloadHost:
    """Read a host as a user writes it: `models.example.org`, or `http://192.168.1.5:8000`.

    `github.com+release-assets.githubusercontent.com` names a second host that it may redirect to.

    Raises:
        ValueError: it is no host; the message completes "expected …".
    """
    first, *others = (part.strip().lower() for part in text.split("+"))
    origin = origin_of(first if "://" in first else f"https://{first}")
    has_more = "/" in first.split("://")[-1].rstrip("/")
    if origin is None or has_more or not all(_NAME.fullmatch(other) for other in others):
        raise ValueError("a host such as models.example.org or http://192.168.1.5:8000")
    return DownloadHost(origin, delivery=tuple(map(re.escape, others)), is_listed_by_person=True)


def read_hosts(text: str) -> tuple[DownloadHost, ...]:
    return tuple(read_host(part) for part in text.split(",") if part.strip())


def host_of(url: str, hosts: Iterable[DownloadHost]) -> DownloadHost | None:
    """Return the host of the list that a URL belongs to."""
    origin = origin_of(url)
    return next((host for host in hosts if host.origin == origin), None)
