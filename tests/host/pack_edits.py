"""Every kind of edit on nodes of a pack, each held against what a run would get before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge

MOST_NODES = 10
KINDS = ("add", "set", "disconnect", "connect", "insert", "replace", "bypass", "mute", "remove", "undo")
"""As they are counted. `undo` is of each of the others."""

EDITS = """async ([type, sources, middles]) => {
    const { call, comfy } = window.bridgeInPage;
    const settled = () => new Promise((done) => setTimeout(done, 60));
    const prompt = async () => {
        // Some packs keep in a widget what they have drawn for this one prompt; here nothing is run with it.
        const held = app.graph.nodes.flatMap(({ widgets = [] }) => widgets.map((widget) => [widget, widget.value]));
        try {
            const made = ((await app.ue_modified_prompt?.()) ?? (await app.graphToPrompt())).output;
            return Object.fromEntries(Object.entries(made).map(([id, { class_type, inputs }]) =>
                [id, { class_type, inputs: JSON.parse(JSON.stringify(inputs)) }]));
        } catch (error) { return { error: String(error?.message ?? error) }; }
        finally { for (const [widget, value] of held) if (widget.value !== value) widget.value = value; }
    };
    const live = (id) => app.graph.nodes.find((node) => String(node.id) === id);
    const read = (id) => comfy.graph([]).nodes.find((node) => node.id === id);
    const made = (name) => {
        const node = LiteGraph.createNode(name);
        if (!node) return undefined;
        app.graph.add(node);
        return node;
    };

    // The scene, as a person builds it: what the node needs, the node, and one that looks at its first result.
    app.graph.clear();
    const node = made(type);
    if (!node) return { skipped: "the page cannot make it" };
    await settled();
    const id = String(node.id);
    const given = [];
    for (const { name, type: slot, isWidget, isOptional, linkedFrom } of read(id).inputs) {
        const source = isWidget || isOptional || linkedFrom ? undefined : sources[slot];
        const index = live(id).inputs.findIndex((input) => input.name === name);
        if (!source || index < 0) continue;
        const from = made(source.type);
        if (from?.connect(source.output, live(id), index)) given.push(name);
        await settled();
    }
    const sink = read(id).outputs.length > 0 ? made("PreviewAny") : undefined;
    if (sink) live(id).connect(0, sink, 0);
    await settled();
    await settled();
    const first = await prompt();
    if (first.error) return { skipped: `the page makes no prompt of it: ${first.error}` };
    if (!first[id]) return { skipped: "it is not run" };
    const again = await prompt();
    const kept = (nodes) => JSON.stringify(Object.entries(nodes).map(([at, { class_type }]) => [at, class_type]));
    const file = JSON.parse(JSON.stringify(app.graph.serialize()));
    await app.loadGraphData(file, true, false, app.extensionManager.workflow.activeWorkflow, {});
    for (let times = 0; times < 8; times++) await settled();
    if (kept(await prompt()) !== kept(first)) return { skipped: "the page makes another node of it when it is opened" };

    const tried = [];
    /** By hand: what the prompt becomes, and back. */
    async function byHand(change, back) {
        change();
        await settled();
        const after = await prompt();
        back();
        await settled();
        return after;
    }
    async function attempt(kind, what, operations, expected = {}) {
        const turn = crypto.randomUUID();
        await call("getWorkflowInfo", {});
        const before = await prompt();
        const result = await call("editWorkflow", { operations }, { turn });
        await settled();
        const after = await prompt();
        let inTheWay = [];
        // Where nothing became different there is nothing to undo.
        const isMade = comfy.turnState(turn) !== undefined || JSON.stringify(before) !== JSON.stringify(after);
        if (result.ok && isMade)
            try { inTheWay = await comfy.toggleTurn(turn); }
            catch (error) { inTheWay = [String(error?.message ?? error)]; }
        await settled();
        const undone = await prompt();
        tried.push({ kind, what, before, after, undone, inTheWay, ...expected,
            ok: result.ok, told: result.ok ? result.summary : result.error,
            added: result.ok ? Object.keys(result.data?.changes?.added ?? {}) : [] });
    }
    const hasLink = (input) => Boolean(read(id).inputs.find(({ name }) => name === input)?.linkedFrom);

    // Values: the first widget of each kind.
    const kinds = new Set();
    for (const widget of read(id).widgets) {
        const { name, kind, value, choices, min = -Infinity, max = Infinity, step = 1 } = widget;
        if (kinds.has(kind) || widget.isForClicks || widget.isShown || name === "control_after_generate") continue;
        if (!(name in first[id].inputs) || Array.isArray(first[id].inputs[name])) continue;
        // Eight steps, since some nodes round what lies between.
        const by = 8 * (kind === "integer" ? Math.max(1, Math.round(step)) : step || 0.1);
        const up = value + by <= max ? value + by : value - by >= min ? value - by : undefined;
        const next = kind === "integer" || kind === "number" ? (typeof value === "number" ? up : undefined)
            : kind === "boolean" || kind === "switch" ? (typeof value === "boolean" ? !value : undefined)
            : kind === "text" ? "a text of a test"
            : kind === "choice" ? choices?.find((choice) => choice !== value && choice !== "") : undefined;
        if (next === undefined) continue;
        kinds.add(kind);
        await attempt("set", `${name}=${JSON.stringify(next)}`,
            [{ op: "set", nodes: [id], widgets: { [name]: next } }], { input: name, value: next });
    }
    const input = given.find(hasLink);
    if (input) {
        const from = read(id).inputs.find(({ name }) => name === input).linkedFrom;
        const source = `${from.node}.${from.name}`;
        await attempt("disconnect", input, [{ op: "disconnect", to: `${id}.${input}` }], { input });
        const other = made(live(from.node).type);
        await settled();
        await attempt("connect", input, [{ op: "connect", from: `${other.id}.${from.name}`, to: `${id}.${input}` }],
            { input, value: [String(other.id), from.output] });
        app.graph.remove(other);
        await settled();
    }
    const output = live(id).outputs?.[0]?.type;
    const middle = middles[output];
    if (sink && middle && read(String(sink.id))?.inputs[0]?.linkedFrom)
        await attempt("insert", middle, [{ op: "insert", to: `${sink.id}.${read(String(sink.id)).inputs[0].name}`,
            type: middle, as: "between" }], { sink: String(sink.id) });
    await attempt("replace", "by itself", [{ op: "replace", nodes: [id], type }]);
    for (const [kind, mode] of [["bypass", 4], ["mute", 2]])
        if (live(id)) {
            const byPage = await byHand(() => { live(id).mode = mode; }, () => { live(id).mode = 0; });
            await attempt(kind, "", [{ op: "mode", nodes: [id], mode: kind }], { byPage });
        }
    const links = live(id) ? read(id).inputs.filter(({ linkedFrom }) => linkedFrom)
        .map(({ name, linkedFrom }) => [name, `${linkedFrom.node}.${linkedFrom.name}`]) : [];
    await attempt("add", "", [{ op: "add", type, as: "another",
        ...(links.length > 0 && { inputs: Object.fromEntries(links) }) }],
        { inputs: links.map(([name]) => name) });
    if (live(id)) await attempt("remove", "", [{ op: "remove", nodes: [id], rejoin: false }]);
    return { id, moving: { first, again }, tried };
}"""


@dataclass(frozen=True)
class Tried:
    """One edit: what of it was not as it must be, or nothing."""

    kind: str
    what: str
    wrong: tuple[str, ...]


def own_types(pack: str, definitions: Mapping[str, Any]) -> list[str]:
    """Some of what the pack brings, spread over all of it."""
    types = [
        name for name, each in definitions.items() if each.get("python_module") == f"custom_nodes.{pack}"
    ]
    step = max(1, len(types) // MOST_NODES)
    return types[::step][:MOST_NODES]


def sources_of(definitions: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By type of a slot: ComfyUI's own node that gives it with the fewest inputs of its own."""
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for name, each in definitions.items():
        if not _is_own(each):
            continue
        needs = sum(not _is_widget(declared) for declared in each["input"].get("required", {}).values())
        for index, slot in enumerate(each.get("output", [])):
            if isinstance(slot, str) and (slot not in found or needs < found[slot][0]):
                found[slot] = (needs, {"type": name, "output": index})
    return {slot: {**source} for slot, (_, source) in found.items()}


