"""Damage done to a workflow in ComfyUI's page, as accidents do it, each with the operations that mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.host.bridge import Bridge

Prompt = Mapping[str, Mapping[str, Any]]
Definitions = Mapping[str, Mapping[str, Any]]

QUIETLY = {"showMissingNodesDialog": False, "showMissingModelsDialog": False, "silentAssetErrors": True}

NODE_AT = """
    const nodeAt = (path) => path.split(":").reduce(
        (found, id) => (found.subgraph ?? found).nodes.find((node) => String(node.id) === id),
        app.graph,
    );
    const inputOf = (path, name) => {
        const { comfy } = window.bridgeInPage;
        const place = path.split(":");
        return comfy.node(place.pop(), place)?.inputs.find((input) => input.name === name);
    };
"""


@dataclass(frozen=True)
class Damage:
    kind: str
    node: str
    """By run id: node 3 inside subgraph node 12 is `12:3`."""
    type: str
    repair: list[dict[str, Any]]
    is_found: bool = True
    """Whether checking without running can know of it: a bypassed node may well hand on what it gets."""
    input: str | None = None


def page_call(bridge: Bridge, body: str, *arguments: Any) -> Any:
    return bridge.page.evaluate(f"async (args) => {{ {NODE_AT} {body} }}", list(arguments))


def load(bridge: Bridge, workflow: Mapping[str, Any]) -> None:
    """In the same tab, as if nothing else had ever been there."""
    page_call(
        bridge,
        """const open = app.extensionManager.workflow.activeWorkflow;
        await app.loadGraphData(args[0], true, true, open, args[1]);""",
        workflow,
        QUIETLY,
    )


def broken_link(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> Iterator[Damage]:
    links = [
        (node, name)
        for node, entry in prompt.items()
        for name in definitions[entry["class_type"]]["input"].get("required", {})
        if isinstance(entry["inputs"].get(name), list)
    ]
    for node, name in random.sample(links, len(links)):
        source = page_call(
            bridge,
            """const [path, name] = args;
            const from = inputOf(path, name)?.linkedFrom;
            if (!from || from.node === "input") return null;
            const node = nodeAt(path);
            node.disconnectInput(node.inputs.findIndex((input) => input.name === name));
            return `${path.split(":").slice(0, -1).concat(from.node).join(":")}.${from.name}`;""",
            node,
            name,
        )
        if source:
            repair = [{"op": "connect", "from": source, "to": f"{node}.{name}"}]
            yield Damage("broken link", node, prompt[node]["class_type"], repair, input=name)


def wrong_choice(
    bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random
) -> Iterator[Damage]:
    yield from _wrong_value("wrong combo", bridge, prompt, definitions, random, are_files=False)


def wrong_family(
    bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random
) -> Iterator[Damage]:
    yield from _wrong_value("wrong model family", bridge, prompt, definitions, random, are_files=True)


def _wrong_value(
    kind: str, bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random, *, are_files: bool
) -> Iterator[Damage]:
    choices = [
        (node, name, value)
        for node, entry in prompt.items()
        for name, value in entry["inputs"].items()
        if isinstance(value, str)
        and value in _choices(definitions, entry["class_type"], name)
        and value.endswith((".safetensors", ".ckpt", ".pth")) == are_files
    ]
    for node, name, value in random.sample(choices, len(choices)):
        wrong = f"other-family-{value}" if are_files else f"{value}x"
        is_done = page_call(
            bridge,
            """const [path, name, wrong] = args;
            const input = inputOf(path, name);
            const widget = nodeAt(path)?.widgets?.find((each) => each.name === name);
            if (!widget || input?.linkedFrom) return false;
            widget.value = wrong;
            return true;""",
            node,
            name,
            wrong,
        )
        if is_done:
            repair = [{"op": "set", "nodes": [node], "widgets": {name: value}}]
            yield Damage(kind, node, prompt[node]["class_type"], repair, input=name)


def bypassed(bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random) -> Iterator[Damage]:
    """A sampler, where there is one."""
    nodes = [node for node in prompt if not definitions[prompt[node]["class_type"]]["output_node"]]
    samplers = [node for node in nodes if "Sampler" in prompt[node]["class_type"]]
    for node in [*samplers, *random.sample(nodes, len(nodes))]:
        is_done = page_call(
            bridge,
            "const node = nodeAt(args[0]); if (node?.mode !== 0) return false; node.mode = 4; return true;",
            node,
        )
        if is_done:
            repair = [{"op": "mode", "nodes": [node], "mode": "active"}]
            yield Damage("bypassed sampler", node, prompt[node]["class_type"], repair, is_found=False)


def missing_type(
    bridge: Bridge, prompt: Prompt, definitions: Definitions, random: Random
) -> Iterator[Damage]:
    """Saved by somebody with a package that is not installed here. Widgets of such a node show no values.

    Not of nodes whose widgets a subgraph shows: ComfyUI drops the shown values when it loads that.
    """
    for node in random.sample(list(prompt), len(prompt)):
        node_type = prompt[node]["class_type"]
        values = page_call(
            bridge,
            """const [path, type, options] = args;
            const { comfy } = window.bridgeInPage;
            const place = path.split(":");
            const id = place.pop();
            const here = nodeAt(path);
            const { inputs, widgets: all } = comfy.node(id, place);
            if (inputs.some((input) => input.isWidget && input.linkedFrom?.node === "input")) return null;
            const linked = new Set(here.inputs.filter((input) => input.link != null).map((input) => input.name));
            const widgets = all.filter((widget) => !linked.has(widget.name));
            const saved = JSON.parse(JSON.stringify(app.graph.serialize()));
            const scope = place.length === 0 ? saved
                : saved.definitions.subgraphs.find((each) => each.id === String(here.graph.id));
            scope.nodes.find((node) => String(node.id) === id).type = `${type}Old`;
            await app.loadGraphData(saved, true, true, app.extensionManager.workflow.activeWorkflow, options);
            return Object.fromEntries(widgets.map((widget) => [widget.name, widget.value]));""",
            node,
            node_type,
            QUIETLY,
        )
        if values is None:
            continue
        repair = [{"op": "replace", "nodes": [node], "type": node_type, "widgets": values}]
        yield Damage("missing node", node, f"{node_type}Old", repair)


DAMAGES: Mapping[str, Callable[[Bridge, Prompt, Definitions, Random], Iterator[Damage]]] = {
    "broken link": broken_link,
    "wrong combo": wrong_choice,
    "bypassed sampler": bypassed,
    "wrong model family": wrong_family,
    "missing node": missing_type,
}


def _choices(definitions: Definitions, node_type: str, name: str) -> list[Any]:
    """Of both notations: `[[...], {}]` and `["COMBO", {"options": [...]}]`."""
    inputs = definitions[node_type]["input"]
    spec = {**inputs.get("optional", {}), **inputs.get("required", {})}.get(name, [""])
    options = (
        spec[0] if isinstance(spec[0], list) else spec[1].get("options", []) if spec[0] == "COMBO" else []
    )
    return options if isinstance(options, list) else []
