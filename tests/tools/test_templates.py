from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.environment.host import TemplateFolder
from comfyui_assistant.engine.tools.get_template import get_template
from comfyui_assistant.engine.tools.search_templates import search_templates
from comfyui_assistant.engine.tools.tool import run_server_tool

FLUX_FILE = {
    "name": "flux1-dev-fp8.safetensors",
    "directory": "diffusion_models",
    "url": "https://example.org/f",
}
WORKFLOWS = {
    "flux_future": {"nodes": [{"type": "FluxNine"}]},
    "flux_dev": {
        "nodes": [{"type": "KSampler"}, {"type": "VAEDecode", "properties": {"models": [FLUX_FILE]}}]
    },
    "sdxl_ready": {"nodes": [{"type": "KSampler", "widgets_values": ["sd_xl_base_1.0.safetensors"]}]},
    "broken": [],
}


@pytest.fixture(autouse=True)
def templates(comfy, tmp_path):
    folder = tmp_path / "templates"
    folder.mkdir()
    for name, workflow in WORKFLOWS.items():
        (folder / f"{name}.json").write_text(json.dumps(workflow), encoding="utf-8")
    entries = [{"name": "flux_future", "title": "Flux"}, {"name": "flux_dev", "description": "Draws. " * 40}]
    (folder / "index.json").write_text(json.dumps([{"templates": entries}]), encoding="utf-8")
    comfy.templates.append(TemplateFolder(folder))


async def test_templates_that_run_here_come_before_those_that_lack_nodes(services):
    result = await run_server_tool(search_templates, {"query": "flux"}, services)
    dev, future = result["data"]["templates"]

    assert result["summary"] == 'Templates for "flux": flux_dev, flux_future'
    assert (dev["name"], dev["missingModels"]) == ("flux_dev", 1)
    assert "missingNodes" not in dev
    assert len(dev["about"]) <= 140
    assert future == {"name": "flux_future", "title": "Flux", "missingNodes": 1}


async def test_a_template_without_a_workflow_is_listed_last_as_unreadable(services):
    result = await run_server_tool(search_templates, {"query": ""}, services)

    assert result["data"]["templates"][-1]["name"] in ("broken", "flux_future")
    [broken] = [entry for entry in result["data"]["templates"] if entry["name"] == "broken"]
    assert broken["unreadable"] == "its file holds no workflow"


async def test_finding_no_template_names_some(services):
    result = await run_server_tool(search_templates, {"query": "xyzzy"}, services)

    assert result["error"] == 'None of the 4 templates matches "xyzzy".'
    assert "flux_dev" in result["hint"]


async def test_without_templates_the_search_says_so(services, comfy):
    comfy.templates.clear()
    result = await run_server_tool(search_templates, {"query": "flux"}, services)

    assert result["error"] == "No workflow templates are installed."


async def test_a_template_tells_what_it_lacks_and_what_is_there_instead(services):
    result = await run_server_tool(get_template, {"name": "flux_dev"}, services)

    assert result["summary"] == 'Template "flux_dev" (flux_dev): not installed: 1 model file.'
    assert result["data"]["nodes"] == ["KSampler", "VAEDecode"]
    assert result["data"]["missingModels"] == [
        {
            "file": "flux1-dev-fp8.safetensors",
            "folder": "diffusion_models",
            "url": "https://example.org/f",
            "similarInstalled": ["flux1-dev.safetensors"],
        }
    ]
    assert result["data"]["next"] == 'applyWorkflow takes it as template "flux_dev".'


async def test_a_template_that_lacks_nothing_says_so(services):
    result = await run_server_tool(get_template, {"name": "SDXL ready"}, services)

    assert result["summary"].endswith(": all that it needs is installed.")
    assert result["data"]["models"] == [{"file": "sd_xl_base_1.0.safetensors"}]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("flux_def", 'There is no template "flux_def".'),
        ("broken", 'The template "broken" is of no use: its file holds no workflow.'),
    ],
)
async def test_a_template_that_cannot_be_had_says_why(services, name, error):
    result = await run_server_tool(get_template, {"name": name}, services)

    assert result["error"] == error
    assert result["hint"]
