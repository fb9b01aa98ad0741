"""Accidents of a workflow in ComfyUI's page that nobody knows how to mend: cut, removed, switched off, mistyped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.host.bridge import Bridge
from tests.host.template_damage import Definitions, Prompt, page_call

Accident = Callable[[Bridge, Prompt, Definitions, Random], bool]


def cut_link(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    return _on_one(
        bridge,
        random,
        [
            [node, name]
            for node, entry in prompt.items()
            for name in definitions[entry["class_type"]]["input"].get("required", {})
            if isinstance(entry["inputs"].get(name), list)
        ],
        """const node = nodeAt(args[0]);
        const slot = node?.inputs?.findIndex((input) => input.name === args[1] && input.link != null) ?? -1;
        if (slot < 0) return false;
        node.disconnectInput(slot);
        return true;""",
    )


def remove_node(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    return _on_one(bridge, random, [[node] for node in _makers(prompt, definitions)], REMOVE)


def remove_outputs(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    makers = set(_makers(prompt, definitions))
    removed = [page_call(bridge, REMOVE, node) for node in prompt if node not in makers]
    return bool(removed) and all(removed)


def bypass_node(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    return _on_one(
        bridge,
        random,
        [[node] for node in _makers(prompt, definitions)],
        "const node = nodeAt(args[0]); if (node?.mode !== 0) return false; node.mode = 4; return true;",
    )


def choose_wrong(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    return _on_one(bridge, random, _values(prompt, definitions, "COMBO", "no such choice"), SET)


def mistype_number(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> bool:
    wrong = random.choice(["", "20.0", "0x10", "many", -99999999])
    return _on_one(bridge, random, _values(prompt, definitions, "INT", wrong), SET)


ACCIDENTS: Mapping[str, Accident] = {
    "a link cut": cut_link,
    "a node gone": remove_node,
    "outputs deleted": remove_outputs,
    "a node bypassed": bypass_node,
    "a wrong choice": choose_wrong,
    "a value of a wrong type": mistype_number,
}

REMOVE = """const node = nodeAt(args[0]);
    if (!node) return false;
    node.graph.remove(node);
    return true;"""

SET = """const [path, name, value] = args;
    const node = nodeAt(path);
    const widget = node?.widgets?.find((each) => each.name === name);
    const input = node?.inputs?.find((each) => each.name === name);
    if (!widget || input?.link != null) return false;
    widget.value = value;
    return true;"""


def _on_one(bridge: Bridge, random: Random, places: list[list[Any]], body: str) -> bool:
    return any(page_call(bridge, body, *place) for place in random.sample(places, len(places)))


def _makers(prompt: Prompt, definitions: Definitions) -> list[str]:
    return [node for node in prompt if not definitions[prompt[node]["class_type"]]["output_node"]]


def _values(prompt: Prompt, definitions: Definitions, kind: str, wrong: Any) -> list[list[Any]]:
    return [
        [node, name, wrong]
        for node, entry in prompt.items()
        for name, (type_of_input, *_) in definitions[entry["class_type"]]["input"].get("required", {}).items()
        if (type_of_input == kind or (kind == "COMBO" and isinstance(type_of_input, list)))
        and not isinstance(entry["inputs"].get(name), list)
    ]
