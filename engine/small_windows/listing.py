"""The open workflow as a list: nodes in execution order, groups, then values by name."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from ..base.text.amounts import pluralize
from ..base.text.clip import clip
from .names import Value, prompt_role, titles, values_by_name
from .open_workflow import FILE_ENDING, SEED_CONTROL, Group, Link, Node, Workflow

_LONGEST_VALUE = 200
_LONGEST_UNNAMED, _MOST_UNNAMED = 60, 12
_WHOLE = 40
_DIGITS = 10
"""The decimal places that are shown: a slider's 5.000000000000001 is not a value that the user chose."""
_SLACK = 64
"""The number of tokens that lines may take less together than alone."""
_HINTS = {
    "batch_size": " (number of images per run)",
    "filename_prefix": " (of saved files)",
    "length": " (frames)",
}
"""Everyday names of values whose own name few users know."""
_HEADING = "<open-workflow>"
_END = "</open-workflow>"


def write_listing(workflow: Workflow, *, room: int, count: Callable[[str], int]) -> str:
    """Return the list in at most `room` tokens by `count`.

    Where it is too long, nodes lose their sources and groups their nodes; then entries are left out from the end,
    with their number in their place.
    """
    if not workflow.nodes:
        return f"{_HEADING}\nThe open workflow is empty: it has no nodes and no values.\n{_END}"
    notes = f" (and {pluralize(workflow.notes, 'note')})" if workflow.notes else ""
    named = titles(workflow)
    head = f"The open workflow has {pluralize(len(workflow.nodes), 'node')}{notes}, in this order:"
    values = [
        f"{value.name} = {_value_text(value)}{_remark(value)}"
        for value in values_by_name(workflow)
        if value.widget != SEED_CONTROL
    ]
    end = f"The last run failed. {workflow.failure}" if workflow.failure else "No failed run of it is known."

    def text(nodes: Sequence[str], values: Sequence[str]) -> str:
        return "\n".join([_HEADING, head, *nodes, "", "Its values:", *values, "", end, _END])

    groups = [*map(_group_line, workflow.groups)]
    outline = [*(_group_title(workflow, group) for group in workflow.groups), *_outline(workflow)]
    if len(workflow.nodes) <= _WHOLE:
        whole = [*(_node_line(workflow, node, named[node.id]) for node in workflow.nodes), *groups]
        for nodes in (whole, outline):
            if count(listing := text(nodes, values)) <= room:
                return listing
    sizes_of_nodes, sizes_of_values = _sums(outline, count), _sums(values, count)
    least = count(text((), ()))
    shown_nodes, shown_values = len(outline), len(values)
    while True:
        if least + sizes_of_nodes[shown_nodes] + sizes_of_values[shown_values] <= room + _SLACK:
            listing = text(
                [*outline[:shown_nodes], *_rest(len(outline) - shown_nodes, "line")],
                [*values[:shown_values], *_rest(len(values) - shown_values, "value")],
            )
            if count(listing) <= room:
                return listing
        if shown_values + shown_nodes == 0:
            return text(_rest(len(outline), "line"), _rest(len(values), "value"))
        # The rest is counted again, since entries differ in length.
        if shown_values > shown_nodes:
            shown_values = shown_values * 9 // 10
        else:
            shown_nodes = shown_nodes * 9 // 10


def listed_names(listing: str, workflow: Workflow) -> dict[str, str]:
    """Return the names that a listing gives: nodes by `3`, values by `3.steps`, and the workflow itself by ""."""
    listed = {line.partition(" = ")[0] for line in listing.split("\n")}
    called = titles(workflow) if len(workflow.nodes) <= _WHOLE else {}
    values = {value.key: value.name for value in values_by_name(workflow) if value.name in listed}
    return {"": workflow.name, **called, **values}


def apply_names(workflow: Workflow, shown: Mapping[str, str] | None) -> Workflow:
    """Return the workflow with the names that a list of it has `shown`.

    Without a list, the current names count; names from a list of another workflow do not.
    """
    if shown is None:
        values = {value.key: value.name for value in values_by_name(workflow)}
        return replace(workflow, shown=titles(workflow) | values)
    return replace(workflow, shown=shown if shown.get("") == workflow.name else {})


def _sums(lines: Sequence[str], count: Callable[[str], int]) -> list[int]:
    """Return by number of lines about how many tokens the first lines take."""
    return [0, *accumulate(count(line) for line in lines)]


def _group_line(group: Group) -> str:
    return f"Group {json.dumps(group.title, ensure_ascii=False)}: {', '.join(group.nodes) or 'no nodes'}"


def _group_title(workflow: Workflow, group: Group) -> str:
    modes = Counter(node.mode for each in group.nodes if (node := workflow.node(each)))
    idle = "".join(f", {number} {mode}" for mode, number in modes.items() if mode != "active")
    title = json.dumps(group.title, ensure_ascii=False)
    return f"Group {title} of {pluralize(len(group.nodes), 'node')}{idle}"


def _node_line(workflow: Workflow, node: Node, title: str) -> str:
    role = prompt_role(workflow, node)
    about = f" ({role} prompt)" if role and role not in title.lower() else ""
    sources = "".join(f", {_link_words(link)}" for link in node.links)
    return f"{node.id} {title}{about}{_state(node)}{sources}{_open_inputs(node)}"


def _link_words(link: Link) -> str:
    wire = " without a wire" if link.is_unwired else ""
    return f"{link.input} from {link.source}{wire}".lstrip()


def _remark(value: Value) -> str:
    nearest = value.node.missing.get(value.widget)
    if nearest is None or value.value is None:
        return _HINTS.get(value.widget, "")
    found = (
        "this file is not installed"
        if FILE_ENDING.search(str(value.value))
        else "this is not one of its choices"
    )
    return (
        f" ({found}; the nearest is {json.dumps(nearest, ensure_ascii=False)})" if nearest else f" ({found})"
    )


def _outline(workflow: Workflow) -> list[str]:
    """Return a line for all nodes of the same title and state."""
    ids = defaultdict[str, list[str]](list)
    for node in workflow.nodes:
        ids[f"{node.label}{_state(node)}{_open_inputs(node)}"].append(node.id)
    return [
        f"{len(several)} × {label}: {', '.join(several)}" if len(several) > 1 else f"{several[0]} {label}"
        for label, several in ids.items()
    ]


def _state(node: Node) -> str:
    mode = "" if node.mode == "active" else f" [{node.mode}]"
    return f"{mode}{'' if node.is_installed else f' (this node is not installed{_unnamed(node)})'}"


def _unnamed(node: Node) -> str:
    values = [
        clip(json.dumps(each, ensure_ascii=False), _LONGEST_UNNAMED) for each in node.unnamed[:_MOST_UNNAMED]
    ]
    return f"; it holds {', '.join(values)}" if values else ""


def _open_inputs(node: Node) -> str:
    return "".join(f", {name} NOT CONNECTED" for name in node.open_inputs)


def _value_text(value: Value) -> str:
    known = value.value
    if known is None:
        return "(nothing chosen)"
    text = json.dumps(round(known, _DIGITS) if isinstance(known, float) else known, ensure_ascii=False)
    return (
        text if len(text) <= _LONGEST_VALUE + 20 else f'{text[:_LONGEST_VALUE]}…" ({len(text):,} characters)'
    )


def _rest(number: int, noun: str) -> list[str]:
    return (
        [f"… and {pluralize(number, f'more {noun}')}; readNode shows any node by its id"]
        if number > 0
        else []
    )
