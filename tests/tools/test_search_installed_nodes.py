from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.host import HelpFolder
from comfyui_assistant.engine.comfy.load_failures import LoadFailure
from comfyui_assistant.engine.tools.search_installed_nodes import search_installed_nodes
from comfyui_assistant.engine.tools.tool import run_server_tool

NEWEST = json.loads((Path(__file__).parents[1] / "fixtures" / "newest_nodes.json").read_text("utf-8"))


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
                    "inputs": ["IMAGE"],
                    "outputs": [],
                }
            ],
            "more": result["data"]["more"],
            "hint": "More words narrow it; limit shows up to 50, as far as there is room.",
        },
    }
    assert result["summary"].endswith('node types match "save image": SaveImage, ….')


async def test_a_small_model_hears_of_no_argument_that_it_is_not_offered(services):
    result = await run_server_tool(
        search_installed_nodes, {"query": "image"}, replace(services, is_slim=True)
    )
    assert result["data"]["more"] > 0
    assert result["data"]["hint"] == "More words narrow it."


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


@pytest.mark.parametrize(
    ("slots", "types"),
    [
        ({"inputType": "LATENT"}, {"VAEDecode"}),
        ({"outputType": "latent"}, {"VAEEncode", "VAEEncodeForInpaint"}),
        ({"inputType": "VAE", "outputType": "IMAGE"}, {"VAEDecode"}),
    ],
)
async def test_types_can_be_asked_for_by_what_they_take_and_give(services, slots, types):
    result = await run_server_tool(search_installed_nodes, {"query": "vae", **slots}, services)

    assert {entry["type"] for entry in result["data"]["nodes"]} == types
    assert result["summary"].split(" match")[0].endswith(("input", "output"))


async def test_slots_that_no_match_has_are_told_with_the_best_matches(services):
    asked = {"query": "vae decode", "inputType": "AUDIO"}
    result = await run_server_tool(search_installed_nodes, asked, services)

    assert result["error"] == '1 node type matches "vae decode", but none has AUDIO input.'
    assert result["hint"].endswith("the best are VAEDecode.")


async def test_a_type_without_a_description_is_told_about_by_its_help_page_or_in_plain_words(
    services, comfy, tmp_path
):
    (tmp_path / "VAEEncode.md").write_text("# Encode\n\nTurns pixels into latents.", encoding="utf-8")
    comfy.help_pages.append(HelpFolder(tmp_path))
    for node_type in ("VAEEncode", "ImageScaleBy"):
        comfy.object_info[node_type] = {**comfy.object_info["EmptyImage"], "display_name": node_type}
    encode = await run_server_tool(search_installed_nodes, {"query": "VAEEncode", "limit": 1}, services)
    scale = await run_server_tool(search_installed_nodes, {"query": "ImageScaleBy", "limit": 1}, services)

    assert encode["data"]["nodes"][0]["about"] == "Turns pixels into latents."
    assert scale["data"]["nodes"][0]["about"].startswith("resize enlarge shrink picture by factor")


async def test_a_type_that_did_not_load_is_told_beside_what_was_found(services, comfy):
    comfy.failures.append(LoadFailure("nodes_canny", "No module named 'kornia'", ("Canny",)))
    result = await run_server_tool(search_installed_nodes, {"query": "canny edge"}, services)

    reason = "part of ComfyUI, its module nodes_canny did not load: No module named 'kornia'"
    assert result["data"]["notInstalled"] == {"Canny": reason}
    assert result["summary"].endswith(f"Not installed: Canny is {reason}.")


async def test_what_only_comes_near_is_not_told_as_a_match(services):
    result = await run_server_tool(search_installed_nodes, {"query": "kornia image"}, services)

    assert result["summary"].startswith('No type is named "kornia"; nearest: ')


async def test_a_free_node_comes_before_a_paid_one_and_the_price_is_told(services, comfy):
    paid = {"display_name": "Save Picture", "api_node": True, "description": "Save an image."}
    comfy.object_info["SavePicture"] = paid
    asked = {"query": "save picture to disk", "limit": 50}
    nodes = (await run_server_tool(search_installed_nodes, asked, services))["data"]["nodes"]

    prices = {node["type"]: node.get("price") for node in nodes}
    assert next(iter(prices)) == "SaveImage"
    assert prices["SavePicture"] == "paid"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "slots", "node_type"),
    [
        pytest.param(
            "resize image mask",
            {"inputType": "IMAGE", "outputType": "IMAGE"},
            "ResizeImageMaskNode",
            id="matched",
        ),
        pytest.param(
            "resize image mask", {"inputType": "MASK"}, "ResizeImageMaskNode", id="one of two types"
        ),
        pytest.param(
            "batch images", {"inputType": "IMAGE", "outputType": "IMAGE"}, "BatchImagesNode", id="growing"
        ),
        pytest.param(
            "infinite talk", {"inputType": "MASK"}, "WanInfiniteTalkToVideo", id="brought by a choice"
        ),
    ],
)
async def test_slots_that_come_with_a_choice_grow_or_match_are_seen(services, comfy, query, slots, node_type):
    comfy.object_info.update(NEWEST)
    result = await run_server_tool(search_installed_nodes, {"query": query, **slots}, services)

    assert result["data"]["nodes"][0]["type"] == node_type


@pytest.mark.slow
async def test_types_that_several_fit_are_told_in_words(services, comfy):
    comfy.object_info.update(NEWEST)
    result = await run_server_tool(search_installed_nodes, {"query": "ResizeImageMaskNode"}, services)
    resize = result["data"]["nodes"][0]

    assert (resize["inputs"], resize["outputs"]) == (["IMAGE or MASK"], ["IMAGE or MASK"])
