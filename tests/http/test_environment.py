from __future__ import annotations

from comfyui_assistant.engine.environment.recorded import RecordedComfy
from comfyui_assistant.engine.environment.scan import EnvironmentScanner
from comfyui_assistant.engine.http.environment import EnvironmentHandlers

from .handlers import serving


async def test_what_is_installed_is_told_in_figures_and_in_one_line() -> None:
    comfy = RecordedComfy({"A": {}, "B": {}}, models={"vae": ["a.pt"], "loras": []}, package_names=["one"])
    async with serving(EnvironmentHandlers(EnvironmentScanner(comfy), comfy).routes()) as client:
        assert await (await client.get("/environment/summary")).json() == {
            "packages": 1,
            "nodeTypes": 2,
            "models": 1,
            "text": "1 package, 2 node types, 1 model",
        }


async def test_the_inputs_that_node_types_check_themselves_are_told() -> None:
    comfy = RecordedComfy({"A": {}}, checks={"A": ["choice"]})
    async with serving(EnvironmentHandlers(EnvironmentScanner(comfy), comfy).routes()) as client:
        assert await (await client.get("/environment/own-checks")).json() == {"types": {"A": ["choice"]}}
