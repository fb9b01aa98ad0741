"""How many tokens a workflow costs a model in compact form, and how fast it is read and applied."""

from __future__ import annotations

import copy
import json
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.percentiles import percentile
from bench.report import Figure, Report, at_most
from bench.template_page import template_page
from dev.comfyui import FRONTEND
from dev.places import VOCABULARY
from dev.templates import OF_THIS_COMFYUI
from tests.host.official_templates import known_templates

Json = dict[str, Any]

MERGES = 20
MERGED_NODES = 300
LARGE_NODES = 1_000
MERGES_TO_A_PAGE = 5
NOTES = ("Note", "MarkdownNote")

READ = """async (workflow) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    await app.loadGraphData(workflow, true, false, null, quiet);
    const { call } = window.bridgeInPage;
    const read = async (args) => (await call("getWorkflowInfo", args)).data.text;
    await read({ view: "compact" });
    const began = performance.now();
    const compact = await read({ view: "compact" });
    const reading = performance.now() - began;
    return {
        compact,
        reading,
        full: await read({ view: "compact", values: "full" }),
        outline: await read({ view: "outline" }),
        api: (await app.graphToPrompt()).output,
    };
}"""

APPLY = """async (text) => {
    app.graph.clear();
    const began = performance.now();
    const result = await window.bridgeInPage.call("applyWorkflow", { workflow: text, allowMissing: true });
    if (!result.ok) throw new Error(result.error);
    return performance.now() - began;
}"""


@dataclass(frozen=True)
class Sizes:
    """Tokens of one workflow. `same` has just what the API form has: active nodes, their links and values."""

    ui: int
    compact: int
    outline: int
    api: int
    same: int


def measure() -> Report:
    with template_page() as page:
        count = token_counter()
        templates = list(known_templates(OF_THIS_COMFYUI, page.definitions()))
        sizes = [sizes_of(workflow, page.evaluate(READ, workflow), count) for _, workflow in templates]
        merges = [merged(templates, random.Random(seed)) for seed in range(MERGES)]
        large = []
        for workflow in merges:
            read = page.evaluate(READ, workflow, fresh_every=2 * MERGES_TO_A_PAGE)
            large.append((read, page.evaluate(APPLY, read["full"], fresh_every=2 * MERGES_TO_A_PAGE)))
        very_large = page.evaluate(READ, merged(templates, random.Random(0), LARGE_NODES), fresh_every=1)
    return Report(
        name="workflow-size",
        title="Workflows in compact form",
        how=(
            f"The {len(templates)} official templates of {OF_THIS_COMFYUI} whose nodes ComfyUI has, in frontend "
            f"{FRONTEND}; o200k tokens of minified JSON and of what getWorkflowInfo gives (values cut at 200 "
            "characters and notes at 80, above 150 nodes at 120 and 40, above 250 at 60 and 20; all files count as "
            "missing, for no model is installed). The same content: only what the API form has, all values whole. "
            f"{MERGES} merges of templates to {MERGED_NODES} nodes beside notes, and one to {LARGE_NODES:,}."
        ),
        figures=[
            *ratio_figures(sizes),
            *large_figures(large, count),
            at_most(f"{LARGE_NODES:,} nodes, outline", count(very_large["outline"]), 4_000, "tokens", 0),
        ],
    )


def token_counter():
    import os

    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARY)
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def sizes_of(workflow: Json, read: Mapping[str, Any], count) -> Sizes:
    prompt = {
        node_id: {"class_type": node.get("class_type"), "inputs": node["inputs"]}
        for node_id, node in read["api"].items()
    }
    return Sizes(
        ui=count(minified(workflow)),
        compact=count(read["compact"]),
        outline=count(read["outline"]),
        api=count(minified(prompt)),
        same=count(as_much_as_the_prompt(read["full"])),
    )


