"""Inputs of node types, including those that bring others: choices with inputs of their own, and inputs that grow."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

COMBO = "COMBO"
DYNAMIC_COMBO, AUTOGROW, MATCH_TYPE = "COMFY_DYNAMICCOMBO_V3", "COMFY_AUTOGROW_V3", "COMFY_MATCHTYPE_V3"
_WIDGET_TYPES = frozenset({"INT", "FLOAT", "STRING", "BOOLEAN", COMBO})
_MOST_GROWN = 100

Scalar = str | int | float | bool

ChoiceLists = dict[tuple[str, ...], tuple[Scalar, ...]]

_MAX_TEXT = 2_000
_MAX_CHOICES = 20_000
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class NodeInput:
    """An input. `choices` is None where it has no choice list, and where the browser fetches the list.

    `options` are the options of a choice that decides which other inputs there are. `grows` is set for an input that
    stands for any number of others, whose `type` is that of one of them. Inputs and outputs with the same `match`
    have the same type, one of those that `type` names.
    """

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
    is_hidden: bool = False
    options: tuple[Option, ...] | None = None
    grows: Growth | None = None
    match: str | None = None


@dataclass(frozen=True)
class Option:
    """An option of a choice, and the inputs that a node has with it, by their full names: `resize_type.width`."""

    key: str
    inputs: tuple[NodeInput, ...]


@dataclass(frozen=True)
class Growth:
    """The full names of the inputs, in order. The first `least` are required, and each of them is like `each`."""

    names: tuple[str, ...]
    least: int
    each: NodeInput


def read_inputs(
    sections: Mapping[str, Any], *, choice_lists: ChoiceLists | None = None, under: str = ""
) -> tuple[NodeInput, ...]:
    """Read the inputs of `{"required": {name: spec}, "optional": {…}}`; `under` is a prefix of their names."""
    return tuple(
        _read_input(
            f"{under}{as_text(name)}", spec, required=section == "required", choice_lists=choice_lists
        )
        for section in ("required", "optional")
        for name, spec in (sections.get(section) or {}).items()
    )


def flatten_inputs(inputs: Iterable[NodeInput]) -> Iterator[NodeInput]:
    """Yield each input, those of its options, and the one that an input grows by."""
    for given in inputs:
        yield given
        for option in given.options or ():
            yield from flatten_inputs(option.inputs)
        if given.grows:
            yield given.grows.each


def expand_slots(inputs: Iterable[NodeInput], values: Mapping[str, Any]) -> Iterator[NodeInput]:
    """Yield the inputs that a node with these values has or can have.

    Of a choice, these are the inputs of the chosen option; an input that grows is replaced by all that it grows to.
    """
    for given in inputs:
        if given.grows is not None:
            for place, name in enumerate(given.grows.names):
                yield replace(given.grows.each, name=name, required=place < given.grows.least)
            continue
        yield given
        chosen = values.get(given.name, given.default)
        for option in given.options or ():
            if option.key == chosen:
                yield from expand_slots(option.inputs, values)


def _read_input(name: str, spec: Any, *, required: bool, choice_lists: ChoiceLists | None) -> NodeInput:
    kind = spec[0] if isinstance(spec, (list, tuple)) and spec else spec
    options = spec[1] if isinstance(spec, (list, tuple)) and len(spec) > 1 else {}
    if not isinstance(options, Mapping):
        options = {}
    plain = _plain_input(name, kind, options, required=required, choice_lists=choice_lists)
    if kind == DYNAMIC_COMBO:
        return _with_options(plain, options, choice_lists)
    if kind == AUTOGROW:
        return _growing(plain, options, choice_lists)
    return _matched(plain, options) if kind == MATCH_TYPE else plain


def _plain_input(
    name: str, kind: Any, options: Mapping[str, Any], *, required: bool, choice_lists: ChoiceLists | None
) -> NodeInput:
    choices = None
    if isinstance(kind, (list, tuple)):
        choices, kind = as_choices(kind, choice_lists), COMBO
    elif kind != DYNAMIC_COMBO and isinstance(options.get("options"), (list, tuple)):
        choices = as_choices(options["options"], choice_lists)
    type_name = as_text(kind)
    return NodeInput(
        name=name,
        type=type_name,
        required=required,
        is_widget=type_name in _WIDGET_TYPES and options.get("forceInput") is not True,
        choices=choices,
        default=as_scalar(options.get("default")),
        minimum=as_number(options.get("min")),
        maximum=as_number(options.get("max")),
        step=as_number(options.get("step")),
        multiline=options.get("multiline") is True,
        tooltip=as_text(options.get("tooltip")),
        is_hidden=options.get("hidden") is True,
    )


def _with_options(plain: NodeInput, spec: Mapping[str, Any], choice_lists: ChoiceLists | None) -> NodeInput:
    given = spec.get("options")
    if not isinstance(given, (list, tuple)) or not given:
        return plain
    options = []
    for option in given:
        key = option.get("key") if isinstance(option, Mapping) else None
        sections = _sections(option.get("inputs")) if isinstance(key, str) else None
        if sections is None:
            return plain
        inputs = read_inputs(sections, choice_lists=choice_lists, under=f"{plain.name}.")
        options.append(Option(as_text(key), inputs))
    keys = tuple(option.key for option in options)
    return replace(
        plain,
        type=COMBO,
        is_widget=True,
        choices=keys,
        default=plain.default if plain.default in keys else keys[0],
        options=tuple(options),
    )


def _growing(plain: NodeInput, spec: Mapping[str, Any], choice_lists: ChoiceLists | None) -> NodeInput:
    template = spec.get("template")
    if not isinstance(template, Mapping):
        return plain
    names, sections, least = _grown_names(template), _sections(template.get("input")), template.get("min", 1)
    if not names or sections is None or type(least) is not int:
        return plain
    section = next((name for name in ("required", "optional") if sections.get(name)), None)
    if section is None:
        return plain
    one = next(iter(sections[section].values()))
    each = _read_input(plain.name, one, required=section == "required", choice_lists=choice_lists)
    if each.options or each.grows:
        return plain
    least = min(max(least, 0), len(names)) if each.required else 0
    return replace(
        plain,
        type=each.type,
        required=plain.required and least > 0,
        is_widget=False,
        grows=Growth(tuple(f"{plain.name}.{name}" for name in names), least, each),
    )


def _grown_names(template: Mapping[str, Any]) -> tuple[str, ...] | None:
    names, prefix, most = template.get("names"), template.get("prefix"), template.get("max", _MOST_GROWN)
    if isinstance(names, (list, tuple)):
        return tuple(map(as_text, names[:_MOST_GROWN]))
    if not isinstance(prefix, str) or type(most) is not int:
        return None
    return tuple(f"{prefix}{number}" for number in range(min(most, _MOST_GROWN)))


def _matched(plain: NodeInput, spec: Mapping[str, Any]) -> NodeInput:
    template = spec.get("template")
    if not isinstance(template, Mapping):
        return plain
    identity, allowed = template.get("template_id"), template.get("allowed_types")
    if not isinstance(identity, str) or not isinstance(allowed, str):
        return plain
    return replace(plain, type=as_text(allowed), match=as_text(identity))


def _sections(inputs: Any) -> Mapping[str, Any] | None:
    """Return the inputs of an option or a template, where they have the form of a node's."""
    if not isinstance(inputs, Mapping):
        return None
    sections = [inputs.get(section) for section in ("required", "optional")]
    return inputs if all(section is None or isinstance(section, Mapping) for section in sections) else None


def as_text(value: Any) -> str:
    """Return a value as text of at most 2,000 characters; a member of a string enumeration by its value, as ComfyUI
    sends it.
    """
    if value is None:
        return ""
    text = str.__str__(value) if isinstance(value, str) else str(value)
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[:_MAX_TEXT] if len(text) > _MAX_TEXT else text)


def as_number(value: Any) -> int | float | None:
    """Return a finite number, else None: packs write infinities as limits, and JSON has none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_scalar(value: Any) -> Scalar | None:
    if isinstance(value, str):
        return as_text(value)
    return value if isinstance(value, bool) else as_number(value)


def as_sequence(value: Any) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, (list, tuple)):
        return value
    return () if value is None else (value,)


def as_choices(values: list[Any] | tuple[Any, ...], known: ChoiceLists | None) -> tuple[Scalar, ...]:
    """Return the choices of a list, from `known` where an equal list was read before.

    Only lists of texts are looked up, since other values can be equal and differ: True equals 1.
    """
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
        scalar = as_scalar(value)
        choices.append(as_text(value) if scalar is None else scalar)
    return tuple(choices)
