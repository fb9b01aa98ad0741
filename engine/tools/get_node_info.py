"""`getNodeInfo`: the exact inputs and outputs of node types."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from ..base.text.clip import clip_line
from ..comfy.node_definition import NodeDefinition
from ..comfy.node_input import Scalar
from ..comfy.sampler_names import common_name, sampler_and_scheduler
from ..comfy.snapshot import Environment
from ..context.results import ResultBudget
from .fitting import first_that_fit
from .input_lines import Tooltips, input_lines, output_lines, scalar_text
from .slim_form import SlimForm
from .tool import ServerTool, ToolResult, ToolServices, failure, success
from .type_facts import heading, remarks, replacement

_MAX_TYPES = 12
_MAX_NAME = 200
_MOST_NAMED = 12
_FIRST_CHOICES = 8
_MAX_CHOICES = 40
_MAX_DESCRIPTION = 300


@dataclass(frozen=True)
class _Whole:
    """The limits of a choice list that is shown whole, and the remark behind the first choices of a longer one."""

    choices: int
    characters: int
    more: str = " (search them with the argument choices)"


_MANY_INPUTS = ResultBudget(400)
_USUALLY, _WITH_ROOM = _Whole(12, 240), _Whole(24, 1_000)


def _as_list(value: Any) -> Any:
    """Accept one name, several names with commas, or a list as JSON text: models send all three."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return [value]
    return [name.strip() for name in value.split(",") if name.strip()]


