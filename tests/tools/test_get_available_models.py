from __future__ import annotations

import pytest
from comfyui_assistant.engine.tools.get_available_models import get_available_models
from comfyui_assistant.engine.tools.tool import run_server_tool

BASE = "sd_xl_base_1.0.safetensors"
OLD = "SD1.5/v1-5-pruned-emaonly.safetensors"
LORA = "add_detail.safetensors"
FLUX = "flux1-dev.safetensors"


@pytest.mark.parametrize(
    ("arguments", "models"),
    [
        pytest.param({}, {"checkpoints": [BASE, OLD], "diffusion_models": [FLUX], "loras": [LORA]}, id="all"),
        pytest.param({"folder": "loras"}, {"loras": [LORA]}, id="one folder"),
        pytest.param({"folder": "Checkpoint"}, {"checkpoints": [BASE, OLD]}, id="in the singular"),
        pytest.param({"folder": "diffusion models"}, {"diffusion_models": [FLUX]}, id="with a space"),
        pytest.param({"folder": "unet"}, {"diffusion_models": [FLUX]}, id="by its old name"),
        pytest.param({"query": "SDXL"}, {"checkpoints": [BASE]}, id="words anywhere"),
        pytest.param({"query": "v1.5 pruned"}, {"checkpoints": [OLD]}, id="several words"),
        pytest.param({"query": "detial lora"}, {"loras": [LORA]}, id="a close spelling and the folder"),
        pytest.param(
            {"folder": "", "query": " "},
            {"checkpoints": [BASE, OLD], "diffusion_models": [FLUX], "loras": [LORA]},
            id="blank arguments",
        ),
    ],
)
async def test_files_are_listed_by_folder_exactly_as_they_are_called(services, arguments, models):
    result = await run_server_tool(get_available_models, arguments, services)

    assert result["data"] == {"models": models}


async def test_the_summary_names_the_first_files(services):
    result = await run_server_tool(get_available_models, {}, services)

    assert result["summary"] == (
        f"4 model files in checkpoints, diffusion_models, loras: {BASE}, {OLD}, {FLUX}, …"
    )


async def test_many_files_are_only_counted_until_a_folder_is_named(services, comfy):
    comfy.models["loras"] = [f"lora{number:04}.safetensors" for number in range(2_000)]
    counted = await run_server_tool(get_available_models, {}, services)
    listed = await run_server_tool(get_available_models, {"folder": "loras"}, services)

    assert counted["data"]["folders"] == {"checkpoints": 2, "diffusion_models": 1, "loras": 2_000}
    shown = len(listed["data"]["models"]["loras"])
    assert services.room.holds(listed)
    assert shown > 100
    assert (listed["data"]["more"], listed["data"]["hint"]) == (2_000 - shown, "Narrow it with query.")


async def test_who_looks_for_pictures_is_sent_to_the_node_that_loads_them(services):
    result = await run_server_tool(get_available_models, {"folder": "input"}, services)

    assert result["error"] == '"input" is no model folder.'
    assert 'getNodeInfo {"types":["LoadImage"]}' in result["hint"]


async def test_an_unknown_folder_fails_with_the_closest_and_all(services):
    result = await run_server_tool(get_available_models, {"folder": "lorra"}, services)

    assert result["error"] == 'There is no model folder "lorra".'
    assert result["hint"] == "Closest: loras. All: checkpoints, diffusion_models, loras, vae."


async def test_a_query_without_a_match_offers_the_closest_files(services):
    result = await run_server_tool(get_available_models, {"query": "flux_dev.safetensor"}, services)

    assert result["error"] == 'No file in any model folder matches "flux_dev.safetensor".'
    assert result["hint"].startswith(f"Closest: {FLUX}")


async def test_few_files_are_all_named_where_none_is_like_the_query(services):
    result = await run_server_tool(get_available_models, {"folder": "loras", "query": "4x"}, services)

    assert result["error"] == 'No file in loras matches "4x".'
    assert result["hint"].startswith("All: ")


async def test_files_with_some_of_the_words_are_offered_when_none_has_all(services):
    result = await run_server_tool(get_available_models, {"query": "flux base 1.0"}, services)

    assert result["hint"].startswith(f"Closest: {BASE}, {FLUX}")


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        ({"folder": "vae"}, "The model folder vae is empty."),
        ({"folder": "vae", "query": "x"}, "The model folder vae is empty."),
    ],
)
async def test_an_empty_folder_is_an_answer(services, arguments, summary):
    result = await run_server_tool(get_available_models, arguments, services)

    assert result["summary"] == summary
    assert result["data"]["hint"].startswith("findMissing fetches")


async def test_no_models_at_all_is_an_answer(services, comfy):
    comfy.models = {"checkpoints": [], "loras": []}
    result = await run_server_tool(get_available_models, {}, services)

    assert result["summary"] == "No model file is installed."


async def test_a_file_name_that_is_not_utf8_is_shown_with_a_replacement_character(services, comfy):
    comfy.models["loras"] = ["caf\udce9.safetensors"]

    result = await run_server_tool(get_available_models, {"folder": "loras"}, services)

    assert result["data"] == {"models": {"loras": ["caf\ufffd.safetensors"]}}
    assert "caf\ufffd.safetensors" in result["summary"]


async def test_files_are_listed_with_their_sizes_where_these_are_known(services, comfy, tmp_path):
    comfy.directory = tmp_path
    folder = tmp_path / "models/checkpoints"
    (folder / "SD1.5").mkdir(parents=True)
    for name, size in ((BASE, 6_938_078_334), (OLD, 0)):
        with (folder / name).open("wb") as file:
            file.truncate(size)
    result = await run_server_tool(get_available_models, {}, services)

    assert result["data"]["models"] == {
        "checkpoints": {BASE: "6.9 GB", OLD: ""},
        "diffusion_models": [FLUX],
        "loras": [LORA],
    }


async def test_only_what_there_is_room_for_is_asked_for_its_size(services, comfy, monkeypatch):
    asked = []
    monkeypatch.setattr(
        services.environment, "model_size", lambda folder, file: asked.append(file) or 1_000_000
    )
    comfy.models["loras"] = [f"lora{number:04}.safetensors" for number in range(5_000)]
    result = await run_server_tool(get_available_models, {"folder": "loras"}, services)

    shown = result["data"]["models"]["loras"]
    assert services.room.holds(result)
    assert set(shown.values()) == {"1 MB"}
    assert len(shown) + result["data"]["more"] == 5_000
    assert len(asked) < 1_000
