from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.comfy.load_failures import LoadFailure
from comfyui_assistant.engine.comfy.node_definition import read_page_types
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.get_node_info import get_node_info
from comfyui_assistant.engine.tools.tool import run_server_tool


async def test_several_types_are_described_in_one_call(services):
    result = await run_server_tool(get_node_info, {"types": ["EmptyImage", "SaveImage"]}, services)

    assert result == {
        "ok": True,
        "summary": "Described EmptyImage, SaveImage.",
        "data": {
            "nodes": [
                {
                    "type": "EmptyImage",
                    "category": "image",
                    "inputs": {
                        "width": "INT, 1 to 16384, default 512",
                        "height": "INT, 1 to 16384, default 512",
                        "batch_size": "INT, 1 to 4096, default 1",
                        "color": "INT, 0 to 16777215, default 0",
                    },
                    "outputs": ["IMAGE"],
                },
                {
                    "type": "SaveImage",
                    "name": "Save Image",
                    "category": "image",
                    "description": "Saves the input images to your ComfyUI output directory.",
                    "inputs": {"images": "IMAGE", "filename_prefix": "STRING, default ComfyUI"},
                    "outputs": [],
                    "isOutputNode": True,
                },
            ]
        },
    }


async def test_one_type_alone_comes_with_its_tooltips(services):
    result = await run_server_tool(get_node_info, {"types": ["SaveImage"]}, services)

    assert result["data"]["nodes"][0]["inputs"]["images"] == "IMAGE. The images to save."


@pytest.mark.parametrize(
    "types",
    [
        pytest.param("KSampler", id="a bare name"),
        pytest.param("KSampler, VAEDecode", id="names with commas"),
        pytest.param('["KSampler", "VAEDecode"]', id="a list written as text"),
        pytest.param(["ksampler"], id="another case"),
        pytest.param(["KSampler", "KSampler"], id="the same twice"),
    ],
)
async def test_names_are_understood_as_models_write_them(services, types):
    result = await run_server_tool(get_node_info, {"types": types}, services)

    assert result["data"]["nodes"][0]["type"] == "KSampler"
    assert "notInstalled" not in result["data"]


async def test_a_display_name_that_only_one_type_has_is_enough(services):
    result = await run_server_tool(get_node_info, {"types": ["Load Checkpoint"]}, services)

    assert result["summary"] == "Described CheckpointLoaderSimple."


async def test_optional_inputs_stand_apart_and_outputs_keep_their_names(services):
    result = await run_server_tool(
        get_node_info, {"types": ["ControlNetApplyAdvanced", "CLIPLoader"]}, services
    )
    control_net, clip = result["data"]["nodes"]

    assert control_net["optionalInputs"] == {"vae": "VAE"}
    assert control_net["outputs"] == ["positive: CONDITIONING", "negative: CONDITIONING"]
    assert clip["optionalInputs"] == {"device": "one of: default, cpu"}


async def test_a_long_choice_list_is_shortened_with_its_length(services):
    result = await run_server_tool(get_node_info, {"types": ["KSampler", "SaveVideo"]}, services)
    sampler, video = result["data"]["nodes"]

    assert sampler["inputs"]["sampler_name"].startswith("one of 42: euler, euler_cfg_pp, ")
    assert sampler["inputs"]["sampler_name"].endswith(", … (search them with the argument choices)")
    assert video["inputs"]["format"] == "one of: auto, mp4, default auto"

    slim = await run_server_tool(get_node_info, {"types": ["KSampler"]}, replace(services, is_slim=True))
    assert slim["data"]["nodes"][0]["inputs"]["sampler_name"].split(". ")[0].endswith(", …")


