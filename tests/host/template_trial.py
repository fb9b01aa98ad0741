"""What the tools make of one official template in ComfyUI's page: read and built anew, checked, edited and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from dev.comfyui import CHOSEN
from tests.host.bridge import Bridge
from tests.host.checked_run import refusal
from tests.host.round_trip import differences, round_trip

EDIT_AND_UNDO = """async () => {
    const { call, comfy } = window.bridgeInPage;
    const saved = () => JSON.stringify(app.graph.serialize());
    const linked = (node, name) => node.inputs.some((input) => input.name === name && input.linkedFrom);
    const prompt = async () => JSON.stringify((await app.graphToPrompt()).output);
    const setByHand = (id, name, value) => {
        const node = app.graph.nodes.find((each) => String(each.id) === id);
        const widget = node.widgets.find((each) => each.name === name);
        widget.value = value;
        widget.callback?.(value, app.canvas, node);
    };
    await call("getWorkflowInfo", {});
    const turn = crypto.randomUUID();
    const before = await prompt();
    for (const node of comfy.graph([]).nodes) {
        if (node.mode !== "active" || node.subgraph) continue;
        for (const { name, kind, value, step = 1, min = -Infinity, max = Infinity } of node.widgets) {
            const next = value + step <= max ? value + step : value - step;
            if (kind !== "integer" || linked(node, name) || next < min) continue;
            setByHand(node.id, name, next);
            const byHand = await prompt();
            setByHand(node.id, name, value);
            if (byHand === before || (await prompt()) !== before) continue;
            await new Promise((resolve) => setTimeout(resolve, 100));
            const file = saved();
            const operations = [{ op: "set", nodes: [node.id], widgets: { [name]: next } }];
            const answer = await call("editWorkflow", { operations }, { turn });
            const edited = await prompt();
            const inTheWay = answer.ok ? await comfy.toggleTurn(turn) : [];
            const [undone, isFileSame] = [await prompt(), saved() === file];
            return {
                place: `${node.id}.${name}`, error: answer.ok ? null : answer.error, inTheWay,
                isAsByHand: edited === byHand, isUndone: undone === before, isFileSame,
            };
        }
    }
    return null;
}"""

CHECK = """async () => {
    const { call, ask } = window.bridgeInPage;
    return (await call("validateWorkflow", {}, { ask })).data?.problems ?? [];
}"""


@dataclass(frozen=True)
class TemplateTrial:
    """`otherwise` is what would run otherwise after being read and built anew; `edit` what was wrong with an edit.

    `unchecked` counts the problems about choices at which ComfyUI's server never looks.
    """

    otherwise: list[str]
    false_problems: list[str]
    problems: int
    unchecked: int
    edit: list[str]
    has_edit: bool


def try_template(
    bridge: Bridge, workflow: Mapping[str, Any], definitions: Mapping[str, Any]
) -> TemplateTrial:
    otherwise = differences(round_trip(bridge, _under_own_id(workflow)), definitions)
    bridge.page.evaluate(
        "(workflow) => app.loadGraphData(workflow, true, false, null, "
        "{ showMissingNodesDialog: false, showMissingModelsDialog: false })",
        _under_own_id(workflow),
    )
    problems = bridge.page.evaluate(CHECK)
    refused = _refused(bridge) if problems else set()
    taken = [each for each in problems if str(each.get("node", "")).split(" ")[0] not in refused]
    false_problems = [
        f"{each.get('node')} {each.get('input', '')}: {each.get('problem')}"
        for each in taken
        if not _is_left_to_the_run(each, definitions)
    ]
    edit = bridge.page.evaluate(EDIT_AND_UNDO)
    return TemplateTrial(
        otherwise,
        false_problems,
        len(problems),
        len(taken) - len(false_problems),
        _wrong_with(edit) if edit else [],
        edit is not None,
    )


def _refused(bridge: Bridge) -> set[str]:
    """The nodes that the server refuses, and what feeds them, at which it does not look then."""
    prompt = bridge.page.evaluate("async () => (await app.graphToPrompt()).output")
    found: set[str] = set()
    left = list((refusal(bridge) or {}).get("node_errors") or {})
    while left:
        node = left.pop()
        if node in found or node not in prompt:
            continue
        found.add(node)
        left += [
            str(value[0]) for value in prompt[node]["inputs"].values() if isinstance(value, list) and value
        ]
    return found


def _under_own_id(workflow: Mapping[str, Any]) -> dict[str, Any]:
    """Templates were copied with their ids, and the page goes to the tab whose workflow has the one in its address."""
    return {**workflow, "id": str(uuid4())}


def _is_left_to_the_run(problem: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    """Of no version the server checks a choice that brings inputs, and that of 0.3.75 none of newer nodes."""
    node_type = str(problem.get("node", "")).partition(" ")[2]
    sections = definitions.get(node_type, {}).get("input", {}).values()
    declared = {name: spec[0] for section in sections for name, spec in section.items()}
    unchecked = ("COMFY_DYNAMICCOMBO_V3", *(("COMBO",) if CHOSEN.is_pinned else ()))
    return declared.get(problem.get("input")) in unchecked


def _wrong_with(edit: Mapping[str, Any]) -> list[str]:
    """An edit changes what the same change by hand does, and its undo gives back all."""
    if edit["error"]:
        return [f"{edit['place']} was refused: {edit['error']}"]
    return [
        *([] if edit["isAsByHand"] else [f"{edit['place']}: the edit is not what it is by hand"]),
        *([f"{edit['place']}: in the way of its undo: {edit['inTheWay']}"] if edit["inTheWay"] else []),
        *([] if edit["isUndone"] else [f"{edit['place']}: the undo left something changed"]),
        *([] if edit["isFileSame"] else [f"{edit['place']}: the undo left the file changed"]),
    ]