def middles_of(definitions: Mapping[str, Any]) -> dict[str, str]:
    """By type of a slot: ComfyUI's own node that takes just one such and gives one."""
    found: dict[str, str] = {}
    for name, each in definitions.items():
        required = each["input"].get("required", {}).values()
        wired = [declared for declared in required if not _is_widget(declared)]
        outputs = each.get("output", [])
        if _is_own(each) and len(wired) == 1 and len(outputs) == 1 and wired[0][0] == outputs[0]:
            found.setdefault(outputs[0], name)
    return found


def _is_own(definition: Mapping[str, Any]) -> bool:
    module = str(definition.get("python_module", ""))
    return module == "nodes" or module.startswith("comfy_extras")


def _is_widget(declared: Any) -> bool:
    kind = declared[0] if declared else ""
    return not isinstance(kind, str) or kind in ("INT", "FLOAT", "STRING", "BOOLEAN", "COMBO")


def try_edits(bridge: Bridge, node_type: str, definitions: Mapping[str, Any]) -> list[Tried] | str:
    """Why it cannot be tried, where it cannot."""
    outcome = bridge.page.evaluate(EDITS, [node_type, sources_of(definitions), middles_of(definitions)])
    if "skipped" in outcome:
        return outcome["skipped"]
    moving = _places(outcome["moving"]["first"], outcome["moving"]["again"])
    results = []
    for edit in outcome["tried"]:
        wrong = tuple(_wrong(edit, outcome["id"], moving))
        results.append(Tried(edit["kind"], edit["what"], wrong))
        if edit["ok"]:
            left = _told(_places(edit["before"], edit["undone"]) - moving, edit["before"], edit["undone"])
            results.append(Tried("undo", edit["kind"], (*map(str, edit["inTheWay"]), *left)))
    return results


