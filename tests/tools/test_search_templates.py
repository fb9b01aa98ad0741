from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.tools.search_templates import search_templates
from comfyui_assistant.engine.tools.tool import run_server_tool

pytestmark = pytest.mark.usefixtures("templates")


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


async def test_a_template_whose_runs_cost_money_is_marked_also_where_its_nodes_are_not_installed(
    services, comfy, tmp_path
):
    comfy.object_info["KSampler"]["api_node"] = True
    entries = [{"name": "flux_future", "tags": ["API"]}]
    (tmp_path / "templates" / "index.json").write_text(json.dumps([{"templates": entries}]), encoding="utf-8")

    result = await run_server_tool(search_templates, {"query": ""}, services)

    paid = {entry["name"]: entry.get("isPaid") for entry in result["data"]["templates"]}
    assert paid == {"flux_future": True, "flux_dev": True, "sdxl_ready": True, "broken": None}


async def test_finding_no_template_names_some(services):
    result = await run_server_tool(search_templates, {"query": "xyzzy"}, services)

    assert result["error"] == 'None of the 4 templates matches "xyzzy".'
    assert "flux_dev" in result["hint"]


async def test_without_templates_the_search_says_so(services, comfy):
    comfy.templates.clear()
    result = await run_server_tool(search_templates, {"query": "flux"}, services)

    assert result["error"] == "No workflow templates are installed."


async def test_templates_are_text_from_outside_only_where_a_package_brings_one(services, comfy, tmp_path):
    assert "outside" not in await run_server_tool(search_templates, {"query": "flux"}, services)

    (tmp_path / "example").mkdir()
    (tmp_path / "example" / "flux_more.json").write_text(json.dumps({"nodes": []}), encoding="utf-8")
    comfy.templates.append(TemplateFolder(tmp_path / "example", "a-pack"))
    result = await run_server_tool(search_templates, {"query": "flux"}, services)

    assert result["outside"] == ["the list of templates"]
    alone = await run_server_tool(search_templates, {"query": "flux_dev", "limit": 1}, services)
    assert [entry["name"] for entry in alone["data"]["templates"]] == ["flux_dev"]
    assert "outside" not in alone
