"""Official templates, damaged and mended by the browser tools: `make test-templates`."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.templates import NODE_PACKAGES, OF_THIS_COMFYUI
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.checked_run import hold_the_queue, refusal, what_runs
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates, put_files
from tests.host.template_damage import DAMAGES, load

pytestmark = pytest.mark.all_templates

SEED = 7
REPAIRS = 60
OF_EACH_KIND = REPAIRS // len(DAMAGES)


@pytest.fixture(scope="module")
def comfyui_with_files(frontend: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"repairs-{frontend}")
    put_files(base)
    (base / "custom_nodes").mkdir()
    shutil.copy(Path(__file__).parent / "nodes" / "slow_nodes.py", base / "custom_nodes")
    environment = {"PYTHONPATH": str(NODE_PACKAGES)}
    with running_comfyui(base, extension=None, frontend=frontend, environment=environment) as process:
        yield process


def test_damaged_templates_are_mended_and_nothing_else_changes(
    comfyui_with_files: ComfyUIProcess, browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = browser.new_context()
    comfy = ComfyPage(context.new_page(), comfyui_with_files.url)
    comfy.open()
    bridge = Bridge(comfy.page, bundle_bridge(tmp_path / "bridge.js"))
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    hold_the_queue(bridge)
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
            assert list(differences(content(whole), content(bridge.saved()))) == [], case
            mended[kind] += 1
    with capsys.disabled():
        print(f"\nmended: {dict(mended)}")
    context.close()
    assert overlooked == []
    assert sum(mended.values()) >= REPAIRS
    assert set(mended) == set(DAMAGES)


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
