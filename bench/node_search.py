"""How often the node type that somebody means is found, and how fast."""

from __future__ import annotations

import json
import string
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bench.node_queries import FIXTURES, missed, recorded_queries
from bench.percentiles import percentile
from bench.report import Figure, Report, at_most
from engine.comfy.node_definition import NodeDefinition, read_node_definition
from engine.comfy.search import NodeIndex

MANY = 3_000
NEWEST_FILES = ("newest-development", "newest-held-out", "newest-unseen")
FILES = ("development", "held-out", "unseen", "development-typos", "held-out-typos")
GOALS = {
    "held-out": 0.9,
    "unseen": 0.8,
    "held-out-typos": 0.8,
    "newest-held-out": 0.95,
    "newest-unseen": 0.85,
}


def measure() -> Report:
    recorded = _recorded("core_nodes.json")
    core = [read_node_definition(name, info) for name, info in recorded.items()]
    index = NodeIndex.build(core)
    newest = [read_node_definition(name, info) for name, info in _recorded("newest_nodes.json").items()]
    newest_index = NodeIndex.build(newest)
    large = NodeIndex.build(_as_packages(core))
    queries = [query for name in FILES for query, _ in recorded_queries(name)]
    worked, took = zip(*(_milliseconds(large, query) for query in queries), strict=True)
    return Report(
        name="node-search",
        title="Finding node types",
        how=(
            f"Plain questions from `tests/fixtures/node_queries` over the {len(core)} core node types, without the "
            "official help pages: how often an accepted type is among the first three. The newest are asked for over "
            f"the {len(newest)} types of a newer ComfyUI, paid ones among them, without descriptions. Ranking was "
            "tuned on the development queries only. Times are for all the others over the same core nodes, repeated "
            f"under other names up to {MANY:,} types: the processor's, and the clock's, which other work on the "
            "machine lengthens."
        ),
        figures=[
            *(_hits(name, index) for name in FILES),
            *(_hits(name, newest_index) for name in NEWEST_FILES),
            at_most(f"one search of {MANY:,} types, processor time, p95", percentile(worked, 95), 20, "ms"),
            Figure("the same by the clock, p95", f"{percentile(took, 95):.1f} ms"),
            Figure("the same by the clock, p50", f"{percentile(took, 50):.1f} ms"),
        ],
    )


def _recorded(file: str) -> dict[str, Any]:
    return json.loads((FIXTURES / file).read_text(encoding="utf-8"))


def _hits(name: str, index: NodeIndex) -> Figure:
    queries = recorded_queries(name)
    wrong = missed(queries, lambda query: [definition.type for definition in index.search(query)])
    share = 1 - len(wrong) / len(queries)
    goal = GOALS.get(name)
    return Figure(
        f"{name.replace('-', ' ')}, {len(queries)} queries, top 3",
        f"{share:.0%}",
        goal=f"≥ {goal:.0%}" if goal else "",
        reached=share >= goal if goal else None,
    )


def _as_packages(core: Sequence[NodeDefinition]) -> list[NodeDefinition]:
    """The same nodes again and again, as packages would bring them."""
    packages = [None, *string.ascii_uppercase]
    named = [
        replace(definition, type=f"{definition.type}{package or ''}", package=package and f"pack-{package}")
        for package in packages
        for definition in core
    ]
    return named[:MANY]


def _milliseconds(index: NodeIndex, query: str) -> tuple[float, float]:
    """Of this thread's processor time, and by the clock."""
    worked, began = time.thread_time(), time.perf_counter()
    index.search(query)
    return (time.thread_time() - worked) * 1_000, (time.perf_counter() - began) * 1_000
