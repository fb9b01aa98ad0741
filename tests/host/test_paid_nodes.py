"""Nodes that are paid from a ComfyUI account, in a ComfyUI that has them: no run of one goes unasked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from dev.comfyui_process import running_comfyui
from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

# By type, whether the server tells a price.
PAID_TYPES = """async () => {
    const entries = Object.entries(await (await fetch("/object_info")).json());
    return Object.fromEntries(entries.flatMap(([type, { python_module: module, price_badge: badge }]) =>
        module.startsWith("comfy_api_nodes.") ? [[type, Boolean(badge)]] : []));
}"""
ASKED = """async (types) => {
    const { call, comfy } = window.bridgeInPage;
    const asked = {};
    for (const type of types) {
        app.graph.clear();
        comfy.edit((editor) => editor.addNode(type));
        const confirm = async (request) => ((asked[type] ??= []).push(request), false);
        const [{ id, widgets }] = comfy.graph([]).nodes;
        const number = widgets.find(({ kind }) => kind === "integer");
        const vary = number && [{ node: id, widget: number.name, values: [number.value, number.value + 1] }];
        const seeds = widgets.some(({ name }) => name === "seed") ? [1, 2] : undefined;
        const runs = [{}, { until: id }, ...(vary ? [{ vary }] : []), ...(seeds ? [{ seeds }] : [])];
        for (const given of runs) await call("executeWorkflow", given, { thread: "1", confirm });
    }
    return asked;
}"""


@pytest.fixture(scope="module")
def page_with_paid_nodes(
    frontend: str, browser: Browser, bridge_script: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bridge]:
    base = tmp_path_factory.mktemp(f"paid-{frontend}")
    with running_comfyui(base, extension=None, frontend=frontend, has_api_nodes=True) as process:
        context = browser.new_context()
        comfy = ComfyPage(context.new_page(), process.url)
        comfy.open()
        yield Bridge(comfy.page, bridge_script)
        context.close()


@pytest.mark.slow
def test_each_is_asked_about_in_every_mode_with_its_price_and_never_for_good(
    page_with_paid_nodes: Bridge,
) -> None:
    page = page_with_paid_nodes.page
    types: dict[str, bool] = page.evaluate(PAID_TYPES)
    asked: dict[str, list[dict[str, Any]]] = page.evaluate(ASKED, list(types))

    assert len(types) > 100
    assert (
        sum(len(questions) > 2 for questions in asked.values()) > len(types) / 2
    )  # with seeds or other values
    assert [name for name in types if not all(map(is_of_money, asked.get(name, [{}])))] == []
    assert [
        name for name, has_price in types.items() if has_price and "is paid: " not in str(asked[name])
    ] == []


def is_of_money(question: dict[str, Any]) -> bool:
    """Asked in every mode, and no answer to it counts for the next run."""
    return "is paid" in question.get("detail", "") and question["always"] and question.get("same") is None
