"""What a model is shown of each official template in the first request after it has read the workflow."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tests.conftest  # noqa: F401, as the package that its modules are in
from bench.first_reading import ALL, Shown, reading_room, sent_result, shown_of
from bench.merged_templates import merged
from bench.report import Figure, Report
from bench.template_page import template_page
from dev.comfyui import FRONTEND
from dev.places import VOCABULARY
from dev.templates import NEWEST, OF_THIS_COMFYUI, workflow_files
from tests.host.official_templates import known_templates, read_workflow

WINDOWS = (16_000, 32_000, 64_000, 128_000)
WITH_VALUES, WITH_LINKS = 100, 300
MERGES = 10

READ = """async ([workflow, all, rooms]) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    // Into the one tab that there is: of others each reading tells the names.
    await app.loadGraphData(workflow, true, false, app.extensionManager.workflow.activeWorkflow, quiet);
    // The page takes links that a primitive cannot have out again once it is there.
    await new Promise((settled) => setTimeout(settled, 100));
    const { call } = window.bridgeInPage;
    const whole = await call("getWorkflowInfo", { view: "compact", values: "full" }, { room: all });
    const shown = [];
    for (const room of rooms) shown.push(await call("getWorkflowInfo", {}, { room }));
    return { whole, shown };
}"""


@dataclass(frozen=True)
class Read:
    window: int
    nodes: int
    is_outline: bool
    shown: Shown


def measure() -> Report:
    workflows = [read_workflow(path) for each in (OF_THIS_COMFYUI, NEWEST) for path in workflow_files(each)]
    reads: list[Read] = []
    with template_page() as page:
        templates = list(known_templates(OF_THIS_COMFYUI, page.definitions()))
        workflows += [merged(templates, random.Random(seed), WITH_LINKS) for seed in range(MERGES)]
        count = _token_counter()
        rooms = {window: reading_room(window, count) for window in WINDOWS}
        for workflow in workflows:
            found = page.evaluate(READ, [workflow, ALL, [room.tokens for room in rooms.values()]])
            for (window, room), output in zip(rooms.items(), found["shown"], strict=True):
                sent = sent_result(window, count, room, output)
                reads.append(read_of(window, found["whole"]["data"], sent))
    return Report(
        name="reading",
        title="What is shown of a workflow that was just read",
        how=(
            f"All {len(workflows) - MERGES} official templates of {OF_THIS_COMFYUI} and of the newest set, in frontend "
            f"{FRONTEND}, also those whose nodes this ComfyUI lacks, and {MERGES} merges of templates to {WITH_LINKS} "
            f"nodes beside notes. getWorkflowInfo is called in the page with the "
            "room that the call gets in the first turn of a chat, with the real rules and tools, and with a model "
            "not met before; what counts is what stands in the next request, beside the listing of all of it. A "
            "long text may be cut to its beginning, with a mark that says so; of links an outline has the nodes. "
            "Notes, which are never run, are not counted."
        ),
        figures=figures(reads),
        table=table(reads, {window: room.tokens for window, room in rooms.items()}),
    )


def _token_counter() -> Callable[[str], int]:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARY)
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def read_of(window: int, whole: Mapping[str, Any], sent: str) -> Read:
    data = json.loads(sent)["data"]
    shown = shown_of(whole["text"], data["text"])
    return Read(window, whole["nodes"], data.get("view") == "outline", shown)


def figures(reads: Sequence[Read]) -> list[Figure]:
    found: list[Figure] = []
    for window in WINDOWS:
        small = [read for read in reads if read.window == window and read.nodes <= WITH_VALUES]
        large = [read for read in reads if read.window == window and WITH_VALUES < read.nodes <= WITH_LINKS]
        name = f"{window // 1000}k"
        found += [
            _all(f"{name}: up to {WITH_VALUES} nodes, every id, link and set value", small, "has_all"),
            _all(f"{name}: up to {WITH_LINKS} nodes, every id and link", [*small, *large], "has_all_links"),
        ]
    return found


def _all(what: str, reads: Sequence[Read], question: str) -> Figure:
    good = sum(getattr(read.shown, question) for read in reads)
    return Figure(what, f"{good} of {len(reads)}", goal="all", reached=good == len(reads))


def table(reads: Sequence[Read], rooms: Mapping[int, int]) -> str:
    head = "| window | room of the reading | outlines | values | of them cut | nodes missing |"
    rows = []
    for window in WINDOWS:
        here = [read for read in reads if read.window == window]
        sums = Counter[str]()
        for read in here:
            sums.update(values=read.shown.values, cut=read.shown.cut, nodes=read.shown.lacks_nodes)
        outlines = sum(read.is_outline for read in here)
        rows.append(
            f"| {window:,} | {rooms[window]:,} | {outlines} | {sums['values']:,} | {sums['cut']:,} | {sums['nodes']} |"
        )
    return "\n".join([head, "|--:" * 6 + "|", *rows])
