"""How often a person is asked before an example workflow of a pack runs in Auto mode, twice in one chat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge
from tests.host.packs import Example

KINDS = ("package", "cost", "acts")
"""`acts` is also what names a way out."""

# A question about packages is answered with Always, any other with no. What is allowed waits in a queue that is held
# until it is taken out again.
RUN_TWICE = """async ([workflow, name]) => {
    const { call, comfy, ask } = window.bridgeInPage;
    const quietly = { showMissingNodesDialog: false, showMissingModelsDialog: false, silentAssetErrors: true };
    const open = app.extensionManager.workflow.activeWorkflow;
    await app.loadGraphData(workflow, true, false, open, quietly);
    await new Promise((done) => setTimeout(done, 500));
    let prompt;
    try { prompt = await comfy.queue.prompt(); } catch (error) { return { error: String(error?.message ?? error) }; }
    const types = Object.values(prompt.nodes).map((node) => node.class_type);
    const origins = Object.fromEntries(types.map((type) => [type, comfy.nodeDefinition(type)?.origin ?? null]));
    const allowed = new Set();
    const run = async () => {
        const questions = [];
        const kept = [];
        let isReached = false;
        const noting = (method, route, body) => {
            if (method === "PUT") questions.at(-1).packages.push(...body.packages);
            return ask(method, route, body);
        };
        const confirm = async ({ always, same, title, detail = "", allow, forGood }) => {
            isReached = true;
            if (!always || allowed.has(same ?? "")) return true;
            questions.push({ title, detail, isOfPackage: allow === "Once", packages: [] });
            if (!forGood) return false;
            kept.push(forGood.keep());
            if (same) allowed.add(same);
            return true;
        };
        const stop = new AbortController();
        const onProgress = () => stop.abort();
        const context = { thread: name, ask: noting, confirm, signal: stop.signal, onProgress };
        const result = await call("executeWorkflow", {}, context);
        await Promise.all(kept);
        return { isReached, questions, error: result.error ?? "" };
    };
    return { origins, runs: [await run(), await run()] };
}"""
COSTS = ("is paid",)
ACTS = (
    "runs code",
    "writes outside the output folder",
    "reads outside ComfyUI's folders",
    "deletes or sends",
    "uses the network",
    "may download a model",
    "names an address",
    "names a place on the disk",
)


@dataclass(frozen=True)
class Question:
    title: str
    detail: str
    kinds: tuple[str, ...]
    packages: tuple[str, ...]
    """Those that Always lets the assistant run."""


@dataclass(frozen=True)
class RunTwice:
    """What was asked before the first and the second run of an example, unless it says why it did not come to that."""

    name: str
    questions: tuple[Sequence[Question], Sequence[Question]] = ((), ())
    origins: Mapping[str, str | None] | None = None
    """Of the types that run: the package, as the assistant reads it; None for ComfyUI's own."""
    not_run: str = ""

    def count(self, kind: str) -> tuple[int, int]:
        first, second = ([each for each in asked if kind in each.kinds] for asked in self.questions)
        return len(first), len(second)


def run_twice(bridge: Bridge, example: Example) -> RunTwice:
    found: Mapping[str, Any] = bridge.page.evaluate(RUN_TWICE, [example.workflow, example.name])
    if "runs" not in found:
        return RunTwice(example.name, not_run=f"ComfyUI makes no prompt of it: {found['error']}")
    first, second = found["runs"]
    if not (first["isReached"] and second["isReached"]):
        return RunTwice(example.name, not_run=first["error"] or second["error"])
    asked = (read_questions(first["questions"]), read_questions(second["questions"]))
    return RunTwice(example.name, asked, found["origins"])


def read_questions(asked: Iterable[Mapping[str, Any]]) -> tuple[Question, ...]:
    def kinds(question: Mapping[str, Any]) -> tuple[str, ...]:
        says = (question["isOfPackage"], _names(question["detail"], COSTS), _names(question["detail"], ACTS))
        return tuple(kind for kind, is_said in zip(KINDS, says, strict=True) if is_said)

    return tuple(
        Question(each["title"], each["detail"], kinds(each), tuple(each["packages"])) for each in asked
    )


def wrong_questions(runs: Sequence[RunTwice], definitions: Mapping[str, Any]) -> list[str]:
    """Of all examples of a pack in turn, before the first of which no package is trusted."""
    wrong: list[str] = []
    trusted: set[str] = set()
    for run in runs:
        origins = run.origins or {}
        of_types = {node_type: package_of(definitions.get(node_type)) for node_type in origins}
        wrong += [
            f"{run.name}: {node_type} counts as of {origin!r}, and is of {of_types[node_type]!r}"
            for node_type, origin in origins.items()
            if node_type in definitions and origin != of_types[node_type]
        ]
        first, second = (Counter(name for each in asked for name in each.packages) for asked in run.questions)
        new = {package for package in of_types.values() if package is not None} - trusted
        if first != Counter(new):
            wrong.append(f"{run.name}: new are {sorted(new)}, asked about was {sorted(first.elements())}")
        trusted |= new
        wrong += [f"{run.name}: asked about {name} before the second run" for name in second]
        wrong += [
            f"{run.name}: {each.title} {each.detail}"
            for asked in run.questions
            for each in asked
            if not each.kinds or ("package" in each.kinds and not each.packages)
        ]
    return wrong


def package_of(definition: Mapping[str, Any] | None) -> str | None:
    """As ComfyUI's server tells it; None for its own types, and for those that it does not have."""
    module = (definition or {}).get("python_module", "")
    return module.removeprefix("custom_nodes.") if module.startswith("custom_nodes.") else None


def as_table(runs: Sequence[RunTwice]) -> str:
    """Of the examples before which anything was asked."""
    lines = [f"    first: {', '.join(KINDS)}; second: the same"]
    for run in runs:
        first, second = ("  ".join(map(str, each)) for each in zip(*map(run.count, KINDS), strict=True))
        if any(run.questions):
            lines.append(f"    {first}    {second}    {run.name}")
    return "\n".join(lines)


def _names(detail: str, risks: Iterable[str]) -> bool:
    """As a sentence of ours does, after a node's title and type."""
    return re.search(rf"[”)] (?:{'|'.join(risks)})[:.]", detail) is not None
