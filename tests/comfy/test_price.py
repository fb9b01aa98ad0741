from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.price import price_of

RECORDED = json.loads((Path(__file__).parents[1] / "fixtures/paid_nodes.json").read_bytes())


def badge(expression: str, *widgets: str) -> dict[str, Any]:
    depends_on = {"widgets": [{"name": name, "type": "COMBO"} for name in widgets]}
    return {
        "api_node": True,
        "price_badge": {"engine": "jsonata", "depends_on": depends_on, "expr": expression},
    }


@pytest.mark.parametrize(
    ("info", "price"),
    [
        pytest.param({"category": "sampling"}, "", id="free"),
        pytest.param({"python_module": None}, "", id="without a module"),
        pytest.param({"category": "api node/image/BFL"}, "", id="a category that anybody may take"),
        pytest.param({"api_node": True}, "paid", id="told by itself"),
        pytest.param({"python_module": "comfy_api_nodes.nodes_bfl"}, "paid", id="told by its module"),
        pytest.param(badge('{"type":"usd","usd":0.06}'), "paid, $0.06/Run", id="one price"),
        pytest.param(
            badge('{"type": "usd", "usd": 0.5, "format": {"suffix": "/second", "approximate": true}}'),
            "paid, ~$0.5/second",
            id="with its own words",
        ),
        pytest.param(
            badge('{"type":"range_usd","min_usd":0.04,"max_usd":0.12}'), "paid, $0.04-$0.12/Run", id="a range"
        ),
        pytest.param(badge('{"type":"text","text":"Token-based"}'), "paid, Token-based", id="a text"),
        pytest.param(
            badge('{"type":"usd","usd": 0.05 * widgets.n}', "n", "quality"),
            "paid, by n, quality",
            id="computed",
        ),
        pytest.param({"api_node": True, "price_badge": {"expr": None}}, "paid", id="broken"),
        pytest.param({"api_node": True, "price_badge": {"expr": '{"usd": "x"}'}}, "paid", id="no number"),
    ],
)
def test_the_price_is_told_as_far_as_the_definition_tells_it(info: dict[str, Any], price: str) -> None:
    assert price_of(info) == price


@pytest.mark.parametrize("version", RECORDED)
def test_every_node_that_comfyui_sells_has_a_price(version: str) -> None:
    definitions = [read_node_definition(name, info) for name, info in RECORDED[version].items()]

    assert [definition.type for definition in definitions if not definition.price] == []
