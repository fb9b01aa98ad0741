"""`searchInstalledNodes`: installed node types by words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from ..base.text.amounts import pluralize
from ..base.text.clip import clip_words
from ..comfy.load_failures import match_failures
from ..comfy.node_definition import NodeDefinition, fits
from ..comfy.node_input import flatten_inputs
from ..comfy.search import plain_words_of
from ..comfy.snapshot import Environment
from ..comfy.words import parts
from .fitting import first_that_fit, more_matches
from .input_lines import type_text
from .slim_form import SlimForm
from .tool import ServerTool, ToolResult, ToolServices, failure, success
from .type_facts import heading, remarks, replacement

_MAX_LISTED = 50
_MAX_ABOUT = 120
_NAMES_IN_SUMMARY = 5
_MAX_QUERY = 200
_MOST_NOT_LOADED = 3


class Input(BaseModel):
    query: str
    limit: int = 8
    input_type: str | None = Field(default=None, alias="inputType")
    output_type: str | None = Field(default=None, alias="outputType")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_search, arguments, environment, services)


def _search(arguments: Input, environment: Environment, services: ToolServices) -> ToolResult:
    query = arguments.query[:_MAX_QUERY]
    found = environment.index.find(query, fits=lambda definition: _fits(definition, arguments))
    fitting_nodes = found.definitions
    slots = _slots(arguments)
    matches = environment.index.search(query) if slots and not fitting_nodes else []
    not_loaded = match_failures(parts(query), environment.load_failures)
    if matches:
        return failure(
            f"{_headline(len(matches), '', query, ())}, but none has {slots}.",
            f"Without inputType and outputType the best are {_names(matches, _NAMES_IN_SUMMARY)}.",
        )
    if not fitting_nodes:
        return failure(
            f'None of the {len(environment.nodes):,} installed node types matches "{query}".',
            _not_loaded_words(not_loaded)
            or "Try fewer or other English words. If nothing fits, a node package is missing: tell the user.",
        )
    limit = max(1, min(arguments.limit, _MAX_LISTED))
    with_slots = f" with {slots}" if slots else ""
    headline = _headline(len(fitting_nodes), with_slots, query, found.unnamed)

    def result(nodes: Sequence[dict[str, Any]]) -> ToolResult:
        names = _names(fitting_nodes, min(len(nodes), _NAMES_IN_SUMMARY))
        more = len(fitting_nodes) - len(nodes)
        data: dict[str, Any] = {"nodes": nodes, **more_matches(more, _MAX_LISTED, is_slim=services.is_slim)}
        if not_loaded:
            data["notInstalled"] = not_loaded
        summary = f"{headline}: {names}."
        return success(" ".join(filter(None, (summary, _not_loaded_words(not_loaded)))), data)

    entries = [_entry(one, environment) for one in fitting_nodes[:limit]]
    return first_that_fit(entries, services.room, result)


def _headline(count: int, with_slots: str, query: str, unnamed: Sequence[str]) -> str:
    if unnamed:
        words = " or ".join(f'"{word}"' for word in unnamed)
        return f"No type is named {words}; nearest{with_slots}"
    return f'{pluralize(count, "node type")}{with_slots} {"matches" if count == 1 else "match"} "{query}"'


def _not_loaded_words(types: Mapping[str, str]) -> str:
    told = [f"{node_type} is {why}" for node_type, why in list(types.items())[:_MOST_NOT_LOADED]]
    more = len(types) - len(told)
    return f"Not installed: {'. '.join(told)}{f'. And {more} more' if more else ''}." if told else ""


def _names(definitions: Sequence[NodeDefinition], count: int) -> str:
    names = ", ".join(definition.type for definition in definitions[:count])
    return names if len(definitions) <= count else f"{names}, …"


def _fits(definition: NodeDefinition, arguments: Input) -> bool:
    takes = [slot.type for slot in flatten_inputs(definition.inputs)]
    gives = [output.type for output in definition.outputs]
    return _has(takes, arguments.input_type) and _has(gives, arguments.output_type)


def _has(types: Sequence[str], slot_type: str | None) -> bool:
    return not (slot_type or "").strip() or any(fits(one, slot_type or "") for one in types)


def _slots(arguments: Input) -> str:
    """Return the slot filters in words, such as "MASK input and IMAGE output"."""
    slots = (("input", arguments.input_type), ("output", arguments.output_type))
    return " and ".join(f"{kind} {slot}" for slot, kind in slots if kind)


def _entry(definition: NodeDefinition, environment: Environment) -> dict[str, Any]:
    entry: dict[str, Any] = {**heading(definition)}
    if about := _about(definition, environment):
        entry["about"] = clip_words(about, _MAX_ABOUT)
    slots = flatten_inputs(definition.inputs)
    entry["inputs"] = list(dict.fromkeys(type_text(slot.type) for slot in slots if not slot.is_widget))
    entry["outputs"] = [type_text(output.type) for output in definition.outputs]
    return {**entry, **remarks(definition), **replacement(definition, environment)}


def _about(definition: NodeDefinition, environment: Environment) -> str:
    """Return a description: most of ComfyUI's own types have none, and a help page only where its package is
    installed.
    """
    text = definition.description or environment.help_pages.first_paragraph(definition.type)
    return text or plain_words_of(definition)


search_installed_nodes = ServerTool(
    name="searchInstalledNodes",
    description="Find installed node types by what they do or their name.",
    input=Input,
    run=run,
    label="Search installed nodes {query}",
    slim=SlimForm(),
)
