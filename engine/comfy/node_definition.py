"""Node types, as an entry of ComfyUI's `/object_info` or its page describes them, with the price of a paid one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from .node_input import (
    COMBO,
    MATCH_TYPE,
    ChoiceLists,
    NodeInput,
    as_sequence,
    as_text,
    expand_slots,
    flatten_inputs,
    read_inputs,
)

_NO_VALUES: Mapping[str, Any] = MappingProxyType({})

PAID = "paid"

_MOST_TYPES = 500
_LONGEST_EXAMPLE = 500

ANY = "*"


@dataclass(frozen=True)
class NodeOutput:
    """An output. One with a `match` has the type of the inputs with the same `match`, one of those in `type`."""

    name: str
    type: str
    is_list: bool = False
    match: str | None = None


@dataclass(frozen=True)
class TakenObject:
    """An object that a node takes any number of, each by a widget that the page adds.

    `name` is that of the first, `example` its JSON. `files` are the inputs that list the files of its parts:
    `("lora", "LoraLoader", "lora_name")`.
    """

    name: str
    example: str
    files: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class NodeDefinition:
    """A node type. `package` is the custom node package that brings it; None for ComfyUI's own nodes.

    `search_aliases` are further names for searches, by newer ComfyUI and packages. `price` is "" where free, else
    such as "paid, $0.06/Run". `is_page_only` marks a type that only the page has: it helps to wire and to switch
    there, and never runs. `is_basic` marks the nodes of ComfyUI's oldest module, which most workflows are made of.
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

    def slots(self, values: Mapping[str, Any] = _NO_VALUES) -> Iterator[NodeInput]:
        """Yield each input that a node of this type has with these values, or that can grow on it."""
        return expand_slots(self.inputs, values)


def read_node_definition(
    node_type: str,
    info: Mapping[str, Any],
    *,
    choice_lists: ChoiceLists | None = None,
) -> NodeDefinition:
    """Read an entry of /object_info.

    `choice_lists` caches lists of texts, so that equal lists are read once: dozens of loaders list the same thousand
    files.

    Raises:
        Exception: whatever the entry's mistakes raise, since packs write anything there.
    """
    inputs = read_inputs(info.get("input") or {}, choice_lists=choice_lists)
    return NodeDefinition(
        type=node_type,
        display_name=as_text(info.get("display_name")) or node_type,
        category=as_text(info.get("category")),
        description=as_text(info.get("description")),
        inputs=inputs,
        outputs=_read_outputs(info, inputs),
        package=_package(info.get("python_module")),
        is_basic=info.get("python_module") == "nodes",
        is_output=info.get("output_node") is True,
        is_deprecated=info.get("deprecated") is True,
        is_experimental=info.get("experimental") is True,
        price=as_text(price_of(info)),
        search_aliases=tuple(map(as_text, as_sequence(info.get("search_aliases")))),
    )


def _read_outputs(info: Mapping[str, Any], inputs: Iterable[NodeInput]) -> tuple[NodeOutput, ...]:
    names, lists, matches = (
        as_sequence(info.get(key)) for key in ("output_name", "output_is_list", "output_matchtypes")
    )
    allowed = {given.match: given.type for given in flatten_inputs(inputs) if given.match is not None}
    outputs = []
    for index, kind in enumerate(as_sequence(info.get("output"))):
        type_name = COMBO if isinstance(kind, (list, tuple)) else as_text(kind)
        name = names[index] if index < len(names) and isinstance(names[index], str) else type_name
        is_list = index < len(lists) and lists[index] is True
        match = matches[index] if index < len(matches) and isinstance(matches[index], str) else None
        if type_name != MATCH_TYPE or match not in allowed:
            match = None
        else:
            type_name = allowed[match]
        outputs.append(NodeOutput(as_text(name) or type_name, type_name, is_list, match))
    return tuple(outputs)


def _package(python_module: Any) -> str | None:
    parent, _, name = str(python_module or "").partition(".")
    return name or None if parent == "custom_nodes" else None


