from __future__ import annotations

from comfyui_assistant.engine.tools.refresh_environment import refresh_environment
from comfyui_assistant.engine.tools.tool import run_server_tool


async def test_the_first_look_tells_how_much_is_installed(services):
    result = await run_server_tool(refresh_environment, {}, services)

    assert result["summary"] == "0 packages, 49 node types, 4 models. Nothing changed since the last look."


async def test_what_came_went_and_changed_is_named(services, comfy):
    await services.environment.snapshot()
    comfy.models["loras"][:] = ["new.safetensors"]
    comfy.object_info["Blur"] = {}
    del comfy.object_info["KSampler"]
    comfy.package_names.append("blur-pack")
    result = await run_server_tool(refresh_environment, {}, services)

    assert result["data"] == {
        "installed": "1 package, 49 node types, 4 models",
        "newNodeTypes": ["Blur"],
        "removedNodeTypes": ["KSampler"],
        "newModels": ["loras/new.safetensors"],
        "removedModels": ["loras/add_detail.safetensors"],
        "newPackages": ["blur-pack"],
    }


async def test_choices_that_nothing_else_shows_are_read_again(services, comfy):
    choices = ["a"]
    comfy.object_info["Pick"] = lambda: {"input": {"required": {"one": (list(choices),)}}}
    await services.environment.snapshot()
    choices.append("b")
    result = await run_server_tool(refresh_environment, {}, services)

    assert result["data"]["changedNodeTypes"] == ["Pick (+b)"]


async def test_many_changes_are_counted(services, comfy):
    await services.environment.snapshot()
    comfy.models["loras"] += [f"{number:02}.safetensors" for number in range(30)]
    result = await run_server_tool(refresh_environment, {}, services)

    assert len(result["data"]["newModels"]) == 21
    assert result["data"]["newModels"][-1] == "… and 10 more"
