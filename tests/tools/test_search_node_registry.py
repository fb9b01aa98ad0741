from __future__ import annotations

import pytest
from comfyui_assistant.engine.tools.search_node_registry import search_node_registry
from comfyui_assistant.engine.tools.tool import run_server_tool
from comfyui_assistant.engine.web.node_registry import RegisteredPackage

IMPACT = RegisteredPackage(
    id="comfyui-impact-pack",
    name="Impact Pack",
    description="Detailers. " * 40,
    author="",
    repository="https://github.com/ltdrdata/ComfyUI-Impact-Pack",
    version="8.1.0",
    downloads=0,
)


async def test_packages_come_with_what_a_person_needs_to_install_them(services, comfy):
    services.registry.packages.append(IMPACT)
    comfy.package_names.append("ComfyUI-Impact-Pack")
    result = await run_server_tool(search_node_registry, {"query": "FaceDetailer"}, services)
    [package] = result["data"]["packages"]

    assert result["summary"] == 'Registered packages for "FaceDetailer": comfyui-impact-pack.'
    assert len(package.pop("about")) <= 160
    assert package == {
        "id": "comfyui-impact-pack",
        "name": "Impact Pack",
        "repository": "https://github.com/ltdrdata/ComfyUI-Impact-Pack",
        "version": "8.1.0",
        "installed": True,
    }
    assert "findMissing" in result["data"]["hint"]


@pytest.mark.parametrize(
    ("query", "trouble", "error"),
    [
        (" ", "", "searchNodeRegistry got no query."),
        ("blur", "", 'No registered package matches "blur".'),
        ("blur", "offline", "The registry of custom nodes cannot be searched: offline."),
    ],
)
async def test_finding_nothing_says_why_and_what_to_do(services, query, trouble, error):
    services.registry.trouble = trouble
    result = await run_server_tool(search_node_registry, {"query": query}, services)

    assert result["error"] == error
    assert result["hint"]