@pytest.mark.parametrize(("tokens", "is_whole"), [(4_000, True), (300, False)])
async def test_files_that_can_be_counted_are_told_whole_where_there_is_room(
    comfy, services, tokens, is_whole
):
    files = [f"text-encoder-{number:02}-fp8_scaled.safetensors" for number in range(16)]
    comfy.object_info["Loads"] = {"input": {"required": {"clip_name": [files]}}}

    result = await run_server_tool(
        get_node_info, {"types": ["Loads"]}, replace(services, room=ResultBudget(tokens))
    )

    line = result["data"]["nodes"][0]["inputs"]["clip_name"]
    assert (line == f"one of: {', '.join(files)}") is is_whole
    assert line.startswith("one of 16: text-encoder-00") is not is_whole


async def test_a_long_choice_list_can_be_searched(services):
    result = await run_server_tool(
        get_node_info, {"types": ["KSamplerSelect"], "choices": "DPMPP 3m"}, services
    )

    assert result["data"]["nodes"][0]["inputs"]["sampler_name"] == (
        'one of 42, with "DPMPP 3m": dpmpp_3m_sde, dpmpp_3m_sde_gpu'
    )


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("DPM++ 3M SDE", 'with "DPM++ 3M SDE": dpmpp_3m_sde'),
        ("uni pc bh2", 'with "uni pc bh2": uni_pc_bh2'),
        ("dpm++ 2m karras", '"dpm++ 2m karras" is sampler_name dpmpp_2m, scheduler karras'),
    ],
)
async def test_a_sampler_is_found_as_people_write_it(services, query, told):
    result = await run_server_tool(get_node_info, {"types": ["KSamplerSelect"], "choices": query}, services)
    assert told in result["data"]["nodes"][0]["inputs"]["sampler_name"]


async def test_a_search_without_a_match_offers_the_closest_choices(services):
    result = await run_server_tool(get_node_info, {"types": ["KSamplerSelect"], "choices": "eulr"}, services)

    assert result["data"]["nodes"][0]["inputs"]["sampler_name"].startswith(
        'one of 42, none with "eulr"; closest: euler'
    )


async def test_a_list_of_2000_files_stays_small(services, comfy):
    files = [f"folder/model, version {number}.safetensors" for number in range(2_000)]
    comfy.object_info["Loader"] = {"input": {"required": {"file": (files,)}}, "output": ["MODEL"]}
    whole = await run_server_tool(get_node_info, {"types": ["Loader"]}, services)
    searched = await run_server_tool(get_node_info, {"types": ["Loader"], "choices": "version 1"}, services)

    assert len(str(whole["data"])) < 700
    assert '"folder/model, version 0.safetensors"' in whole["data"]["nodes"][0]["inputs"]["file"]
    assert searched["data"]["nodes"][0]["inputs"]["file"].endswith(
        ", and 1231 more: narrow choices with more words"
    )
    assert len(str(searched["data"])) < 2_500


async def test_an_empty_choice_list_says_so(services, comfy):
    comfy.object_info["Loader"] = {"input": {"required": {"file": ([],)}}, "output": ["MODEL"]}
    result = await run_server_tool(get_node_info, {"types": ["Loader"]}, services)

    assert result["data"]["nodes"][0]["inputs"]["file"].startswith("COMBO without any choice here")


async def test_known_types_are_described_beside_unknown_ones(services):
    result = await run_server_tool(get_node_info, {"types": ["KSamler", "VAEDecode"]}, services)

    assert [node["type"] for node in result["data"]["nodes"]] == ["VAEDecode"]
    assert result["data"]["notInstalled"]["KSamler"]["closest"][0] == "KSampler"
    assert result["summary"] == "Described VAEDecode. Not installed: KSamler."


async def test_an_unknown_type_fails_with_the_closest_names(services):
    result = await run_server_tool(get_node_info, {"types": ["ImageSave"]}, services)

    assert result["error"] == 'Not installed: "ImageSave".'
    assert "SaveImage" in result["hint"]
    assert result["hint"].endswith("searchInstalledNodes finds types by words.")


