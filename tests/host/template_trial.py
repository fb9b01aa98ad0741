"""What the tools make of one official template in ComfyUI's page: read and built anew, checked, edited and undone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge
from tests.host.checked_run import refusal
from tests.host.round_trip import differences, round_trip

EDIT_AND_UNDO = """async () => {
    const { call, comfy } = window.bridgeInPage;
    const saved = () => JSON.stringify(app.graph.serialize());
    const linked = (node, name) => node.inputs.some((input) => input.name === name && input.linkedFrom);
    const prompt = async () => (await app.graphToPrompt()).output;
    await call("getWorkflowInfo", {});
    const before = await prompt();
    const file = saved();
    for (const node of comfy.graph([]).nodes) {
        if (node.mode !== "active" || node.subgraph || !before[node.id]) continue;
        for (const { name, kind, value, min = -Infinity, max = Infinity } of node.widgets) {
            const next = value + 1 <= max ? value + 1 : value - 1;
            const isSent = before[node.id].inputs[name] === value;
            if (kind !== "integer" || linked(node, name) || !isSent || next < min) continue;
            const operations = [{ op: "set", nodes: [node.id], widgets: { [name]: next } }];
            const answer = await call("editWorkflow", { operations }, { turn: "trial" });
            const edited = await prompt();
            const inTheWay = answer.ok ? await comfy.toggleTurn("trial") : [];
            return {
                place: `${node.id}.${name}`, node: node.id, name, value, next, answer, inTheWay,
                before, edited, undone: await prompt(), isFileSame: saved() === file,
            };
        }
    }
    return null;
}"""

CHECK = """async () => (await window.bridgeInPage.call("validateWorkflow", {})).data?.problems ?? []"""


@dataclass(frozen=True)
class TemplateTrial:
    """`otherwise` is what would run otherwise after being read and built anew; `edit` what was wrong with an edit."""

    otherwise: list[str]
    false_problems: list[str]
    problems: int
    edit: list[str]
    has_edit: bool


def try_template(
    bridge: Bridge, workflow: Mapping[str, Any], definitions: Mapping[str, Any]
) -> TemplateTrial:
    otherwise = differences(round_trip(bridge, workflow), definitions)
    bridge.page.evaluate(
        "(workflow) => app.loadGraphData(workflow, true, false, null, "
        "{ showMissingNodesDialog: false, showMissingModelsDialog: false })",
        workflow,
    )
    problems = bridge.page.evaluate(CHECK)
    refused = set(((refusal(bridge) or {}).get("node_errors")) or {}) if problems else set()
    false_problems = [
        f"{each.get('node')} {each.get('input', '')}: {each.get('problem')}"
        for each in problems
        if str(each.get("node", "")).split(" ")[0] not in refused
    ]
    edit = bridge.page.evaluate(EDIT_AND_UNDO)
    return TemplateTrial(
        otherwise, false_problems, len(problems), _wrong_with(edit) if edit else [], edit is not None
    )


def _wrong_with(edit: Mapping[str, Any]) -> list[str]:
    """An edit changes one value of what would run, and its undo gives back all."""
    if not edit["answer"]["ok"]:
        return [f"{edit['place']} was refused: {edit['answer']['error']}"]
    wanted = json.loads(json.dumps(edit["before"]))
    wanted[edit["node"]]["inputs"][edit["name"]] = edit["next"]
    return [
        *([] if edit["edited"] == wanted else [f"{edit['place']}: the edit changed something else"]),
        *([f"{edit['place']}: in the way of its undo: {edit['inTheWay']}"] if edit["inTheWay"] else []),
        *([] if edit["undone"] == edit["before"] else [f"{edit['place']}: the undo left something changed"]),
        *([] if edit["isFileSame"] else [f"{edit['place']}: the undo left the file changed"]),
    ]