def minified(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_much_as_the_prompt(text: str) -> str:
    """The compact form without notes, groups, titles, remarks, and nodes that are not run."""
    kept = []
    for line in text.splitlines():
        words = line.split(" ", 2)
        if line.startswith("group ") or (len(words) > 1 and words[1] in NOTES):
            continue
        rest = words[2] if len(words) > 2 else ""
        if rest.startswith('"'):
            _, end = json.JSONDecoder().raw_decode(rest)
            if rest[end : end + 1] not in ("<", "="):
                rest = rest[end:].strip()
        if rest.startswith(("bypassed", "muted")):
            continue
        kept.append(" ".join([*words[:2], rest]).replace("(missing)", "").strip())
    return "\n".join(kept)


def merged(templates: Sequence[tuple[str, Json]], chance: random.Random, count: int = MERGED_NODES) -> Json:
    """Templates without subgraphs side by side, which together have so many nodes beside notes, or a few less."""
    nodes: list[Json] = []
    links: list[list[Any]] = []
    groups: list[Json] = []
    flat = [workflow for name, workflow in templates if "definitions" not in workflow and "api" not in name]
    for right, workflow in enumerate(_filling(flat, chance, count)):
        first_node, first_link = len(nodes) + 1, len(links) + 1
        ids = {node["id"]: first_node + index for index, node in enumerate(workflow["nodes"])}
        link_ids = {link[0]: first_link + index for index, link in enumerate(workflow["links"])}
        for node in copy.deepcopy(workflow["nodes"]):
            node["id"] = ids[node["id"]]
            for slot in node.get("inputs") or []:
                slot["link"] = link_ids.get(slot.get("link"))
            for slot in node.get("outputs") or []:
                slot["links"] = [link_ids[link] for link in slot.get("links") or [] if link in link_ids]
            node["pos"] = [_at(node["pos"], 0) + 6000 * right, _at(node["pos"], 1)]
            nodes.append(node)
        for number, origin, slot, target, into, kind in workflow["links"]:
            if origin in ids and target in ids:
                links.append([link_ids[number], ids[origin], slot, ids[target], into, kind])
        for group in copy.deepcopy(workflow.get("groups", [])):
            group["bounding"][0] += 6000 * right
            groups.append(group)
    return {
        "id": "30000000-0000-4000-8000-000000000000",
        "revision": 0,
        "last_node_id": len(nodes),
        "last_link_id": max((link[0] for link in links), default=0),
        "nodes": nodes,
        "links": links,
        "groups": groups,
        "config": {},
        "extra": {},
        "version": 0.4,
    }


def _filling(workflows: Sequence[Json], chance: random.Random, room: int) -> Iterator[Json]:
    while fitting := [workflow for workflow in workflows if _beside_notes(workflow) <= room]:
        workflow = chance.choice(fitting)
        room -= _beside_notes(workflow)
        yield workflow


def _beside_notes(workflow: Json) -> int:
    return sum(node["type"] not in NOTES for node in workflow["nodes"])


def _at(numbers: Any, index: int) -> float:
    return numbers[index] if isinstance(numbers, list) else numbers[str(index)]


def ratio_figures(sizes: Sequence[Sizes]) -> list[Figure]:
    by_compact = [each.ui / each.compact for each in sizes]
    same = [each.api / each.same for each in sizes if each.api > 20]
    outline = [each.ui / each.outline for each in sizes]
    return [
        at_least("editor's JSON / compact, median", statistics.median(by_compact), 7),
        at_least("the same, 10th percentile", percentile(by_compact, 10), 5),
        at_least("API's JSON / compact, same content, median", statistics.median(same), 1.6),
        at_least("editor's JSON / outline, median", statistics.median(outline), 20),
    ]


def large_figures(large: Sequence[tuple[Mapping[str, Any], float]], count) -> list[Figure]:
    outline = [count(read["outline"]) for read, _ in large]
    compact = [count(read["compact"]) for read, _ in large]
    reading = [read["reading"] for read, _ in large]
    applying = [milliseconds / 1000 for _, milliseconds in large]
    return [
        at_most(f"{MERGED_NODES} nodes, outline, largest", max(outline), 4_000, "tokens", 0),
        at_most(f"{MERGED_NODES} nodes, compact, largest", max(compact), 10_000, "tokens", 0),
        Figure(
            "the same, median",
            f"{statistics.median(outline):,.0f} and {statistics.median(compact):,.0f} tokens",
        ),
        at_most(f"reading {MERGED_NODES} nodes, median", statistics.median(reading), 100, "ms", 0),
        at_most(f"applying {MERGED_NODES} nodes, median", statistics.median(applying), 1.5, "s", 2),
    ]


def at_least(what: str, measured: float, goal: float) -> Figure:
    return Figure(what, f"{measured:.2f} times", goal=f"≥ {goal:g} times", reached=measured >= goal)
