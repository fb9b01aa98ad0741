from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.tools.get_template import get_template
from comfyui_assistant.engine.tools.tool import run_server_tool

pytestmark = pytest.mark.usefixtures("templates")


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


async def test_what_a_run_costs_is_told(services, comfy):
    comfy.object_info["KSampler"] |= {"api_node": True, "price_badge": {"expr": '{"type":"usd","usd":0.06}'}}

    result = await run_server_tool(get_template, {"name": "sdxl_ready"}, services)

    assert result["summary"].endswith("all that it needs is installed; its runs cost money.")
    assert result["data"]["paidNodes"] == {"KSampler": "paid, $0.06/Run"}


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


async def test_a_template_is_text_from_outside_only_where_a_package_brings_it(services, comfy, tmp_path):
    (tmp_path / "example").mkdir()
    (tmp_path / "example" / "more.json").write_text(json.dumps({"nodes": []}), encoding="utf-8")
    comfy.templates.append(TemplateFolder(tmp_path / "example", "a-pack"))

    assert (await run_server_tool(get_template, {"name": "a-pack:more"}, services))["outside"] == [
        "a template"
    ]
    assert "outside" not in await run_server_tool(get_template, {"name": "flux_dev"}, services)
