"""A node type's inputs and outputs as lines, each by its full name, with the choices that bring it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Literal

from ..base.text.clip import clip_line
from ..comfy.node_definition import ANY, NodeDefinition, NodeOutput
from ..comfy.node_input import Growth, NodeInput, Scalar

Tooltips = Literal["all", "own", "none"]
"""The inputs with tooltips: all, only those that no choice brings ("own"), or none."""
ChoiceList = Callable[[tuple[Scalar, ...]], str]
_Path = tuple[tuple[str, str], ...]
"""The choices that bring an input, outermost first: `(("format", "mp4"), ("format.codec", "h264"))`."""
_MAX_TOOLTIP = 120
_LARGE = 1e15


def input_lines(
    definition: NodeDefinition, *, required: bool, choice_list: ChoiceList, tooltips: Tooltips
) -> dict[str, str]:
    """Return the lines of the required or optional inputs by name; each choice is followed by the inputs that it
    brings.
    """
    found: dict[str, dict[str, list[_Path]]] = {}
    """Lines by name, each with the choices that bring it."""
    told: dict[tuple[str, str], str] = {}
    """Tooltips by name and line; the first where options have several."""
    possible: dict[str, list[_Path]] = {}

    def add(given: NodeInput, path: _Path) -> None:
        line = _line(given, definition, choice_list, is_inner=bool(path))
        name = _names(given.grows) if given.grows else given.name
        if tooltips == "all" or (tooltips == "own" and not path):
            told.setdefault((name, line), given.tooltip)
        found.setdefault(name, {}).setdefault(line, []).append(path)
        for option in given.options or ():
            inner = (*path, (given.name, option.key))
            possible.setdefault(given.name, []).append(inner)
            for each in option.inputs:
                add(each, inner)

    for given in definition.inputs:
        if given.required is required and not given.is_hidden:
            add(given, ())
    return {
        name: "; ".join(
            _under(_condition(paths, possible), line, told.get((name, line), ""))
            for line, paths in variants.items()
        )
        for name, variants in found.items()
    }


def output_lines(definition: NodeDefinition) -> list[str]:
    return [_output_line(output, definition) for output in definition.outputs]


def scalar_text(value: Scalar) -> str:
    """Return a value as short as a model may write it, in quotation marks where its limits would be unclear."""
    if isinstance(value, bool):
        return "true" if value else "false"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _LARGE
    text = str(int(value) if is_whole else value)
    is_plain = text and text == text.strip() and "," not in text
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _under(condition: str, line: str, tooltip: str) -> str:
    about = f"{line}. {clip_line(tooltip, _MAX_TOOLTIP)}" if tooltip else line
    return f"with {condition}: {about}" if condition else about


def _condition(paths: Sequence[_Path], possible: dict[str, list[_Path]]) -> str:
    """Return the fewest innermost choices that distinguish these paths from all others; "" without others."""
    if not all(paths):
        return ""
    here = set(paths)
    others = set(possible[paths[0][-1][0]]) - here
    if not others:
        return ""
    depth = next(
        (
            levels
            for levels in range(1, len(paths[0]))
            if {path[-levels:] for path in here}.isdisjoint(path[-levels:] for path in others)
        ),
        len(paths[0]),
    )
    told = list(dict.fromkeys(path[-depth:] for path in paths))
    keys = [list(dict.fromkeys(step[level] for step in told)) for level in range(depth)]
    if depth == 1:
        missing = list(dict.fromkeys(path[-1][1] for path in others))
        keys_there = [key for [(_, key)] in told]
        if len(missing) < len(keys_there):
            return f"all but {_either(missing)}"
        return _either(keys_there)
    if len(told) == len(list(product(*keys))):
        return " and ".join(f"{_own(level[0][0])} {_either([key for _, key in level])}" for level in keys)
    return " or ".join(
        " and ".join(f"{_own(name)} {scalar_text(key)}" for name, key in step) for step in told
    )


def _either(keys: Sequence[str]) -> str:
    texts = [scalar_text(key) for key in keys]
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _own(name: str) -> str:
    return name.rpartition(".")[2]


def _line(
    given: NodeInput,
    definition: NodeDefinition,
    choice_list: ChoiceList,
    *,
    is_inner: bool,
) -> str:
    one = given.grows.each if given.grows else given
    parts = [type_text(one.type) if one.choices is None else choice_list(one.choices)]
    if one.type in ("INT", "FLOAT", "STRING", "BOOLEAN") and not one.is_widget:
        parts.append("link only")
    if one.minimum is not None and one.maximum is not None:
        parts.append(f"{scalar_text(one.minimum)} to {scalar_text(one.maximum)}")
    if one.type == "INT" and one.step not in (None, 1):
        parts.append(f"in steps of {one.step}")
    is_first_option = bool(one.options and one.default == one.options[0].key)
    if one.default not in (None, "") and one.is_widget and not is_first_option:
        parts.append(f"default {clip_line(scalar_text(one.default), 80)}")
    if one.match is not None:
        parts += _shared(given, one.match, definition)
    if given.grows:
        parts.append(f"at least {given.grows.least}" if given.grows.least else "any number")
    elif is_inner and not given.required and not given.is_widget:
        parts.append("optional")
    return ", ".join(parts)


def _shared(given: NodeInput, match: str, definition: NodeDefinition) -> list[str]:
    others = [name for name in _matching(definition.inputs, match) if not _is_of(name, given)]
    own = ["all the same"] if given.grows else []
    return [*own, *([f"the same as {' and '.join(others)}"] if others else [])]


def _is_of(name: str, given: NodeInput) -> bool:
    return name == (given.grows.names[0] if given.grows else given.name)


def _matching(inputs: Iterable[NodeInput], match: str) -> list[str]:
    """Return the names of the inputs with this `match`; of an input that grows, the first."""
    found = []
    for given in inputs:
        if given.grows and given.grows.each.match == match:
            found.append(given.grows.names[0])
        elif given.match == match:
            found.append(given.name)
        found += [name for option in given.options or () for name in _matching(option.inputs, match)]
    return list(dict.fromkeys(found))


def _output_line(output: NodeOutput, definition: NodeDefinition) -> str:
    kind = type_text(output.type)
    if output.match is not None:
        kind = f"same type as {' and '.join(_matching(definition.inputs, output.match))}"
    line = kind if output.name == output.type else f"{output.name}: {kind}"
    return f"{line} (list)" if output.is_list else line


def type_text(slot: str) -> str:
    """Return a slot type in words: `IMAGE or MASK`."""
    types = [one.strip() for one in slot.split(",")]
    if types == [ANY]:
        return "any type"
    return " or ".join(filter(None, (", ".join(types[:-1]), types[-1])))


def _names(growth: Growth) -> str:
    """Return the names of inputs that grow: `images.image0 … images.image49` for a run."""
    first, last = growth.names[0], growth.names[-1]
    if len(growth.names) <= 3 or not _is_run(growth.names):
        return ", ".join(growth.names)
    return f"{first} … {last}"


def _is_run(names: Sequence[str]) -> bool:
    """Return whether names are numbered without a gap, or named by the letters of the alphabet."""
    stem = names[0].rstrip("0123456789")
    start = names[0][len(stem) :]
    if start:
        return all(name == f"{stem}{int(start) + place}" for place, name in enumerate(names))
    return all(name == f"{stem[:-1]}{chr(ord(stem[-1]) + place)}" for place, name in enumerate(names))
