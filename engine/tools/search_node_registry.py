"""`searchNodeRegistry`: custom node packages that are not installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from ..base.text.clip import clip_line
from ..comfy.registry.node_registry import RegisteredPackage, RegistryUnavailable
from ..comfy.snapshot import Environment
from ..comfy.words import squeeze
from .fitting import first_that_fit
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_LISTED = 8
_MAX_QUERY = 100
_MAX_ABOUT = 160


class Input(BaseModel):
    query: str


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    query = arguments.query.strip()[:_MAX_QUERY]
    if not query:
        return failure("searchNodeRegistry got no query.", "Pass words, or the name of a missing node type.")
    try:
        packages = await services.registry.search(query, limit=_LISTED)
    except RegistryUnavailable as error:
        return failure(
            f"The registry of custom nodes cannot be searched: {error}.",
            "Go on with what is installed, or tell the user which node type is missing.",
        )
    if not packages:
        return failure(
            f'No registered package matches "{query}".',
            "Try other words; a node type that nobody registered may come with the workflow's author.",
        )
    environment = await services.environment.snapshot()

    def result(shown: Sequence[dict[str, Any]]) -> ToolResult:
        data = {
            "packages": shown,
            **_others(packages, shown),
            "hint": "findMissing offers to install what the open workflow needs; the user installs others.",
        }
        names = ", ".join(entry["id"] for entry in shown)
        return success(f'Registered packages for "{query}": {names}.', data)

    return first_that_fit([_entry(package, environment) for package in packages], services.room, result)


def _others(packages: Sequence[Any], shown: Sequence[Any]) -> dict[str, Any]:
    """Return how many more there may be; the registry is asked only for the first ones, so the total is unknown."""
    more = len(packages) - len(shown)
    if not more and len(packages) < _LISTED:
        return {}
    if not more:
        return {"others": "Perhaps more: search with more words."}
    at_least = " at least" if len(packages) == _LISTED else ""
    return {"more": more, "others": f"{more} more{at_least}: search with more words."}


def _entry(package: RegisteredPackage, environment: Environment) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": package.id, "name": package.name}
    if about := clip_line(package.description, _MAX_ABOUT):
        entry["about"] = about
    facts = {
        "author": package.author,
        "repository": package.repository,
        "version": package.version,
        "downloads": package.downloads,
    }
    entry.update({key: value for key, value in facts.items() if value})
    if _is_installed(package, environment):
        entry["installed"] = True
    return entry


def _is_installed(package: RegisteredPackage, environment: Environment) -> bool:
    names = {squeeze(package.id), squeeze(package.repository.rstrip("/").rsplit("/", 1)[-1])}
    return any(squeeze(package_name) in names for package_name in environment.packages)


search_node_registry = ServerTool(
    name="searchNodeRegistry",
    description="Search the registry for packages that are not installed.",
    input=Input,
    run=run,
    untrusted="the registry of node packages",
    label="Search the registry of node packages {query}",
)
