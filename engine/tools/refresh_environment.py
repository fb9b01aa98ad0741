"""`refreshEnvironment`: a new scan of what is installed, and what changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..comfy.node_definition import NodeDefinition
from ..comfy.node_input import Scalar, flatten_inputs
from ..comfy.snapshot import Environment
from ..comfy.summary import summarize
from .skills import NoInput
from .tool import ServerTool, ToolResult, ToolServices, success

_MAX_NAMED = 20


async def run(_: NoInput, services: ToolServices) -> ToolResult:
    previous, current = await services.environment.rescan()
    changes = _changes(previous, current) if previous is not None else {}
    news = "; ".join(f"{what}: {', '.join(map(str, names))}" for what, names in changes.items())
    data = {"installed": summarize(current).text, **changes}
    return success(f"{summarize(current).text}. {news or 'Nothing changed since the last look'}.", data)


def _changes(previous: Environment, current: Environment) -> dict[str, Any]:
    changes = {
        **_difference("NodeTypes", previous.nodes, current.nodes),
        **_difference("Models", _files(previous), _files(current)),
        **_difference("Packages", previous.packages, current.packages),
    }
    changed_types = [
        _changed_type(before, node)
        for name, node in current.nodes.items()
        if (before := previous.nodes.get(name, node)) != node
    ]
    if changed_types:
        changes["changedNodeTypes"] = _few(changed_types)
    return changes


def _changed_type(before: NodeDefinition, now: NodeDefinition) -> str:
    """Name a changed type with its added and removed choices, the only sign of new files in the input folder."""
    old_choices, new_choices = _choices_by_name(before), _choices_by_name(now)
    news = []
    for name, new in new_choices.items():
        old = old_choices.get(name, [])
        news += [f"+{choice}" for choice in new if choice not in old]
        news += [f"-{choice}" for choice in old if choice not in new]
    return f"{now.type} ({', '.join(_few(news))})" if news else now.type


def _choices_by_name(definition: NodeDefinition) -> dict[str, list[Scalar]]:
    """Return the choices by input name, which inputs of several options may share."""
    choices: dict[str, list[Scalar]] = {}
    for each in flatten_inputs(definition.inputs):
        choices.setdefault(each.name, []).extend(each.choices or ())
    return choices


def _difference(what: str, previous: Collection[str], current: Collection[str]) -> dict[str, list[str]]:
    old, new = set(previous), set(current)
    changes = {f"new{what}": _few(sorted(new - old)), f"removed{what}": _few(sorted(old - new))}
    return {key: names for key, names in changes.items() if names}


def _files(environment: Environment) -> list[str]:
    return [f"{folder}/{file}" for folder, files in environment.models.items() for file in files]


def _few(names: list[str]) -> list[str]:
    rest = len(names) - _MAX_NAMED
    return names if rest <= 0 else [*names[:_MAX_NAMED], f"… and {rest} more"]


refresh_environment = ServerTool(
    name="refreshEnvironment",
    description="Look again at what is installed.",
    input=NoInput,
    run=run,
    label="Look again at what is installed",
)
