"""The source of a model file: a URL on a listed host, cut down to what the file needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from ...base.errors import DownloadError
from .hosts import DownloadHost, host_of

_MAX_URL = 2_000
_REPOSITORY_FILE = re.compile(r"/([^/]+/[^/]+)/(?:resolve|blob|raw)/([^/]+)/(.+)")
_CIVITAI_FILE = re.compile(r"/api/download/models/(\d+)/?")
_CIVITAI_CHOICES = frozenset({"type", "format", "size", "fp"})


@dataclass(frozen=True)
class Source:
    """A file's source. `name` is the file's own, where the URL tells it, else ""."""

    url: str
    host: DownloadHost
    name: str = ""
    repository: str = ""
    version: str = ""

    @property
    def facts_url(self) -> str:
        """The URL of the host's facts on the file, such as its license; "" where there is none."""
        if self.repository:
            return f"{self.host.origin}/api/models/{self.repository}"
        return f"{self.host.origin}/api/v1/model-versions/{self.version}" if self.version else ""


def read_source(url: str, hosts: Sequence[DownloadHost]) -> Source:
    """Read the URL of a file. Queries and fragments that the file does not need are dropped: they could carry data out.

    Raises:
        DownloadError: `host_not_listed` or `invalid_request`.
    """
    clean = url.strip()
    if len(clean) > _MAX_URL or any(not " " < character <= "~" for character in clean) or "\\" in clean:
        raise _bad(clean, "it is no plain web address")
    host = host_of(clean, hosts)
    if host is None:
        raise DownloadError(
            "host_not_listed",
            f'"{clean[:120]}" is not of a host that files may come from.',
            hint=f"Listed are {', '.join(one.name for one in hosts)}. The person can add a host in the settings.",
            status=403,
        )
    parts = urlsplit(clean)
    path = parts.path
    if any(step in ("..", ".") for step in unquote(path).split("/")):
        raise _bad(clean, "its path leads elsewhere")
    if host.kind == "huggingface":
        found = _REPOSITORY_FILE.fullmatch(path)
        if found is None:
            raise _bad(clean, "it names no file of a repository, as …/resolve/main/model.safetensors does")
        repository, revision, file = found.groups()
        return Source(
            f"{host.origin}/{repository}/resolve/{revision}/{file}",
            host,
            unquote(posixpath.basename(file)),
            repository=repository,
        )
    if host.kind == "civitai":
        found = _CIVITAI_FILE.fullmatch(path)
        if found is None:
            raise _bad(clean, "it is no download link, as …/api/download/models/12345 is")
        query = urlencode([(key, value) for key, value in parse_qsl(parts.query) if key in _CIVITAI_CHOICES])
        address = f"{host.origin}/api/download/models/{found[1]}"
        return Source(f"{address}?{query}" if query else address, host, version=found[1])
    return Source(
        urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")),
        host,
        unquote(posixpath.basename(path)),
    )


def _bad(url: str, why: str) -> DownloadError:
    return DownloadError(
        "invalid_request",
        f'"{url[:120]}" cannot be fetched: {why}.',
        hint="Give the address of the file.",
        status=400,
    )
