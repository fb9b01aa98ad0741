"""What the assistant knows of the running ComfyUI, against what ComfyUI itself answers."""

from __future__ import annotations

import json
import shutil
import urllib.error
import urllib.request

import pytest

pytestmark = pytest.mark.any_frontend


def _answer(comfyui, path):
    with urllib.request.urlopen(f"{comfyui.url}{path}", timeout=30) as answer:
        return json.load(answer)


def _model_files(comfyui):
    folders = [name for name in _answer(comfyui, "/models") if name not in ("configs", "custom_nodes")]
    files = [file for folder in folders for file in _answer(comfyui, f"/models/{folder}")]
    return [file for file in files if not file.startswith("put_")]


def test_the_summary_counts_what_comfyui_lists(comfyui):
    summary = _answer(comfyui, "/api/environment/summary")

    assert summary["nodeTypes"] == len(_answer(comfyui, "/object_info"))
    assert summary["models"] == len(_model_files(comfyui))


def test_a_model_that_was_added_is_counted_at_once(comfyui):
    before = _answer(comfyui, "/api/environment/summary")["models"]
    loras = comfyui.base / "models" / "loras"
    loras.mkdir(parents=True, exist_ok=True)
    added = loras / "added-while-it-runs.safetensors"
    added.touch()
    try:
        assert _answer(comfyui, "/api/environment/summary")["models"] == before + 1
    finally:
        added.unlink()


def test_an_example_of_a_custom_node_package_is_a_template(comfyui):
    package = comfyui.base / "custom_nodes" / "example-pack"
    examples = package / "example_workflows"
    examples.mkdir(parents=True)
    workflow = {"nodes": [{"id": 1, "type": "KSampler"}, {"id": 2, "type": "NoSuchNode"}], "links": []}
    (examples / "two nodes.json").write_text(json.dumps(workflow))
    try:
        template = _answer(comfyui, "/api/assistant/templates/example-pack:two%20nodes")
    finally:
        shutil.rmtree(package)

    assert (template["workflow"], template["missingNodes"]) == (workflow, ["NoSuchNode"])
    with pytest.raises(urllib.error.HTTPError, match="404"):
        _answer(comfyui, "/api/assistant/templates/example-pack:two%20nodes")
