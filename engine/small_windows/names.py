"""Unique, everyday names for the values of a workflow.

A name that a model was shown stays, whatever is added beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from .open_workflow import Node, Workflow

_PLAIN = {
    "ckpt_name": "checkpoint",
    "noise_seed": "seed",
    "filename_prefix": "file name",
    "batch_size": "batch size",
    "image": "input image",
    "unet_name": "diffusion model",
    "clip_name": "text encoder",
}
_NAME = "_name"
_PROMPTS = frozenset(["prompt", "text", "positive", "negative"])
_PASS_THROUGH = ("PrimitiveNode", "Reroute")


@dataclass(frozen=True)
class Value:
    """A value. `base` is its name without what distinguishes it from others, `shown` its name in the last list, or
    "".
    """

    name: str
    base: str
    node: Node
    widget: str
    value: Any
    shown: str = ""

    @property
    def key(self) -> str:
        """The unique key of the value, such as `3.steps`."""
        return f"{self.node.id}.{self.widget}"


def values_by_name(workflow: Workflow) -> list[Value]:
    values = _name_values(workflow)
    return values if workflow.shown is None else _keep_shown_names(values, workflow.shown)


def _keep_shown_names(values: Sequence[Value], shown: Mapping[str, str]) -> list[Value]:
    """Return the values by the names that were shown; a new one by its own name where that is free, else by its
    node's id.
    """
    values = [replace(value, shown=shown.get(value.key, "")) for value in values]
    new = Counter(value.base for value in values if not value.shown)
    taken = new + Counter(chain.from_iterable({value.base, value.shown} for value in values if value.shown))

    def name(value: Value) -> str:
        if value.shown:
            return value.key if value.shown in new else value.shown
        return value.base if taken[value.base] == 1 else value.key

    return [replace(value, name=name(value)) for value in values]


def _name_values(workflow: Workflow) -> list[Value]:
    found = [
        (node, widget, value, base_name(workflow, node, widget))
        for node in workflow.nodes
        for widget, value in node.values.items()
    ]
    bases = Counter(base for *_, base in found)
    words = {node.id: word for node, word in _words_for(workflow, found, bases)}
    on_one = Counter((node.id, base) for node, *_, base in found)
    named = [
        (
            (base if bases[base] == on_one[node.id, base] else _qualify(base, words[node.id]))
            + (f" {_widget_words(widget)}" if on_one[node.id, base] > 1 else ""),
            base,
            node,
            widget,
            value,
        )
        for node, widget, value, base in found
    ]
    taken = Counter(name for name, *_ in named)
    return [
        Value(name if taken[name] == 1 else f"{name} of node {node.id}", base, node, widget, value)
        for name, base, node, widget, value in named
    ]


def base_name(workflow: Workflow, node: Node, widget: str) -> str:
    if node.type in _PASS_THROUGH and widget == "value":
        target = next(workflow.consumers(node), None)
        return base_name(workflow, target[0], target[1].input) if target else node.label
    shown = node.shown_as.get(widget, "")
    own = widget.rpartition(".")[2]
    if prompt := _inner_prompt(workflow, node, widget, shown):
        return prompt
    if shown:
        return _widget_words(shown)
    is_prompt = own in ("text", "prompt", "value", "string") or (
        "TextEncode" in node.type and isinstance(node.values.get(widget), str)
    )
    if is_prompt and (role := prompt_role(workflow, node)):
        return f"{role} prompt"
    return _PLAIN.get(own) or _widget_words(own)


def _inner_prompt(workflow: Workflow, node: Node, widget: str, shown: str) -> str:
    """Return the prompt name of a subgraph's value by the only text inside that it feeds; else "".

    Where the canvas names it something other than a prompt, it is "" too.
    """
    if shown and not _PROMPTS.issuperset(shown.lower().split()):
        return ""
    fed = {
        base_name(workflow, inner, link.input)
        for inner, link in workflow.consumers(node)
        if inner.id.startswith(f"{node.id}:") and (link.output or link.input) == widget
    }
    return next((name for name in fed if len(fed) == 1 and name.endswith(" prompt")), "")


def prompt_role(workflow: Workflow, node: Node) -> str:
    """Return whether a text node ends up as "positive" or "negative", by its consumers; "" where neither or both."""
    if "Encode" not in node.type and node.type not in _PASS_THROUGH:
        return ""
    roles = workflow.roles(node)
    return next(iter(roles)) if len(roles) == 1 else ""


def _widget_words(widget: str) -> str:
    return widget.removesuffix(_NAME).replace("_", " ").replace(".", " ")


def short_label(label: str) -> str:
    """Return the label without "Load": `Load LoRA` becomes `LoRA`."""
    return label.removeprefix("Load ") or label


def titles(workflow: Workflow) -> dict[str, str]:
    """Return the names of the nodes by id: as shown, else numbered where several have one title."""
    if (shown := workflow.shown) is not None:
        return {
            node.id: known if (known := shown.get(node.id, "")).startswith(node.label) else node.label
            for node in workflow.nodes
        }
    labels = Counter(node.label for node in workflow.nodes)
    numbers = Counter[str]()
    found = {}
    for node in workflow.nodes:
        numbers[node.label] += 1
        is_alone = labels[node.label] == 1 or prompt_role(workflow, node)
        found[node.id] = node.label if is_alone else f"{node.label} {numbers[node.label]}"
    return found


def _words_for(
    workflow: Workflow, found: Sequence[tuple[Node, str, Any, str]], bases: Mapping[str, int]
) -> list[tuple[Node, str]]:
    """Return for each node what distinguishes it: the words of its title that others lack, or a number."""
    of = {node.id for node, _, _, base in found if bases[base] > 1}
    sharing = [node for node in workflow.nodes if node.id in of]
    labels = Counter(node.label for node in sharing)
    types = Counter(node.type for node in sharing)
    said = Counter((node.type, word) for node in sharing for word in set(node.label.split()))
    numbers = Counter[str]()
    words = []
    for node in sharing:
        numbers[node.label] += 1
        label = short_label(node.label)
        if labels[node.label] > 1:
            words.append((node, f"{label} {numbers[node.label]}"))
            continue
        own = [word for word in node.label.split() if said[node.type, word] == 1]
        words.append((node, " ".join(own).strip(" -–:()") or label if types[node.type] > 1 else label))
    return words


def _qualify(base: str, word: str) -> str:
    said = word.lower().replace("_", " ")
    return word if f" {base.lower()} " in f" {said} " else f"{word} {base}"