def _wrong(edit: Mapping[str, Any], node: str, moving: set[Place]) -> list[str]:
    if not edit["ok"]:
        return [f"refused: {edit['told']}"]
    after = edit["after"]
    expected = _expected(edit, node)
    # Where ComfyUI's own page makes no prompt of what a person did by hand, none is expected.
    if "error" in after and after != expected:
        return [f"no prompt any more: {after['error']}"]
    places = {place for place in _places(expected, after) if place not in moving}
    # A value may bring other widgets of the same node forth or take them away, and so may a link.
    if edit["kind"] in ("set", "disconnect", "connect"):
        places = {(where, name) for where, name in places if where != node or name in ("", edit["input"])}
    return _told(places, expected, after)


Place = tuple[str, str]
"""A node and its input; no input where the whole node is meant."""


def _expected(edit: Mapping[str, Any], node: str) -> dict[str, Any]:
    """The prompt after the edit, as the words of the edit say."""
    before: Mapping[str, Any] = edit["before"]
    expected = {where: {**each, "inputs": {**each["inputs"]}} for where, each in before.items()}
    match edit["kind"]:
        case "set" | "connect":
            expected[node]["inputs"][edit["input"]] = edit["value"]
        case "disconnect":
            expected[node]["inputs"].pop(edit["input"], None)
        case "bypass" | "mute":
            return dict(edit["byPage"])
        case "remove":
            del expected[node]
            for each in expected.values():
                each["inputs"] = {
                    name: value
                    for name, value in each["inputs"].items()
                    if not (isinstance(value, list) and value and value[0] == node)
                }
        case "insert":
            [between] = edit["added"] or [""]
            made = edit["after"].get(between)
            if made:
                [wired] = [name for name, value in made["inputs"].items() if value == [node, 0]] or [""]
                expected[between] = made if wired else {"class_type": "?", "inputs": {}}
                for name, value in expected[edit["sink"]]["inputs"].items():
                    if value == [node, 0]:
                        expected[edit["sink"]]["inputs"][name] = [between, 0]
        case "add":
            [another] = edit["added"] or [""]
            made = edit["after"].get(another)
            wired = {
                name: before[node]["inputs"].get(name)
                for name in edit["inputs"]
                if name in before[node]["inputs"]
            }
            expected[another] = {
                "class_type": before[node]["class_type"],
                "inputs": {**(made or {"inputs": {}})["inputs"], **wired},
            }
    return expected


def _places(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[Place]:
    """Where two prompts differ; a choice of which no file is installed is left out or null."""
    found: set[Place] = set()
    if "error" in one or "error" in other:
        return set() if one == other else {("prompt", "")}
    for where in {*one, *other}:
        here, there = one.get(where), other.get(where)
        if here is None or there is None or here["class_type"] != there["class_type"]:
            found.add((where, ""))
            continue
        names = {*here["inputs"], *there["inputs"]}
        found |= {(where, name) for name in names if here["inputs"].get(name) != there["inputs"].get(name)}
    return found


def _told(places: set[Place], one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    def value(prompt: Mapping[str, Any], where: str, name: str) -> str:
        node = prompt.get(where) or {}
        return str(node.get("inputs", {}).get(name) if name else node.get("class_type", "nothing"))[:60]

    return [
        f"{where}.{name}: {value(one, where, name)} expected, {value(other, where, name)} found"
        for where, name in sorted(places)
    ]
