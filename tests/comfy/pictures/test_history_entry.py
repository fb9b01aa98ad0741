from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.comfy.pictures.history_entry import history_entry

from ...run_history import record


def test_texts_seeds_models_files_and_workflow_are_read_from_the_record() -> None:
    run = history_entry("p1", record("a red fox"))
    assert run is not None
    assert (run.texts, run.seeds, run.models) == (("a red fox",), (7,), ("sdxl.safetensors",))
    assert run.files == ({"filename": "fox.png", "subfolder": "", "type": "output"},)
    assert run.workflow == '{"nodes": [], "links": [], "version": 0.4}'


def test_what_was_saved_comes_before_previews() -> None:
    kept = record("a fox")
    kept["outputs"]["8"] = {"images": [{"filename": "preview.png", "subfolder": "", "type": "temp"}]}
    kept["outputs"] = {"8": kept["outputs"]["8"], "9": kept["outputs"]["9"]}
    run = history_entry("p1", kept)
    assert run is not None
    assert [file["filename"] for file in run.files] == ["fox.png", "preview.png"]


@pytest.mark.parametrize(
    "change",
    [
        {"status": {"status_str": "error"}},
        {"outputs": {}},
        {"outputs": {"9": {"text": ["hello"]}}},
        {"outputs": {"9": 7}},
        {"prompt": None},
        {"prompt": (1, "id")},
    ],
)
def test_a_run_that_made_nothing_is_none(change: dict[str, Any]) -> None:
    assert history_entry("p1", {**record("a fox"), **change}) is None


def test_a_workflow_that_is_very_long_is_not_kept() -> None:
    kept = record("a fox")
    kept["prompt"][3]["extra_pnginfo"]["workflow"]["extra"] = "x" * 1_000_001
    run = history_entry("p1", kept)
    assert run is not None
    assert run.workflow == ""


def test_nodes_that_led_to_no_file_count_not() -> None:
    kept = record("a fox")
    kept["prompt"][2]["20"] = {"class_type": "EmptyImage", "inputs": {"color": 16711680}}
    kept["prompt"][2]["21"] = {"class_type": "SaveImage", "inputs": {"images": ["20", 0]}}
    kept["outputs"] = {"21": kept["outputs"]["9"]}
    run = history_entry("p1", kept)
    assert run is not None
    assert (run.texts, run.seeds, run.models) == ((), (), ())


def test_a_prompt_whose_links_go_round_or_nowhere_is_read() -> None:
    kept = record("a fox")
    kept["prompt"][2]["1"]["inputs"]["again"] = ["9", 0]
    kept["prompt"][2]["2"]["inputs"]["clip"] = ["77", 0]
    run = history_entry("p1", kept)
    assert run is not None
    assert (run.texts, run.seeds, run.models) == (("a fox",), (7,), ("sdxl.safetensors",))


def test_a_file_of_a_node_that_the_prompt_has_not_is_made_of_all_of_it() -> None:
    kept = record("a fox")
    kept["outputs"] = {"9.0.2": kept["outputs"]["9"]}
    run = history_entry("p1", kept)
    assert run is not None
    assert run.seeds == (7,)
