from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.registry.node_registry import RegisteredPackage
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools import SERVER_TOOLS
from comfyui_assistant.engine.tools.fitting import first_that_fit
from comfyui_assistant.engine.tools.tool import ToolResult, run_server_tool, success


def listed(names: Sequence[str]) -> ToolResult:
    return success("Names.", {"names": names, "more": 40 - len(names)})


@pytest.mark.parametrize(
    ("tokens", "count"), [(1_000, 40), (100, 16), (1, 1)], ids=["all", "as many as fit", "one in any case"]
)
def test_a_list_is_as_long_as_its_room_allows(tokens: int, count: int) -> None:
    names = [f"name-{number:02}" for number in range(40)]
    assert first_that_fit(names, ResultBudget(tokens), listed) == listed(names[:count])


def test_an_empty_list_is_a_result_too() -> None:
    assert first_that_fit([], ResultBudget(1), listed) == listed([])


PACKAGES = [
    RegisteredPackage(f"package-{number}", f"Package {number}", "Draws. " * 20, "", "", "", 0)
    for number in range(8)
]


@pytest.mark.parametrize(
    ("tool", "arguments", "where", "total"),
    [
        ("searchInstalledNodes", {"query": "image", "limit": 50}, "nodes", None),
        ("getNodeInfo", {"types": ["KSampler", "LoraLoader", "VAEDecode", "SaveImage"]}, "nodes", 4),
        ("getAvailableModels", {"folder": "loras"}, "models", 2_000),
        ("searchNodeRegistry", {"query": "package"}, "packages", 8),
    ],
)
async def test_a_tool_leaves_out_whole_entries_and_says_how_many(
    services, comfy, tool: str, arguments: dict[str, Any], where: str, total: int | None
) -> None:
    comfy.models["loras"] = [f"lora{number:04}.safetensors" for number in range(2_000)]
    services.registry.packages = PACKAGES
    [called] = [each for each in SERVER_TOOLS if each.name == tool]
    shown = {}
    for tokens in (300, 8_000):
        room = ResultBudget(tokens)
        result = await run_server_tool(called, arguments, replace(services, room=room))
        assert room.holds(result)
        data = result["data"]
        entries = data[where]["loras"] if where == "models" else data[where]
        more = data.get("more", 0) + len(data.get("notShown", []))
        shown[tokens] = (entries, len(entries) + more)
    few, many = shown[300][0], shown[8_000][0]
    assert len(few) < len(many)
    assert few == many[: len(few)]
    assert shown[300][1] == shown[8_000][1] == (total or shown[300][1])
