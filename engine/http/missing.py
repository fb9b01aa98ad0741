"""Routes for what a workflow lacks, and for who publishes it, which the public registry is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..errors import AssistantError, RequestError
from ..missing.finding import MissingFinder
from ..web.node_registry import RegisteredPackage, RegistryUnavailable
from .body import are_names, read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

Answer = TypeVar("Answer")

_MOST_ASKED = 200
_AT_ONCE = 6
_LONGEST_NAME = 200


class Registry(Protocol):
    async def find(self, package_id: str) -> RegisteredPackage | None: ...

    async def bringing(self, node_type: str) -> list[RegisteredPackage]: ...


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
        ids, types = _texts(body, "ids"), _texts(body, "types")
        if len(ids) + len(types) > _MOST_ASKED:
            raise RequestError(
                "invalid_request",
                f"The body has {len(ids) + len(types)} names; at most {_MOST_ASKED} are looked up at once.",
                hint="Ask for the others afterwards.",
            )
        questions = _Questions()
        by_id = {one: questions.ask(self._registry.find, one) for one in ids}
        by_type = {one: questions.ask(self._registry.bringing, one) for one in types}
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
    """A few at a time; once one was not answered, those that wait are not asked any more."""

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


def _texts(body: dict[str, Any], field: str) -> list[str]:
    names = body.get(field, [])
    if not are_names(names, _LONGEST_NAME):
        raise RequestError(
            "invalid_request",
            f"{field} is no list of names of at most {_LONGEST_NAME} characters.",
            hint="Send {ids?, types?}.",
        )
    return list(dict.fromkeys(names))