async def test_a_type_that_its_package_cannot_describe_is_told_apart(services, comfy):
    comfy.object_info["Broken"] = lambda: {}[1]
    result = await run_server_tool(get_node_info, {"types": ["Broken"]}, services)

    beside_others = await run_server_tool(
        get_node_info, {"types": ["KSampler", "Broken", "Absent"]}, services
    )

    assert result["error"] == "Broken is installed, but its package fails to describe it."
    assert beside_others["summary"] == (
        "Described KSampler. Not installed: Absent. Installed, but not described by its package: Broken."
    )
    assert beside_others["data"]["unreadable"] == ["Broken"]
    assert list(beside_others["data"]["notInstalled"]) == ["Absent"]


async def test_more_types_than_fit_are_named(services, comfy):
    names = list(comfy.object_info)[:15]
    result = await run_server_tool(get_node_info, {"types": names}, services)

    assert [node["type"] for node in result["data"]["nodes"]] == names[:12]
    assert result["data"]["notShown"] == names[12:]
    assert result["summary"].endswith(f" Not shown: {', '.join(names[12:])}.")


@pytest.mark.parametrize("types", [[], "", ["", " "]])
async def test_no_type_at_all_is_an_error_with_what_to_do(services, types):
    result = await run_server_tool(get_node_info, {"types": types}, services)

    assert result["hint"] == "Pass types; searchInstalledNodes finds them by words."


async def test_a_type_whose_module_did_not_load_is_told_with_the_reason(services, comfy):
    comfy.failures.append(LoadFailure("nodes_canny", "No module named 'kornia'", ("Canny",)))
    reason = "part of ComfyUI, its module nodes_canny did not load: No module named 'kornia'"
    alone = await run_server_tool(get_node_info, {"types": ["canny"]}, services)
    beside = await run_server_tool(get_node_info, {"types": ["Canny", "KSampler"]}, services)

    assert alone["error"] == f"Not installed: Canny is {reason}"
    assert beside["data"]["notInstalled"]["Canny"]["why"] == reason


async def test_a_paid_node_says_so(services, comfy):
    comfy.object_info["Dream"] = {
        "api_node": True,
        "price_badge": {"engine": "jsonata", "depends_on": {}, "expr": '{"type":"usd","usd":0.06}'},
    }
    result = await run_server_tool(get_node_info, {"types": ["Dream", "KSampler"]}, services)

    assert [node.get("price") for node in result["data"]["nodes"]] == ["paid, $0.06/Run", None]


async def test_objects_that_only_the_page_takes_are_told_with_their_files(services):
    told = {
        "name": "VAEDecode",
        "objects": {"lora_1": {"on": True, "lora": "None", "strength": 1}},
        "files": {"lora": "CheckpointLoaderSimple.ckpt_name"},
    }
    services.environment.set_page_types(read_page_types([told]))

    result = await run_server_tool(get_node_info, {"types": ["VAEDecode"], "choices": "xl"}, services)

    [node] = result["data"]["nodes"]
    assert (node["type"], "isPageOnly" in node) == ("VAEDecode", False)
    assert node["moreWidgets"]["lora_1"].startswith(
        "any number of widgets lora_1, lora_2, …, set as others are, each an object as "
        '{"on": true, "lora": "None", "strength": 1}; parts left out are as here. lora: one of'
    )


async def test_a_type_says_what_comfyui_has_in_its_place_and_one_that_is_gone_does_too(services, comfy):
    comfy.replacements = {
        "ImageScaleBy": [{"new_node_id": "ImageInvert"}],
        "Gone": [{"new_node_id": "ImageInvert"}],
    }
    comfy.object_info["ImageScaleBy"] = {"display_name": "Scale"}

    told = await run_server_tool(get_node_info, {"types": ["ImageScaleBy", "ImageInvert", "Gone"]}, services)

    replacements = {node["type"]: node.get("replacedBy") for node in told["data"]["nodes"]}
    assert replacements == {"ImageScaleBy": "ImageInvert", "ImageInvert": None}
    assert told["data"]["notInstalled"]["Gone"]["closest"][0] == "ImageInvert"
