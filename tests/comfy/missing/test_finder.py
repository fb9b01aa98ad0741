from __future__ import annotations

from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.missing.finder import MissingFinder
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.comfy.templates import TemplateShelf

WORKFLOW = {"nodes": [{"id": 1, "type": "VAELoader", "widgets_values": ["a.safetensors"]}]}


async def test_sizes_are_those_of_the_files(tmp_path):
    comfy = FakeComfy({}, models={"vae": ["a.safetensors"]}, directory=tmp_path, memory=10)
    file = tmp_path / "models/vae/a.safetensors"
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(11))
    finder = MissingFinder(EnvironmentScanner(comfy), TemplateShelf(comfy), comfy)

    found = await finder.find(WORKFLOW)

    assert [one["size"] for one in found["tooLarge"]] == [11]
    assert found["packages"][0]["types"] == ["VAELoader"]


async def test_a_package_that_is_older_than_the_workflow_is_told(tmp_path):
    comfy = FakeComfy({}, package_names=["tint"], directory=tmp_path)
    project = tmp_path / "custom_nodes/tint/pyproject.toml"
    project.parent.mkdir(parents=True)
    project.write_text('[project]\nname = "strangers-tint"\nversion = "1.0.0"\n')
    properties = {"cnr_id": "strangers-tint", "ver": "1.1.0"}
    workflow = {"nodes": [{"id": 1, "type": "Tint", "properties": properties}]}

    found = await MissingFinder(EnvironmentScanner(comfy), TemplateShelf(comfy), comfy).find(workflow)

    assert found["outdated"] == [{"id": "strangers-tint", "installed": "1.0.0", "named": "1.1.0"}]


class Silent(FakeComfy):
    def memory_bytes(self):
        raise RuntimeError("no device")


async def test_a_device_that_tells_nothing_is_no_failure():
    comfy = Silent({})
    found = await MissingFinder(EnvironmentScanner(comfy), TemplateShelf(comfy), comfy).find(WORKFLOW)

    assert found["memory"] is None
