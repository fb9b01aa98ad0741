"""Official templates, damaged and mended by the browser tools: `make test-templates`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from dev.templates import OF_THIS_COMFYUI
from tests.host.checked_run import CheckedPage, refusal, what_runs
from tests.host.official_templates import known_templates
from tests.host.template_damage import DAMAGES, Damage, load

pytestmark = pytest.mark.all_templates

SEED = 7
REPAIRS = 60
OF_EACH_KIND = REPAIRS // len(DAMAGES)


def test_damaged_templates_are_mended_and_nothing_else_changes(
    checked_page: CheckedPage, capsys: pytest.CaptureFixture[str]
) -> None:
    comfy, bridge, definitions = checked_page.comfy, checked_page.bridge, checked_page.definitions
    random = Random(SEED)
    mended: Counter[str] = Counter()
    overlooked: list[str] = []
    templates = list(known_templates(OF_THIS_COMFYUI, definitions))
    for name, workflow in random.sample(templates, len(templates)):
        if sum(mended.values()) >= REPAIRS:
            break
        load(bridge, workflow)
        whole, prompt = bridge.saved(), what_runs(comfy)
        if refusal(bridge):
            continue
        for kind, damage_in in DAMAGES.items():
            if mended[kind] >= OF_EACH_KIND + 2:
                continue
            damage = next(damage_in(bridge, prompt, definitions, random), None)
            if damage is None:
                continue
            case = f"{name}: {kind}, node {damage.node} {damage.type}"
            problems = bridge.call("validateWorkflow", {})["data"]["problems"]
            is_named = any(
                problem.get("node") == f"{damage.node} {damage.type}"
                and problem.get("input") in (damage.input, None)
                for problem in problems
            )
            if damage.is_found and not is_named:
                overlooked.append(f"{case}: {problems[:2]}")
            bridge.call("getWorkflowInfo", {})

            result = bridge.edit(*damage.repair)

            assert result["ok"], f"{case}: {result}"
            assert not refusal(bridge), case
            assert what_runs(comfy) == prompt, case
            left = list(differences(content(whole), content(bridge.saved())))
            # A node of the usual size may not fit where its author's smaller one stood.
            assert [each for each in left if not is_place_of(damage, each)] == [], case
            mended[kind] += 1
    with capsys.disabled():
        print(f"\nmended: {dict(mended)}")
    assert overlooked == []
    assert sum(mended.values()) >= REPAIRS
    assert set(mended) == set(DAMAGES)


def is_place_of(damage: Damage, difference: str) -> bool:
    return damage.kind == "missing node" and difference.startswith(f"//nodes/{damage.node}/pos:")


def content(saved: str) -> Mapping[str, Any]:
    """A saved workflow without what ComfyUI counts anew by itself: sizes, the order of running, the ids of links."""
    workflow = json.loads(saved)
    graphs = {
        "": workflow,
        **{each["id"]: each for each in workflow.get("definitions", {}).get("subgraphs", [])},
    }
    return {key: graph_content(graph) for key, graph in graphs.items()}


def graph_content(graph: Mapping[str, Any]) -> Mapping[str, Any]:
    fields = ("type", "pos", "mode", "title", "color", "bgcolor", "widgets_values")
    ends = ("origin_id", "origin_slot", "target_id", "target_slot")
    links = [
        [link[end] for end in ends] if isinstance(link, dict) else link[1:5]
        for link in graph.get("links", [])
    ]
    return {
        "nodes": {
            str(node["id"]): {field: node.get(field) or None for field in fields} for node in graph["nodes"]
        },
        "links": sorted([[str(end) for end in link] for link in links]),
        "groups": graph.get("groups"),
    }


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from differences(before.get(key), after.get(key), f"{path}/{key}")
    elif before != after:
        yield f"{path}: {before!r} became {after!r}"