class Input(BaseModel):
    types: Annotated[list[str], BeforeValidator(_as_list)]
    choices: str | None = Field(default=None, description="PromptSource to search in long choice lists.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_look_up, arguments, environment, services)


def _look_up(arguments: Input, environment: Environment, services: ToolServices) -> ToolResult:
    names = list(dict.fromkeys(name.strip()[:_MAX_NAME] for name in arguments.types if name.strip()))
    if not names:
        return failure(
            "getNodeInfo got no node type.", "Pass types; searchInstalledNodes finds them by words."
        )
    definitions: dict[str, NodeDefinition] = {}
    unknown: dict[str, list[str]] = {}
    for name in names[:_MAX_TYPES]:
        definition = _resolve(name, environment)
        if definition is not None:
            definitions[definition.type] = definition
        else:
            unknown[name] = environment.index.closest(name)
    if not definitions:
        return _nothing_known(unknown, environment)
    unreadable = [name for name in unknown if name in environment.unreadable]
    absent = {name: closest for name, closest in unknown.items() if name not in unreadable}
    is_alone = len(names) == 1

    def nodes(whole: _Whole) -> list[dict[str, Any]]:
        return [
            {
                **_described(definition, arguments.choices, whole, is_alone=is_alone),
                **_taken_objects(definition, environment, arguments.choices, whole),
                **replacement(definition, environment),
            }
            for definition in definitions.values()
        ]

    def result(shown_nodes: Sequence[dict[str, Any]]) -> ToolResult:
        shown = [node["type"] for node in shown_nodes]
        data: dict[str, Any] = {"nodes": shown_nodes}
        summary = f"Described {', '.join(shown)}."
        if absent:
            data["notInstalled"] = {
                name: {**_why(name, environment), "closest": closest} for name, closest in absent.items()
            }
            summary += f" Not installed: {', '.join(absent)}."
        if unreadable:
            data["unreadable"] = unreadable
            summary += f" Installed, but not described by its package: {', '.join(unreadable)}."
        if not_shown := [*list(definitions)[len(shown) :], *names[_MAX_TYPES:]]:
            data["notShown"] = not_shown
            summary += f" Not shown: {_few(not_shown)}."
            data["hint"] = "Ask for the others in another call."
        return success(summary, data)

    room = services.room
    usually, with_room = (
        replace(each, more="") if services.is_slim else each for each in (_USUALLY, _WITH_ROOM)
    )
    full = nodes(with_room)
    if ResultBudget(room.tokens // 2).holds(result(full)):
        return result(full)
    return first_that_fit(nodes(usually), room, result)


def _few(names: Sequence[str]) -> str:
    """Name at most twelve, so that the summary stays one line; the data names all."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _resolve(name: str, environment: Environment) -> NodeDefinition | None:
    """Return the type of this name, else the only one whose name differs by case and blanks."""
    if (exact := environment.node(name)) is not None:
        return exact
    alike = environment.index.find_by_name(name)
    current = [definition for definition in alike if not definition.is_deprecated] or alike
    same_type = [definition for definition in current if definition.type.casefold() == name.casefold()]
    if len(same_type) == 1:
        return same_type[0]
    return current[0] if len(current) == 1 else None


def _nothing_known(unknown: dict[str, list[str]], environment: Environment) -> ToolResult:
    names = ", ".join(f'"{name}"' for name in unknown)
    unreadable_types = [name for name in unknown if name in environment.unreadable]
    if unreadable_types:
        return failure(
            f"{', '.join(unreadable_types)} is installed, but its package fails to describe it.",
            "Use another node type, or tell the user to update or repair that package.",
        )
    reasons = [
        f"{node_type} is {why}"
        for name in unknown
        for node_type, why in environment.failures_of(name).items()
    ]
    if reasons:
        return failure(
            f"Not installed: {'. '.join(reasons)}",
            "Tell the user; until that is mended, use another type.",
        )
    closest = list(dict.fromkeys(match for matches in unknown.values() for match in matches))[:6]
    suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
    return failure(f"Not installed: {names}.", f"{suggestion}searchInstalledNodes finds types by words.")


def _why(name: str, environment: Environment) -> dict[str, str]:
    reason = next(iter(environment.failures_of(name).values()), None)
    return {"why": reason} if reason else {}


def _described(
    definition: NodeDefinition, choices: str | None, whole: _Whole, *, is_alone: bool
) -> dict[str, Any]:
    """Describe a type; a single one with its tooltips, or with as many as there is room for where its choices bring
    many inputs.
    """
    if not is_alone:
        return _describe(definition, choices, whole, "none")
    if not any(given.options or given.grows for given in definition.inputs):
        return _describe(definition, choices, whole, "all")
    levels: tuple[Tooltips, ...] = ("all", "own", "none")
    described = (_describe(definition, choices, whole, tooltips) for tooltips in levels)
    return next(
        (one for one in described if _MANY_INPUTS.holds(one)), _describe(definition, choices, whole, "none")
    )


def _describe(
    definition: NodeDefinition, choices: str | None, whole: _Whole, tooltips: Tooltips
) -> dict[str, Any]:
    description: dict[str, Any] = {**heading(definition)}
    if definition.description:
        description["description"] = clip_line(definition.description, _MAX_DESCRIPTION)
    for key, is_required in (("inputs", True), ("optionalInputs", False)):
        fields = input_lines(
            definition,
            required=is_required,
            choice_list=lambda listed: _choice_list(listed, choices, whole),
            tooltips=tooltips,
        )
        if fields or is_required:
            description[key] = fields
    description["outputs"] = output_lines(definition)
    if definition.is_output:
        description["isOutputNode"] = True
    return {**description, **remarks(definition)}


def _taken_objects(
    definition: NodeDefinition, environment: Environment, choices: str | None, whole: _Whole
) -> dict[str, Any]:
    """Return `{"moreWidgets": {"lora_1": …}}` for the widgets that the page adds and no definition has."""
    taken = environment.taken_objects.get(definition.type)
    if taken is None:
        return {}
    files = [
        f" {part}: {_choice_list(node_input.choices, choices, whole)}."
        for part, node_type, name in taken.files
        if (loader := environment.node(node_type))
        for node_input in loader.inputs
        if node_input.name == name and node_input.choices is not None
    ]
    line = (
        f"any number of widgets {taken.name}, {_next_name(taken.name)}, …, set as others are, each an object as "
        f"{taken.example}; parts left out are as here.{''.join(files)}"
    )
    return {"moreWidgets": {taken.name: line}}


def _next_name(first: str) -> str:
    """Return `lora_2` for `lora_1`."""
    stem, _, number = first.rpartition("_")
    return f"{stem}_{int(number) + 1}" if number.isdecimal() else first


def _choice_list(choices: tuple[Scalar, ...], query: str | None, whole: _Whole) -> str:
    texts = [scalar_text(choice) for choice in choices]
    if not texts:
        return "COMBO without any choice here: no file is installed for it, or each node has its own choices"
    if len(texts) <= whole.choices and sum(map(len, texts)) <= whole.characters:
        return f"one of: {', '.join(texts)}"
    if query:
        return _matching_choices(texts, query)
    first = ", ".join(texts[:_FIRST_CHOICES])
    return f"one of {len(texts):,}: {first}, …{whole.more}"


def _matching_choices(texts: list[str], query: str) -> str:
    words = query.casefold().split()
    matches = [choice for choice in texts if all(word in choice.casefold() for word in words)]
    if not matches and (both := sampler_and_scheduler(query, texts)):
        return f'one of {len(texts):,}; "{query}" is sampler_name {both[0]}, scheduler {both[1]}'
    matches = matches or [
        choice for choice in texts if common_name(query) and common_name(query) in common_name(choice)
    ]
    if not matches:
        closest = get_close_matches(query, texts, n=5, cutoff=0.4)
        near = f"; closest: {', '.join(closest)}" if closest else ""
        return f'one of {len(texts):,}, none with "{query}"{near}'
    more = (
        f", and {len(matches) - _MAX_CHOICES} more: narrow choices with more words"
        if len(matches) > _MAX_CHOICES
        else ""
    )
    first = ", ".join(matches[:_MAX_CHOICES])
    return f'one of {len(texts):,}, with "{query}": {first}{more}'


get_node_info = ServerTool(
    name="getNodeInfo",
    description="Show the exact inputs, limits, choices and outputs of node types.",
    input=Input,
    run=run,
    label="Look up node {types}",
    slim=SlimForm(),
)
