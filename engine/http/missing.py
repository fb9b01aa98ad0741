"""Routes for what a workflow lacks, and for its packages in the public registry."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from pydantic import Field

from ..base.errors import AssistantError, RequestError
from ..base.request_body import Body, ListOf
from ..comfy.missing.finder import MissingFinder
from ..comfy.registry.node_registry import RegisteredPackage, RegistryUnavailable
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

Answer = TypeVar("Answer")

_MOST_ASKED = 200
_AT_ONCE = 6
_LONGEST_NAME = 200

Name = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]


class WorkflowBody(Body):
    workflow: dict[str, Any] = Field(
        description="in the editor's form or the API's; nodes with type, mode, values and properties are enough"
    )


class NamesBody(Body):
    ids: ListOf[Name] = Field([], description="ids of packages")
    types: ListOf[Name] = Field([], description="node types whose packages are looked up")


class Registry(Protocol):
    async def find(self, package_id: str) -> RegisteredPackage | None: ...

    async def find_by_type(self, node_type: str) -> list[RegisteredPackage]: ...


class MissingHandlers:
    def __init__(self, finder: MissingFinder, registry: Registry) -> None:
        self._finder = finder
        self._registry = registry

    def routes(self) -> list[Route]:
        return [
            body_route("POST", "/assistant/missing", WorkflowBody, self.find),
            body_route("POST", "/assistant/missing/packages", NamesBody, self.packages),
        ]

    async def find(self, _: web.Request, body: WorkflowBody) -> web.Response:
        return reply(await self._finder.find(body.workflow))

    async def packages(self, _: web.Request, body: NamesBody) -> web.Response:
        """Look packages up in the registry. The names leave the machine, so the panel asks the user first."""
        ids, types = list(dict.fromkeys(body.ids)), list(dict.fromkeys(body.types))
        if len(ids) + len(types) > _MOST_ASKED:
            raise RequestError(
                "invalid_request",
                f"The body has {len(ids) + len(types)} names; at most {_MOST_ASKED} are looked up at once.",
                hint="Ask for the others afterwards.",
            )
        questions = _Questions()
        by_id = {one: questions.ask(self._registry.find, one) for one in ids}
        by_type = {one: questions.ask(self._registry.find_by_type, one) for one in types}
        await asyncio.gather(*by_id.values(), *by_type.values())
        if questions.failed and not questions.answered:
            raise AssistantError(
                "registry_unavailable",
                f"The registry of node packages cannot be asked: {questions.failed}.",
                hint="Try again later, or look the package up by hand.",
                status=502,
            )
        found = {name: task.result() for name, task in by_id.items()}
        candidates = {name: task.result() for name, task in by_type.items()}
        return reply(
            {
                "ids": {name: asdict(package) for name, package in found.items() if package},
                "types": {
                    name: [asdict(package) for package in packages]
                    for name, packages in candidates.items()
                    if packages
                },
                **({"unanswered": questions.unanswered, "why": questions.failed} if questions.failed else {}),
            }
        )


class _Questions:
    """Asks the registry a few questions at a time; after the first failure, waiting questions are not sent."""

    def __init__(self) -> None:
        self.answered = 0
        self.failed = ""
        self.unanswered: list[str] = []
        self._places = asyncio.Semaphore(_AT_ONCE)

    def ask(self, question: Callable[[str], Awaitable[Answer]], name: str) -> asyncio.Task[Answer | None]:
        return asyncio.create_task(self._ask(question, name))

    async def _ask(self, question: Callable[[str], Awaitable[Answer]], name: str) -> Answer | None:
        async with self._places:
            try:
                if not self.failed:
                    answer = await question(name)
                    self.answered += 1
                    return answer
            except RegistryUnavailable as error:
                self.failed = str(error)
            self.unanswered.append(name)
            return None