def is_paid(info: Mapping[str, Any]) -> bool:
    """Return whether the node type of this /object_info entry is paid from the user's ComfyUI account.

    Some nodes that only hand something to a paid one lack the mark, but lie in ComfyUI's modules for paid nodes.
    """
    return info.get("api_node") is True or str(info.get("python_module")).startswith("comfy_api_nodes.")


def price_of(info: Mapping[str, Any]) -> str:
    """Return the price by an entry of /object_info, such as "paid, $0.06/Run"; "" where it is free.

    ComfyUI's frontend computes the price from an expression and the node's values. Here only an expression without
    values is evaluated; of any other, the inputs that it depends on are named.
    """
    if not is_paid(info):
        return ""
    badge = info.get("price_badge")
    if not isinstance(badge, Mapping):
        return PAID
    if price := _constant(badge.get("expr")):
        return f"{PAID}, {price}"
    depends_on = badge.get("depends_on")
    widgets = depends_on.get("widgets") if isinstance(depends_on, Mapping) else None
    names = [
        str(widget["name"]) for widget in widgets or () if isinstance(widget, Mapping) and "name" in widget
    ]
    return f"{PAID}, by {', '.join(names)}" if names else PAID


def _constant(expression: object) -> str:
    try:
        price = json.loads(str(expression))
    except ValueError:
        return ""
    if not isinstance(price, Mapping):
        return ""
    if price.get("type") == "text":
        return str(price.get("text") or "")
    form = price.get("format")
    form = form if isinstance(form, Mapping) else {}
    amounts = [price.get(name) for name in ("usd", "min_usd", "max_usd") if name in price]
    numbers = [amount for amount in amounts if isinstance(amount, (int, float))]
    if not numbers or len(numbers) != len(amounts):
        return ""
    about = "~" if form.get("approximate") else ""
    note = f" {form['note']}" if form.get("note") else ""
    return f"{about}{'-'.join(f'${number:g}' for number in numbers)}{form.get('suffix', '/Run')}{note}"


def read_page_types(posted: Sequence[Any]) -> tuple[NodeDefinition, ...]:
    """Read entries in the form of /object_info with a `name`; malformed entries are left out.

    A type that takes any number of objects has `objects`, as `{"lora_1": {…}}`, and `files`, as `{"lora":
    "LoraLoader.lora_name"}`.
    """
    definitions: dict[str, NodeDefinition] = {}
    for info in posted[:_MOST_TYPES]:
        name = info.get("name") if isinstance(info, Mapping) else None
        if not isinstance(name, str) or not name:
            continue
        try:
            definitions[name] = replace(
                read_node_definition(name, info), is_page_only=True, taken_object=_taken_object(info)
            )
        except (AttributeError, TypeError, ValueError):
            continue
    return tuple(definitions.values())


def _taken_object(info: Mapping[str, Any]) -> TakenObject | None:
    """Return the object that a type takes, if any.

    Raises:
        Exception: whatever the entry's mistakes raise.
    """
    for name, value in (info.get("objects") or {}).items():
        example = json.dumps(value, ensure_ascii=False)
        if not isinstance(value, Mapping) or len(example) > _LONGEST_EXAMPLE:
            continue
        files = [
            (part, *listed.split(".", 1))
            for part, listed in (info.get("files") or {}).items()
            if part in value
        ]
        return TakenObject(name, example, tuple(files))
    return None


def types_of(slot: str) -> frozenset[str]:
    """Return the types that a slot names, in upper case."""
    return frozenset(one.strip().upper() for one in slot.split(","))


def shares_type(one: str, other: str) -> bool:
    """Return whether both slots name a common type, without regard to `*`."""
    return one == other or not types_of(one).isdisjoint(types_of(other))


def fits(one: str, other: str) -> bool:
    """Return whether an output fits an input: a common type, or `*` on either side."""
    return shares_type(one, other) or ANY in types_of(one) | types_of(other)
