"""A workflow read in compact form and built anew from it by the tools, and what ComfyUI would run before and after."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge

Prompt = Mapping[str, Mapping[str, Any]]

ROUND_TRIP = """async (workflow) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    try {
        await app.loadGraphData(workflow, true, false, null, quiet);
    } catch (error) {
        return { notOpened: String(error) };
    }
    const before = (await app.graphToPrompt()).output;
    const { call } = window.bridgeInPage;
    const began = performance.now();
    const read = await call("getWorkflowInfo", { view: "compact", values: "full" });
    const hasRead = performance.now();
    app.graph.clear();
    const cleared = performance.now();
    const applied = await call("applyWorkflow", { workflow: read.data.text, allowMissing: true });
    const hasApplied = performance.now();
    const after = (await app.graphToPrompt()).output;
    return {
        before, after,
        text: read.data.text,
        error: applied.ok ? null : applied.error,
        reading: hasRead - began,
        applying: hasApplied - cleared,
    };
}"""


class NotOpened(Exception):
    """ComfyUI's page itself fails to load the workflow."""


@dataclass(frozen=True)
class RoundTrip:
    before: Prompt
    after: Prompt
    text: str
    error: str | None
    reading: float
    """Milliseconds."""
    applying: float


def round_trip(bridge: Bridge, workflow: Mapping[str, Any]) -> RoundTrip:
    """Raises NotOpened."""
    found = bridge.page.evaluate(ROUND_TRIP, workflow)
    if "notOpened" in found:
        raise NotOpened(found["notOpened"])
    return RoundTrip(**found)


def differences(trip: RoundTrip, definitions: Mapping[str, Any]) -> list[str]:
    """What is run otherwise; empty where both prompts are the same but for ids."""
    if trip.error:
        return [trip.error]
    if execution_form(trip.before, definitions) == execution_form(trip.after, definitions):
        return []
    before, after = (_lines(prompt, definitions) for prompt in (trip.before, trip.after))
    lost = [f"- {line}" for line in before if line not in after]
    new = [f"+ {line}" for line in after if line not in before]
    return [*lost, *new] or ["the same nodes, linked otherwise"]


def execution_form(prompt: Prompt, definitions: Mapping[str, Any]) -> list[str]:
    """The nodes of a prompt without ids: each as a digest of its type, its values and all that feeds it.

    Inputs that a class does not declare are left out: one frontend sends some of its own widgets along, and ComfyUI
    does not read them.
    """
    digests: dict[str, str] = {}

    def digest(node_id: str) -> str:
        if node_id not in digests:
            digests[node_id] = "itself"
            node = prompt[node_id]
            inputs = [
                (name, [digest(str(value[0])), value[1]] if _is_link(value, prompt) else value)
                for name, value in _declared_inputs(node, definitions)
            ]
            text = json.dumps([node.get("class_type"), inputs], sort_keys=True)
            digests[node_id] = hashlib.sha256(text.encode()).hexdigest()
        return digests[node_id]

    return sorted(digest(node_id) for node_id in prompt)


def _declared_inputs(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """`resize_type.width` belongs to the declared `resize_type`."""
    declared = definitions.get(node.get("class_type", ""), {}).get("input", {})
    names = {*declared.get("required", {}), *declared.get("optional", {})}
    return sorted(
        (name, _without_view(value))
        for name, value in node["inputs"].items()
        if name in names or name.split(".")[0] in names
    )


def _without_view(value: Any) -> Any:
    """What a 3D viewer sends without its camera, which is no value of a node, and without the time of its pictures."""
    if isinstance(value, dict):
        return {name: _without_view(each) for name, each in value.items() if name != "camera_info"}
    return re.sub(r"_\d{13}\b", "", value) if isinstance(value, str) else value


def _is_link(value: Any, prompt: Prompt) -> bool:
    return isinstance(value, list) and len(value) == 2 and str(value[0]) in prompt


def _lines(prompt: Prompt, definitions: Mapping[str, Any]) -> list[str]:
    def shown(value: Any) -> str:
        if _is_link(value, prompt):
            return f"<{prompt[str(value[0])].get('class_type')}.{value[1]}"
        return f"={json.dumps(value)[:120]}"

    return sorted(
        " ".join(
            [
                str(node.get("class_type")),
                *(f"{name}{shown(value)}" for name, value in _declared_inputs(node, definitions)),
            ]
        )
        for node in prompt.values()
    )
