"""getNodeInfo: the exact inputs and outputs of node types."""

from __future__ import annotations

import asyncio
import json
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from ..environment.node_definition import NodeDefinition, NodeInput, NodeOutput, Scalar
from ..environment.snapshot import Environment
from .slim_form import SlimForm
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_TYPES = 12
_MAX_NAME = 200
_FEW_CHOICES = 12
_FEW_CHARACTERS = 240
_FIRST_CHOICES = 8
_MAX_CHOICES = 40
_MAX_DESCRIPTION = 300
_MAX_TOOLTIP = 120


def _as_list(value: Any) -> Any:
    """One name, several names with commas, or a list written as JSON text: models send all three."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return [value]
    return [name.strip() for name in value.split(",") if name.strip()]


class Input(BaseModel):
    types: Annotated[list[str], BeforeValidator(_as_list)] = Field(description="Node types.")
    choices: str | None = Field(default=None, description="Words to search in long choice lists.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_look_up, arguments, environment)


def _look_up(arguments: Input, environment: Environment) -> ToolResult:
    asked = list(dict.fromkeys(name.strip()[:_MAX_NAME] for name in arguments.types if name.strip()))
    if not asked:
        return failure(
            "getNodeInfo got no node type.", "Pass types; searchInstalledNodes finds them by words."
        )
    known: dict[str, NodeDefinition] = {}
    unknown: dict[str, list[str]] = {}
    for name in asked[:_MAX_TYPES]:
        definition = _resolved(name, environment)
        if definition is not None:
            known[definition.type] = definition
        else:
            unknown[name] = environment.index.closest(name)
    if not known:
        return _nothing_known(unknown, environment)
    with_tooltips = len(asked) == 1
    nodes = [
        _described(definition, choices=arguments.choices, with_tooltips=with_tooltips)
        for definition in known.values()
    ]
    data: dict[str, Any] = {"nodes": nodes}
    summary = f"Described {', '.join(known)}."
    if unknown:
        data["notInstalled"] = {name: {"closest": closest} for name, closest in unknown.items()}
        summary += f" Not installed: {', '.join(unknown)}."
    if len(asked) > _MAX_TYPES:
        data["notShown"] = asked[_MAX_TYPES:]
        data["hint"] = f"At most {_MAX_TYPES} types in one call: ask for the others in another."
    return success(summary, data)


def _resolved(name: str, environment: Environment) -> NodeDefinition | None:
    """By its type, else by a name that only one type has, but for case and spaces."""
    if name in environment.nodes:
        return environment.nodes[name]
    alike = environment.index.find_by_name(name)
    current = [definition for definition in alike if not definition.is_deprecated] or alike
    same_type = [definition for definition in current if definition.type.casefold() == name.casefold()]
    if len(same_type) == 1:
        return same_type[0]
    return current[0] if len(current) == 1 else None


def _nothing_known(unknown: dict[str, list[str]], environment: Environment) -> ToolResult:
    names = ", ".join(f'"{name}"' for name in unknown)
    broken = [name for name in unknown if name in environment.unreadable]
    if broken:
        return failure(
            f"{', '.join(broken)} is installed, but its package fails to describe it.",
            "Use another node type, or tell the user to update or repair that package.",
        )
    closest = list(dict.fromkeys(match for matches in unknown.values() for match in matches))[:6]
    meant = f"Closest: {', '.join(closest)}. " if closest else ""
    return failure(f"Not installed: {names}.", f"{meant}searchInstalledNodes finds types by words.")


def _described(definition: NodeDefinition, *, choices: str | None, with_tooltips: bool) -> dict[str, Any]:
    described: dict[str, Any] = {"type": definition.type}
    if definition.display_name != definition.type:
        described["name"] = definition.display_name
    described["category"] = definition.category
    if definition.description:
        described["description"] = _clipped(definition.description, _MAX_DESCRIPTION)
    for key, required in (("inputs", True), ("optionalInputs", False)):
        fields = {
            given.name: _input_line(given, choices=choices, with_tooltip=with_tooltips)
            for given in definition.inputs
            if given.required is required
        }
        if fields or required:
            described[key] = fields
    described["outputs"] = [_output_line(output) for output in definition.outputs]
    if definition.is_output:
        described["isOutputNode"] = True
    if definition.package:
        described["package"] = definition.package
    if definition.is_deprecated:
        described["deprecated"] = True
    return described


def _input_line(given: NodeInput, *, choices: str | None, with_tooltip: bool) -> str:
    parts = [given.type if given.choices is None else _choice_list(given.choices, choices)]
    if given.type in ("INT", "FLOAT", "STRING", "BOOLEAN") and not given.is_widget:
        parts.append("link only")
    if given.minimum is not None and given.maximum is not None:
        parts.append(f"{given.minimum} to {given.maximum}")
    if given.type == "INT" and given.step not in (None, 1):
        parts.append(f"in steps of {given.step}")
    if given.default not in (None, ""):
        parts.append(f"default {_clipped(_written(given.default), 80)}")
    line = ", ".join(parts)
    return f"{line}. {_clipped(given.tooltip, _MAX_TOOLTIP)}" if with_tooltip and given.tooltip else line


def _choice_list(choices: tuple[Scalar, ...], wanted: str | None) -> str:
    written = [_written(choice) for choice in choices]
    if not written:
        return "COMBO without any choice: nothing is installed for it"
    if len(written) <= _FEW_CHOICES and sum(map(len, written)) <= _FEW_CHARACTERS:
        return f"one of: {', '.join(written)}"
    if wanted:
        return _matching(written, wanted)
    first = ", ".join(written[:_FIRST_CHOICES])
    return f"one of {len(written):,}: {first}, … (search them with the argument choices)"


def _matching(written: list[str], wanted: str) -> str:
    words = wanted.casefold().split()
    matches = [choice for choice in written if all(word in choice.casefold() for word in words)]
    if not matches:
        closest = get_close_matches(wanted, written, n=5, cutoff=0.4)
        near = f"; closest: {', '.join(closest)}" if closest else ""
        return f'one of {len(written):,}, none with "{wanted}"{near}'
    more = f", and {len(matches) - _MAX_CHOICES} more" if len(matches) > _MAX_CHOICES else ""
    shown = ", ".join(matches[:_MAX_CHOICES])
    return f'one of {len(written):,}, with "{wanted}": {shown}{more}'


def _output_line(output: NodeOutput) -> str:
    line = output.type if output.name == output.type else f"{output.name}: {output.type}"
    return f"{line} (list)" if output.is_list else line


def _written(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if "," in text or text != text.strip() or not text else text


def _clipped(text: str, length: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


get_node_info = ServerTool(
    name="getNodeInfo",
    description="Show the exact inputs, limits, choices and outputs of node types.",
    input=Input,
    run=run,
    label="Look up node {types}",
    slim=SlimForm(),
)
