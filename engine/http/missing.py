"""Routes for what a workflow lacks, and for who publishes it, which the public registry is asked."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import AssistantError, RequestError
from ..missing.finding import MissingFinder
from ..web.node_registry import RegisteredPackage, RegistryUnavailable
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_MOST_ASKED = 12


class Registry(Protocol):
    async def find(self, package_id: str) -> RegisteredPackage | None: ...

    async def bringing(self, node_type: str) -> RegisteredPackage | None: ...


class MissingHandlers:
    def __init__(self, finder: MissingFinder, registry: Registry) -> None:
        self._finder = finder
        self._registry = registry

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/assistant/missing", self.find),
            Route("POST", "/assistant/missing/packages", self.packages),
        ]

    async def find(self, request: web.Request) -> web.Response:
        workflow = (await read_json(request)).get("workflow")
        if not isinstance(workflow, dict):
            raise RequestError(
                "invalid_request", "The body has no workflow.", hint="Send {workflow} in the editor's form."
            )
        return reply(await self._finder.find(workflow))

    async def packages(self, request: web.Request) -> web.Response:
        """Only by a yes of the person: the names of types and packages leave the machine."""
        body = await read_json(request)
        ids, types = _texts(body.get("ids")), _texts(body.get("types"))
        try:
            found = await asyncio.gather(
                *(self._registry.find(one) for one in ids), *(self._registry.bringing(one) for one in types)
            )
        except RegistryUnavailable as error:
            raise AssistantError(
                "registry_unavailable",
                f"The registry of node packages cannot be asked: {error}.",
                hint="Try again later, or look the package up by hand.",
                status=502,
            ) from None
        by_id = dict(zip(ids, found[: len(ids)], strict=True))
        by_type = dict(zip(types, found[len(ids) :], strict=True))
        return reply({"ids": _as_json(by_id), "types": _as_json(by_type)})


def _texts(value: Any) -> list[str]:
    names = [one[:120] for one in value if isinstance(one, str) and one] if isinstance(value, list) else []
    return list(dict.fromkeys(names))[:_MOST_ASKED]


def _as_json(found: dict[str, RegisteredPackage | None]) -> dict[str, Any]:
    return {name: asdict(package) for name, package in found.items() if package is not None}
