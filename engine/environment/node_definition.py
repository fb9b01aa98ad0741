"""Node types as plain values, read from definitions of the form that ComfyUI's /object_info has."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .price import price_of

Scalar = str | int | float | bool

ChoiceLists = dict[tuple[str, ...], tuple[Scalar, ...]]

COMBO = "COMBO"
_WIDGET_TYPES = frozenset({"INT", "FLOAT", "STRING", "BOOLEAN", COMBO})
_MAX_TEXT = 2_000
_MAX_CHOICES = 20_000
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class NodeInput:
    """`choices` is None for an input that is no choice list, and for a list that the browser fetches."""

    name: str
    type: str
    required: bool
    is_widget: bool
    choices: tuple[Scalar, ...] | None = None
    default: Scalar | None = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | float | None = None
    multiline: bool = False
    tooltip: str = ""


@dataclass(frozen=True)
class NodeOutput:
    name: str
    type: str
    is_list: bool = False


@dataclass(frozen=True)
class TakenObject:
    """What a node takes any number of, each by a widget that the page makes for it.

    `name` is the first one's, `example` the JSON of what it holds. `files` are the inputs that list the files of its
    parts: `("lora", "LoraLoader", "lora_name")`.
    """

    name: str
    example: str
    files: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class NodeDefinition:
    """`package` is the custom node package that brings the node; None for ComfyUI's own nodes.

    `search_aliases` are other names that newer ComfyUI and packages give a node for searches. `price` is "" for what
    is free, else such as "paid, $0.06/Run".
    `is_page_only` marks what the page alone has: it helps to wire and to switch there, and is never run.
    `is_basic` marks the nodes of ComfyUI's oldest module, the ones that most workflows are made of.
    """

    type: str
    display_name: str
    category: str
    description: str
    inputs: tuple[NodeInput, ...]
    outputs: tuple[NodeOutput, ...]
    package: str | None = None
    is_basic: bool = False
    is_page_only: bool = False
    is_output: bool = False
    is_deprecated: bool = False
    is_experimental: bool = False
    search_aliases: tuple[str, ...] = ()
    price: str = ""
    taken_object: TakenObject | None = None


def read_node_definition(
    node_type: str,
    info: Mapping[str, Any],
    *,
    choice_lists: ChoiceLists | None = None,
) -> NodeDefinition:
    """Read one entry of /object_info. Raises what the entry's mistakes raise: packs write anything there.

    `choice_lists` keeps equal lists of texts, which are read once: dozens of loaders list the same thousand files.
    """
    inputs = info.get("input") or {}
    return NodeDefinition(
        type=node_type,
        display_name=_text(info.get("display_name")) or node_type,
        category=_text(info.get("category")),
        description=_text(info.get("description")),
        inputs=tuple(
            _read_input(name, spec, required=section == "required", choice_lists=choice_lists)
            for section in ("required", "optional")
            for name, spec in (inputs.get(section) or {}).items()
        ),
        outputs=_read_outputs(info),
        package=_package(info.get("python_module")),
        is_basic=info.get("python_module") == "nodes",
        is_output=info.get("output_node") is True,
        is_deprecated=info.get("deprecated") is True,
        is_experimental=info.get("experimental") is True,
        price=_text(price_of(info)),
        search_aliases=tuple(map(_text, _sequence(info.get("search_aliases")))),
    )


def _read_input(name: str, spec: Any, *, required: bool, choice_lists: ChoiceLists | None) -> NodeInput:
    kind = spec[0] if isinstance(spec, (list, tuple)) and spec else spec
    options = spec[1] if isinstance(spec, (list, tuple)) and len(spec) > 1 else {}
    if not isinstance(options, Mapping):
        options = {}
    choices = None
    if isinstance(kind, (list, tuple)):
        choices, kind = _choices(kind, choice_lists), COMBO
    elif isinstance(options.get("options"), (list, tuple)):
        choices = _choices(options["options"], choice_lists)
    type_name = _text(kind)
    return NodeInput(
        name=_text(name),
        type=type_name,
        required=required,
        is_widget=type_name in _WIDGET_TYPES and options.get("forceInput") is not True,
        choices=choices,
        default=_scalar(options.get("default")),
        minimum=_number(options.get("min")),
        maximum=_number(options.get("max")),
        step=_number(options.get("step")),
        multiline=options.get("multiline") is True,
        tooltip=_text(options.get("tooltip")),
    )


def _read_outputs(info: Mapping[str, Any]) -> tuple[NodeOutput, ...]:
    types = _sequence(info.get("output"))
    names = _sequence(info.get("output_name"))
    lists = _sequence(info.get("output_is_list"))
    outputs = []
    for index, kind in enumerate(types):
        type_name = COMBO if isinstance(kind, (list, tuple)) else _text(kind)
        name = names[index] if index < len(names) and isinstance(names[index], str) else type_name
        is_list = index < len(lists) and lists[index] is True
        outputs.append(NodeOutput(name=_text(name) or type_name, type=type_name, is_list=is_list))
    return tuple(outputs)


def _sequence(value: Any) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, (list, tuple)):
        return value
    return () if value is None else (value,)


def _choices(values: list[Any] | tuple[Any, ...], known: ChoiceLists | None) -> tuple[Scalar, ...]:
    """Only of texts it is known by equality that they are the same: True equals 1."""
    if known is None or set(map(type, values)) != {str}:
        return _read_choices(values)
    raw = tuple(values)
    found = known.get(raw)
    if found is None:
        found = known[raw] = _read_choices(values)
    return found


def _read_choices(values: list[Any] | tuple[Any, ...]) -> tuple[Scalar, ...]:
    choices = []
    for value in values[:_MAX_CHOICES]:
        scalar = _scalar(value)
        choices.append(_text(value) if scalar is None else scalar)
    return tuple(choices)


def _scalar(value: Any) -> Scalar | None:
    if isinstance(value, str):
        return _text(value)
    return value if isinstance(value, bool) else _number(value)


def _number(value: Any) -> int | float | None:
    """Packs write infinities as limits; JSON has none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = str(value)
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[:_MAX_TEXT] if len(text) > _MAX_TEXT else text)


def _package(python_module: Any) -> str | None:
    parent, _, name = str(python_module or "").partition(".")
    return name or None if parent == "custom_nodes" else None
