"""What the tools do to an example workflow of a pack in ComfyUI's page, and what of it is not as it must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge
from tests.host.packs import Example
from tests.host.round_trip import Prompt, execution_form

MOST_EDITS = 10
SECONDS_FOR_ONE = 60

TRY = """async ([workflow, mostEdits]) => {
    const { call, comfy } = window.bridgeInPage;
    const quietly = { showMissingNodesDialog: false, showMissingModelsDialog: false, silentAssetErrors: true };
    const settled = () => new Promise((done) => setTimeout(done, 120));
    const open = () => app.extensionManager.workflow.activeWorkflow;
    const saved = () => JSON.stringify(app.graph.serialize());
    // What widgets write for a prompt, such as seeds that are rolled, is for the run alone, and taken back after it.
    const prompt = async () => {
        const graphs = [app.graph, ...(app.graph.subgraphs?.values() ?? [])];
        const held = graphs.flatMap(({ nodes }) => nodes.flatMap(({ widgets = [] }) => widgets))
            .map((widget) => [widget, widget.value]);
        try { return { nodes: ((await app.ue_modified_prompt?.()) ?? (await app.graphToPrompt())).output }; }
        catch (error) { return { error: String(error?.message ?? error) }; }
        finally { for (const [widget, value] of held) if (widget.value !== value) widget.value = value; }
    };
    const told = (result) => (result.ok
        ? { ok: true, summary: result.summary, data: result.data }
        : { ok: false, error: result.error });
    // What was undone although ComfyUI loaded something of it otherwise is told by an error.
    const toggled = async (turn) => {
        try { return await comfy.toggleTurn(turn); } catch (error) { return [String(error?.message ?? error)]; }
    };

    // Packs and ComfyUI itself write into the workflow: a while after it was loaded, and when a prompt is made.
    const finished = async () => {
        for (let still = 0, tries = 0, last = ""; still < 4 && tries < 40; tries++) {
            await settled();
            still = saved() === last ? still + 1 : 0;
            last = saved();
        }
    };
    const load = async () => {
        await app.loadGraphData(workflow, true, false, open(), quietly);
        await finished();
    };

    const name = crypto.randomUUID();
    // The page shows what its own loading of a file throws, and goes on with a part of it.
    let brokenBy;
    const { configure } = app.graph;
    app.graph.configure = function (...given) {
        try { return configure.apply(this, given); }
        catch (error) { brokenBy ??= String(error?.message ?? error); throw error; }
    };
    await load();
    delete app.graph.configure;
    await prompt();
    await finished();
    await finished();
    const first = saved();
    const read = await call("getWorkflowInfo", { view: "compact", values: "full" });
    const isReadPure = saved() === first;
    const before = await prompt();
    const again = await prompt();
    const outcome = { read: told(read), isReadPure, before, again, nodes: app.graph.nodes.length, brokenBy };
    if (!read.ok) return outcome;

    outcome.validated = told(await call("validateWorkflow", {}, { ask: window.bridgeInPage.ask }));
    const headers = { "Content-Type": "application/json" };
    const ask = async (prompt) => {
        const reply = await fetch("/prompt", { method: "POST", headers, body: JSON.stringify({ prompt }) });
        const answer = await reply.json().catch(() => null);
        await fetch("/queue", { method: "POST", headers, body: JSON.stringify({ clear: true }) });
        return answer;
    };
    // ComfyUI looks only at what leads to an output, and no further than the first wrong link: each node that is
    // complained about is shown to it alone with what it needs.
    outcome.server = {};
    for (const { node } of before.nodes ? outcome.validated.data?.problems ?? [] : []) {
        const id = node?.split(" ")[0];
        if (id === undefined || outcome.server[id] || !before.nodes[id]) continue;
        const needed = new Set([id]);
        for (const each of needed)
            for (const value of Object.values(before.nodes[each]?.inputs ?? {}))
                if (Array.isArray(value) && before.nodes[value[0]]) needed.add(String(value[0]));
        const part = Object.fromEntries(Object.entries(before.nodes).filter(([each]) => needed.has(each)));
        const hasOutput = comfy.nodeDefinition(before.nodes[id].class_type)?.outputs.length > 0;
        const look = { "look at it": { class_type: "PreviewAny", inputs: { source: [id, 0] } } };
        outcome.server[id] = await ask({ ...part, ...(hasOutput ? look : {}) });
    }

    const apply = async (turn) => {
        const result = await call(
            "applyWorkflow", { workflow: read.data.text, allowMissing: true }, turn ? { turn } : {},
        );
        await finished();
        return { result: told(result), after: await prompt() };
    };
    // What ComfyUI makes of it by itself, when it is saved and opened again: packs convert old nodes then.
    await app.loadGraphData(JSON.parse(saved()), true, false, open(), quietly);
    await settled();
    outcome.reopened = await prompt();
    await load();
    const turn = `round trip of ${name}`;
    outcome.inPlace = await apply(turn);
    // One that is applied as it was changes nothing, so there is nothing to undo.
    const changes = Object.values(outcome.inPlace.result.data?.changes ?? {});
    const isStep = comfy.turnState(turn) !== undefined || changes.some((nodes) => Object.keys(nodes).length > 0);
    if (outcome.inPlace.result.ok && isStep) {
        outcome.inPlace.inTheWay = await toggled(turn);
        await settled();
        outcome.inPlace.undone = await prompt();
    }
    app.graph.clear();
    outcome.fresh = await apply();

    await load();
    outcome.edits = [];
    const numbers = comfy.graph([]).nodes.flatMap((node) =>
        node.mode !== "active" || !node.isInstalled ? [] : node.widgets
            .filter((widget) => ["integer", "number"].includes(widget.kind)
                && !node.inputs.some((input) => input.name === widget.name && input.linkedFrom))
            .slice(0, 1)
            .map((widget) => ({ node: node.id, widget: widget.name, value: next(widget) })))
        .filter(({ value }) => value !== undefined).slice(0, mostEdits);
    function next({ value, min = -Infinity, max = Infinity, step = 1, kind }) {
        const by = kind === "integer" ? Math.max(1, Math.round(step)) : step || 0.1;
        if (typeof value !== "number") return undefined;
        if (value + by <= max && value + by >= min) return value + by;
        return value - by >= min && value - by <= max ? value - by : undefined;
    }
    for (const [index, { node, widget, value }] of numbers.entries()) {
        const unedited = await prompt();
        const operations = [{ op: "set", nodes: [node], widgets: { [widget]: value } }];
        const turn = `edit ${index} of ${name}`;
        const result = told(await call("editWorkflow", { operations }, { turn }));
        await settled();
        const edited = await prompt();
        const inTheWay = result.ok ? await toggled(turn) : [];
        await settled();
        outcome.edits.push({ node, widget, value, result, unedited, edited, inTheWay, undone: await prompt() });
    }
    return outcome;
}"""


@dataclass(frozen=True)
class Finding:
    where: str
    what: str


@dataclass(frozen=True)
class Verdict:
    """Of one example workflow. What could not be compared counts neither as right nor as wrong."""

    name: str
    findings: tuple[Finding, ...] = ()
    not_compared: str = ""
    reopened: bool = False
    """What was applied differs as it does where ComfyUI saves and opens the workflow by itself."""
    edits: int = 0
    alarms: int = 0
    """Problems that were reported, of which ComfyUI finds the same."""
    unknown_alarms: int = 0
    """Those about which ComfyUI cannot be asked, since it lacks node types."""


def try_example(bridge: Bridge, example: Example) -> dict[str, Any]:
    return bridge.page.evaluate(TRY, [example.workflow, MOST_EDITS])


def verdict(name: str, outcome: Mapping[str, Any], definitions: Mapping[str, Any]) -> Verdict:
    found: list[Finding] = []
    if not outcome["read"]["ok"]:
        return Verdict(name, (Finding("read", outcome["read"]["error"]),))
    if not outcome["isReadPure"]:
        found.append(Finding("read", "reading changes the graph"))
    if why := outcome.get("brokenBy"):
        return Verdict(name, tuple(found), not_compared=f"ComfyUI itself does not load it whole: {why}")
    before = outcome["before"].get("nodes")
    if before is None:
        why = f"ComfyUI makes no prompt of it: {outcome['before'].get('error')}"
        return Verdict(name, tuple(found), not_compared=why)
    again = outcome["again"].get("nodes")
    if again is None or before.keys() != again.keys():
        return Verdict(name, tuple(found), not_compared="two prompts of it have other nodes")
    outcome = without_moving(outcome, before, again)
    before = outcome["before"]["nodes"]
    alarms = judged_alarms(outcome, definitions)
    found += [Finding("validate", text) for text, judgement in alarms if judgement == "false"]
    is_reopened = False
    for where in ("inPlace", "fresh"):
        applied = outcome[where]
        silent = _silent_differences(applied, before, definitions)
        if silent and _is_as_reopened(outcome, applied["after"], definitions):
            is_reopened = True
        else:
            found += [Finding(where, text) for text in silent]
    in_place = outcome["inPlace"]
    if "undone" in in_place:
        lines = changed(before, in_place["undone"].get("nodes"), definitions)
        is_told = bool(in_place["inTheWay"])
        if lines and _is_as_reopened(outcome, in_place["undone"], definitions):
            is_reopened = True
        elif lines or is_told:
            found.append(Finding("undo", "; ".join([*in_place["inTheWay"], *lines][:3])))
    for edit in outcome["edits"]:
        edited = f"{edit['node']}.{edit['widget']}={edit['value']}"
        found += [Finding("edit", f"{edited}: {text}") for text in _wrong_edit(edit, definitions)]
    return Verdict(
        name,
        tuple(found),
        reopened=is_reopened,
        edits=len(outcome["edits"]),
        alarms=sum(judgement == "true" for _, judgement in alarms),
        unknown_alarms=sum(judgement == "unknown" for _, judgement in alarms),
    )


def without_moving(outcome: Mapping[str, Any], before: Prompt, again: Prompt) -> dict[str, Any]:
    """Without the values that are others in each prompt of one and the same graph, such as random ones."""
    moving = {
        (node, name)
        for node in before
        for name in {*before[node]["inputs"], *again[node]["inputs"]}
        if before[node]["inputs"].get(name) != again[node]["inputs"].get(name)
    }
    if not moving:
        return dict(outcome)

    def cleaned(value: Any) -> Any:
        if isinstance(value, list):
            return [cleaned(each) for each in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("nodes"), dict):
            nodes = {
                node: {
                    **each,
                    "inputs": {
                        name: held for name, held in each["inputs"].items() if (node, name) not in moving
                    },
                }
                for node, each in value["nodes"].items()
            }
            return {**value, "nodes": nodes}
        return {name: cleaned(each) for name, each in value.items()}

    return cleaned(dict(outcome))


def _is_as_reopened(
    outcome: Mapping[str, Any], made: Mapping[str, Any], definitions: Mapping[str, Any]
) -> bool:
    reopened, after = outcome["reopened"].get("nodes"), made.get("nodes")
    if reopened is None or after is None:
        return False
    return execution_form(reopened, definitions) == execution_form(after, definitions)


def _silent_differences(
    applied: Mapping[str, Any], before: Prompt, definitions: Mapping[str, Any]
) -> list[str]:
    result, after = applied["result"], applied["after"].get("nodes")
    if not result["ok"]:
        return []
    if after is None:
        is_told = "ComfyUI cannot make a prompt of it." in result["summary"]
        return [] if is_told else [f"no prompt any more: {applied['after'].get('error')}"]
    if execution_form(before, definitions) == execution_form(after, definitions):
        return []
    lines = changed(before, after, definitions)
    silent = [line for line in lines if re.split(r"[ :]", line)[0] not in result["summary"]]
    return silent if lines else ["the same nodes, linked otherwise"]


def changed(before: Prompt, after: Prompt | None, definitions: Mapping[str, Any]) -> list[str]:
    """By node and input, for prompts whose ids are the same."""
    if after is None:
        return ["there is no prompt"]
    lines: list[str] = []
    for node in sorted({*before, *after}):
        if node not in after or node not in before:
            lines.append(f"{node} {'is not run' if node not in after else 'is run'}")
            continue
        declared = definitions.get(before[node].get("class_type", ""), {}).get("input", {})
        names = {*declared.get("required", {}), *declared.get("optional", {})}
        one, other = before[node]["inputs"], after[node]["inputs"]
        lines += [
            f"{node}.{name}: {str(one.get(name))[:60]} became {str(other.get(name))[:60]}"
            for name in sorted({*one, *other})
            if one.get(name) != other.get(name)
            and (name in names or not names or isinstance(one.get(name), dict))
        ]
    return lines


def _wrong_edit(edit: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[str]:
    unedited, edited = edit["unedited"].get("nodes"), edit["edited"].get("nodes")
    if unedited is None:
        return []
    if not edit["result"]["ok"]:
        return [f"refused: {edit['result']['error']}"]
    asked = f"{edit['node']}.{edit['widget']}"
    is_handed_on = edit["node"] not in unedited
    lines = changed(unedited, edited, definitions)
    others = [] if is_handed_on else [line for line in lines if not line.startswith(f"{asked}:")]
    undone = changed(unedited, edit["undone"].get("nodes"), definitions)
    return [
        *(f"also {line}" for line in others),
        *(f"not undone: {line}" for line in [*edit["inTheWay"], *undone]),
    ]


def judged_alarms(outcome: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each problem of a node, and whether ComfyUI finds it too: `true`, `false`, or `unknown`."""
    problems = (outcome["validated"].get("data") or {}).get("problems", [])
    return [
        (
            f"{problem['node']} {problem.get('input', '')}: {problem['problem']}",
            _judged(problem, outcome["server"], definitions),
        )
        for problem in problems
        if "node" in problem
    ]


def _judged(problem: Mapping[str, Any], server: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    node, node_type = problem["node"].split(" ", 1)
    declared = definitions.get(node_type, {}).get("input", {})
    kind = {**declared.get("required", {}), **declared.get("optional", {})}.get(problem.get("input"), [None])[
        0
    ]
    if kind == "COMBO":
        return "unknown"  # this server looks at such a choice only when it runs the node
    answer = server.get(node)
    if not answer:
        return "unknown"
    error = answer.get("error") or {}
    if error.get("type") == "prompt_no_outputs":
        return "unknown"
    if error.get("type") in ("invalid_prompt", "missing_node_type"):
        is_of_it = node_type in str(error.get("extra_info", "")) + str(error.get("message", ""))
        return "true" if is_of_it and "input" not in problem else "unknown"
    errors = ((answer.get("node_errors") or {}).get(node) or {}).get("errors", [])
    names = {(each.get("extra_info") or {}).get("input_name") for each in errors}
    is_found = bool(errors) and ("input" not in problem or problem["input"] in names or None in names)
    return "true" if is_found else "false"
