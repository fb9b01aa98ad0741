from __future__ import annotations

import pytest
from comfyui_assistant.engine.tools.search_installed_nodes import search_installed_nodes
from comfyui_assistant.engine.tools.tool import run_server_tool


async def test_the_best_matches_come_with_what_is_needed_to_choose(services):
    result = await run_server_tool(search_installed_nodes, {"query": "save image", "limit": 1}, services)

    assert result == {
        "ok": True,
        "summary": result["summary"],
        "data": {
            "nodes": [
                {
                    "type": "SaveImage",
                    "name": "Save Image",
                    "category": "image",
                    "about": "Saves the input images to your ComfyUI output directory.",
                    "outputs": [],
                }
            ],
            "more": result["data"]["more"],
        },
    }
    assert result["summary"].endswith('node types match "save image": SaveImage, ….')


@pytest.mark.parametrize(("limit", "listed"), [(-5, 1), (3, 3), ("4", 4), (1_000, 50)])
async def test_the_list_has_a_sane_length_whatever_is_asked(services, comfy, limit, listed):
    comfy.object_info.update({f"Image{number}": comfy.object_info["EmptyImage"] for number in range(60)})
    result = await run_server_tool(search_installed_nodes, {"query": "image", "limit": limit}, services)

    assert len(result["data"]["nodes"]) == listed


async def test_one_match_reads_as_one(services):
    result = await run_server_tool(search_installed_nodes, {"query": "fluxguidance"}, services)

    assert result["summary"] == '1 node type matches "fluxguidance": FluxGuidance.'


async def test_deprecated_types_and_packages_are_marked(services, comfy):
    comfy.object_info["OldBlur"] = {
        "display_name": "Old Blur",
        "category": "blur",
        "description": "word " * 100,
        "output": ["IMAGE"],
        "python_module": "custom_nodes.blur-pack",
        "deprecated": True,
    }
    result = await run_server_tool(search_installed_nodes, {"query": "old blur"}, services)
    [entry] = [entry for entry in result["data"]["nodes"] if entry["type"] == "OldBlur"]

    assert (entry["package"], entry["deprecated"], entry["outputs"]) == ("blur-pack", True, ["IMAGE"])
    assert entry["about"].endswith("word…")
    assert len(entry["about"]) <= 120


@pytest.mark.parametrize("query", ["qqqqqq", "", "зебра"])
async def test_finding_nothing_says_what_to_try(services, query):
    result = await run_server_tool(search_installed_nodes, {"query": query}, services)

    assert result["error"] == f'None of the 49 installed node types matches "{query}".'
    assert result["hint"].startswith("Try fewer or other English words.")
