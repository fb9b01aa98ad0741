"""Requests for a model file: only to listed hosts, with each redirect and each address checked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from ...base.errors import DownloadError
from ...base.network.outgoing import Outgoing, outgoing
from ...base.secret import Secret
from .addresses import AddressRefused, guarded_resolver, is_loopback, is_private, is_public
from .hosts import DownloadHost, host_of

if TYPE_CHECKING:
    from aiohttp import ClientResponse
    from yarl import URL

_MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_CONNECT_SECONDS, _SILENCE_SECONDS = 10.0, 60.0
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class RemoteFile:
    """A file by the host's headers. `resumes`: a range request continues it while the tag is the same."""

    size: int | None
    tag: str
    resumes: bool
    sha256: str = ""


class Exchange:
    """Requests of one download to one host. `allows_loopback` is for tests, whose hosts are on this machine."""

    def __init__(self, host: DownloadHost, token: Secret, *, allows_loopback: bool = False) -> None:
        self._host = host
        self._token = token
        self._allows_loopback = allows_loopback

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Outgoing]:
        import aiohttp

        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=_SILENCE_SECONDS)
        async with outgoing(
            resolver=guarded_resolver(self._allows), timeout=timeout, trust_env=False, auto_decompress=False
        ) as session:
            yield session

    @asynccontextmanager
    async def get(
        self, session: Outgoing, url: str, headers: dict[str, str]
    ) -> AsyncIterator[tuple[ClientResponse, RemoteFile]]:
        """Yield the reply at the end of the redirects.

        Raises:
            DownloadError: `host_not_listed`, `host_refused`, `token_needed`, `not_found`, `host_failed`.
        """
        sha256 = ""
        for _ in range(_MAX_REDIRECTS + 1):
            all_headers = {"Accept-Encoding": "identity", **headers, **self._authorization(url)}
            async with session.request("GET", self._checked(url), headers=all_headers) as response:
                sha256 = sha256 or _linked_hash(response)
                if response.status in _REDIRECTS and "Location" in response.headers:
                    url = urljoin(url, response.headers["Location"])
                    continue
                if response.status not in (200, 206):
                    raise _refusal(response.status, self._host)
                yield response, _remote_file(response, sha256)
                return
        raise DownloadError(
            "host_refused", f"{self._host.name} redirects without end.", hint="Try again later."
        )

    def _authorization(self, url: str) -> dict[str, str]:
        """Return the header with the token for the host that it was entered for, never for a redirect's target."""
        is_own = host_of(url, (self._host,)) is not None
        return {"Authorization": f"Bearer {self._token.reveal()}"} if self._token and is_own else {}

    def _checked(self, url: str) -> URL:
        """Return the URL unchanged, since URLs are signed, but only where no two programs read it differently.

        Raises:
            DownloadError: `address_refused`.
        """
        from yarl import URL

        name = urlsplit(url).hostname or ""
        is_plain = all("!" <= character <= "~" for character in url) and "\\" not in url
        if not is_plain or not self._host.may_redirect_to(url) or URL(url, encoded=True).host != name:
            raise DownloadError(
                "address_refused",
                f"{self._host.name} redirects to {name[:80] or 'no web address'}, which is not one of its own hosts.",
                hint="Nothing was fetched. Fetch the file by hand if you trust that place.",
                status=403,
            )
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return URL(url, encoded=True)
        if not self._allows(name, name):
            raise address_refused(name)
        return URL(url, encoded=True)

    def _allows(self, name: str, address: str) -> bool:
        if is_public(address):
            return True
        if is_loopback(address):
            return self._allows_loopback
        return self._host.is_listed_by_person and name == self._host.name and is_private(address)


def address_refused(name: str) -> DownloadError:
    return DownloadError(
        "address_refused",
        f"{name[:80]} is an address of this machine or of a local network, which downloads do not connect to.",
        hint="A host of your own network has to be on the list of hosts by its own name.",
        status=403,
    )


def host_unreachable(host: DownloadHost, error: Exception) -> DownloadError:
    if isinstance(error, AddressRefused) or isinstance(error.__cause__, AddressRefused):
        return address_refused(host.name)
    return DownloadError(
        "host_unreachable",
        f"The connection to {host.name} failed ({type(error).__name__}).",
        hint="Check the connection and try again; a part that has come is kept.",
        retryable=True,
    )


def _refusal(status: int, host: DownloadHost) -> DownloadError:
    if status in (401, 403):
        return DownloadError(
            "token_needed",
            f"{host.name} does not hand the file out without a token ({status}).",
            hint=f"Accept the model's terms on {host.name}, make a token there, and enter it here.",
            status=401,
        )
    if status in (404, 410):
        return DownloadError(
            "not_found", f"{host.name} has no such file ({status}).", hint="Find another source.", status=404
        )
    return DownloadError(
        "host_failed",
        f"{host.name} answered with status {status}.",
        hint="Try again later.",
        retryable=status >= 500 or status == 429,
    )


def _linked_hash(response: ClientResponse) -> str:
    """Return the SHA-256 that Hugging Face sends with the redirect to a large file, or ""."""
    tag = response.headers.get("X-Linked-Etag", "").strip('"').lower()
    return tag if _SHA256.fullmatch(tag) else ""


def _remote_file(response: ClientResponse, sha256: str) -> RemoteFile:
    tag = response.headers.get("ETag", "")
    if response.status == 206:
        _, _, total = response.headers.get("Content-Range", "").rpartition("/")
        size = int(total) if total.isascii() and total.isdigit() and len(total) < 16 else None
    else:
        size = response.content_length
    is_strong = bool(tag) and not tag.startswith("W/")
    return RemoteFile(size, tag, resumes=response.status == 206 and is_strong, sha256=sha256)


async def read_small(response: ClientResponse, limit: int) -> bytes:
    """Return the body of a reply; b"" where it has more than `limit` bytes."""
    body = bytearray()
    async for piece in response.content.iter_chunked(65_536):
        body += piece
        if len(body) > limit:
            return b""
    return bytes(body)


def body_offset(response: Any) -> int:
    """Return the offset in the file at which the body of a reply begins; -1 where it does not tell."""
    if response.status != 206:
        return 0
    found = re.match(r"bytes (\d{1,15})-", response.headers.get("Content-Range", ""))
    return int(found[1]) if found else -1
