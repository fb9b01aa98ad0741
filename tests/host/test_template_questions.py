"""How often a run of an official template is asked about in Auto mode, and how often in vain: `make test-templates`."""

from __future__ import annotations

import json

import pytest

from dev.templates import NEWEST, OF_THIS_COMFYUI
from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates

pytestmark = pytest.mark.all_templates

MOST_IN_VAIN = 0.02
# Whatever is asked is answered with no.
ASKED = """async (workflow) => {
    const { call, comfy } = window.bridgeInPage;
    app.graph.clear();
    const loaded = await call("applyWorkflow", { workflow, allowMissing: true });
    if (!loaded.ok) return loaded.error;
    const nodes = (await comfy.queue.prompt()).nodes;
    const paid = Object.values(nodes).some((node) =>
        comfy.nodeDefinition(node.class_type)?.isPaid);
    const asked = [];
    const confirm = async (request) => (asked.push(request), false);
    await call("executeWorkflow", {}, { confirm });
    return { paid, asked: asked.filter(({ always }) => always).map(({ detail }) => detail) };
}"""


def test_runs_of_templates_are_hardly_asked_about_in_vain(comfy: ComfyPage, bridge: Bridge) -> None:
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    in_vain: list[str] = []
    runs = 0
    for package_set in (OF_THIS_COMFYUI, NEWEST):
        for name, workflow in known_templates(package_set, definitions):
            found = comfy.page.evaluate(ASKED, json.dumps(workflow))
            if isinstance(found, str):
                continue
            runs += 1
            if found["asked"] and not found["paid"]:
                in_vain.append(f"{package_set} {name}: {found['asked']}")
    assert runs > 150
    assert len(in_vain) <= MOST_IN_VAIN * runs, in_vain
