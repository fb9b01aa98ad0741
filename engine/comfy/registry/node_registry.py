"""The public registry of custom node packages, searched over HTTPS: https://docs.comfy.org/registry/overview."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from ...base.event_loop.timeout import timeout
from ...base.network.outgoing import UnreadableAnswer, outgoing, read_json_answer

REGISTRY = "https://api.comfy.org"
Result = TypeVar("Result")

_SECONDS = 10.0
_MAX_BYTES = 2_000_000
_MOST_BRINGING = 10
_TYPE_NAME = re.compile(r"\S*[A-Z_]\S*")


class RegistryUnavailable(Exception):
    """The error that the registry did not answer as documented; the message says how."""


@dataclass(frozen=True)
class RegisteredPackage:
    id: str
    name: str
    description: str
    author: str
    repository: str
    version: str
    downloads: int
    publisher: str = ""
    updated: str = ""


class NodeRegistry:
    """A client that asks one host, follows no redirects, and sends nothing but the words of the search."""

    def __init__(self, base_url: str = REGISTRY, *, seconds: float = _SECONDS) -> None:
        self._base_url = base_url.rstrip("/")
        self._seconds = seconds

    async def search(self, query: str, *, limit: int) -> list[RegisteredPackage]:
        """Return packages that match the words; for the name of a node type, those that bring it come first.

        Raises:
            RegistryUnavailable: offline, too slow, or an answer of another form.
        """
        questions = [("search", query)]
        if _TYPE_NAME.fullmatch(query.strip()):
            questions.insert(0, ("comfy_node_search", query))
        asked = asyncio.gather(*(self._ask(name, words, limit) for name, words in questions))
        answers = await self._with_timeout(asked)
        packages: dict[str, RegisteredPackage] = {}
        for package in itertools.chain(*answers):
            packages.setdefault(package.id, package)
        return list(packages.values())[:limit]

    async def find(self, package_id: str) -> RegisteredPackage | None:
        """Return the package of this id, or None.

        Raises:
            RegistryUnavailable: offline, too slow, or an answer of another form.
        """
        found = await self._with_timeout(self._read(f"/nodes/{quote(package_id, safe='')}", {}))
        packages = _packages({"nodes": [found]}) if found is not None else []
        return packages[0] if packages else None

    async def find_by_type(self, node_type: str) -> list[RegisteredPackage]:
        """Return packages with this node type, most downloads first: anybody may publish one with a type of that name.

        Raises:
            RegistryUnavailable: offline, too slow, or an answer of another form.
        """
        packages = await self._with_timeout(self._ask("comfy_node_search", node_type, _MOST_BRINGING))
        return sorted(packages, key=lambda package: -package.downloads)

    async def _with_timeout(self, work: Awaitable[Result]) -> Result:
        try:
            return await timeout(self._seconds, work)
        except asyncio.TimeoutError:
            raise RegistryUnavailable(f"it did not answer within {self._seconds:g} s") from None

    async def _ask(self, name: str, words: str, limit: int) -> list[RegisteredPackage]:
        return _packages(await self._read("/nodes/search", {name: words, "limit": str(limit), "page": "1"}))

    async def _read(self, path: str, params: dict[str, str]) -> Any:
        """Return the JSON at a path; None where the registry has no such thing."""
        import aiohttp

        try:
            async with (
                outgoing(trust_env=True) as session,
                session.request("GET", f"{self._base_url}{path}", params=params) as answer,
            ):
                if answer.status == 404 and not params:
                    return None
                if answer.status != 200:
                    raise RegistryUnavailable(f"it answered with status {answer.status}")
                return await read_json_answer(answer, most_bytes=_MAX_BYTES)
        except aiohttp.ClientError as error:
            raise RegistryUnavailable(f"there is no connection ({type(error).__name__})") from error
        except UnreadableAnswer as error:
            raise RegistryUnavailable(f"its answer cannot be read: {error}") from error


def _packages(found: Any) -> list[RegisteredPackage]:
    try:
        nodes = found["nodes"]
        return [_package(node) for node in nodes or () if node.get("id")]
    except (TypeError, KeyError, AttributeError) as error:
        raise RegistryUnavailable("its answer has another form than expected") from error


def _package(node: dict[str, Any]) -> RegisteredPackage:
    version = node.get("latest_version") or {}
    publisher = node.get("publisher") or {}
    downloads = node.get("downloads")
    return RegisteredPackage(
        id=str(node["id"]),
        name=str(node.get("name") or node["id"]),
        description=str(node.get("description") or ""),
        author=str(node.get("author") or publisher.get("name") or ""),
        repository=str(node.get("repository") or ""),
        version=str(version.get("version") or ""),
        downloads=downloads if isinstance(downloads, int) else 0,
        publisher=str(publisher.get("name") or publisher.get("id") or ""),
        updated=str(version.get("createdAt") or "")[:10],
    )
