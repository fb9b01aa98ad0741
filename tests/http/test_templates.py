from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.comfy.templates import TemplateShelf
from comfyui_assistant.engine.http.templates import TemplateHandlers

from .handlers import serving

WORKFLOW = {"nodes": [{"type": "Blur", "widgets_values": ["a.gguf"]}], "links": []}


@pytest.fixture
async def client(tmp_path):
    examples = tmp_path / "my pack" / "examples"
    examples.mkdir(parents=True)
    (examples / "Ein Bild, größer.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    (examples / "broken.json").write_text("{", encoding="utf-8")
    own = tmp_path / "own"
    own.mkdir()
    (own / "flux_dev.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    comfy = FakeComfy({}, templates=[TemplateFolder(own), TemplateFolder(examples, "my pack")])
    async with serving(TemplateHandlers(TemplateShelf(comfy), EnvironmentScanner(comfy)).routes()) as client:
        yield client


async def test_a_template_comes_whole_with_what_it_lacks(client):
    answer = await client.get("/assistant/templates/my pack:Ein Bild, größer")

    assert await answer.json() == {
        "name": "my pack:Ein Bild, größer",
        "title": "Ein Bild, größer",
        "description": "",
        "package": "my pack",
        "missingNodes": ["Blur"],
        "missingModels": [{"name": "a.gguf", "folder": "", "url": ""}],
        "workflow": WORKFLOW,
    }


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [("my pack:brocken", 404, "not_found"), ("my pack:broken", 422, "unreadable")],
)
async def test_a_template_that_cannot_be_had_has_a_typed_error(client, name, status, code):
    answer = await client.get(f"/assistant/templates/{name}")
    error = (await answer.json())["error"]

    assert (answer.status, error["code"]) == (status, code)
    assert error["hint"]
