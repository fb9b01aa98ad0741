from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.comfy.registry.node_registry import RegisteredPackage
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.search_node_registry import search_node_registry
from comfyui_assistant.engine.tools.tool import run_server_tool

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
    ("count", "tokens", "others"),
    [
        (7, 8_000, None),
        (8, 8_000, "Perhaps more: search with more words."),
        (7, 300, "{left} more: search with more words."),
        (9, 300, "{left} more at least: search with more words."),
    ],
)
async def test_how_many_others_there_are_is_told_as_far_as_it_is_known(services, count, tokens, others):
    services.registry.packages += [replace(IMPACT, id=f"pack-{number}") for number in range(count)]
    services = replace(services, room=ResultBudget(tokens))
    data = (await run_server_tool(search_node_registry, {"query": "detail"}, services))["data"]

    left = min(count, 8) - len(data["packages"])
    assert (left > 0) is (tokens == 300)
    assert data.get("others") == (others and others.format(left=left))


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
