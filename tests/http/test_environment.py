from __future__ import annotations

from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.http.environment import EnvironmentHandlers

from .handlers import serving


async def test_what_is_installed_is_told_in_figures_and_in_one_line() -> None:
    comfy = FakeComfy({"A": {}, "B": {}}, models={"vae": ["a.pt"], "loras": []}, package_names=["one"])
    async with serving(EnvironmentHandlers(EnvironmentScanner(comfy), comfy).routes()) as client:
        assert await (await client.get("/environment/summary")).json() == {
            "packages": 1,
            "nodeTypes": 2,
            "models": 1,
            "text": "1 package, 2 node types, 1 model",
        }


async def test_the_inputs_that_node_types_check_themselves_are_told() -> None:
    comfy = FakeComfy({"A": {}}, checks={"A": ["choice"]})
    async with serving(EnvironmentHandlers(EnvironmentScanner(comfy), comfy).routes()) as client:
        assert await (await client.get("/environment/own-checks")).json() == {"types": {"A": ["choice"]}}


async def test_heads_are_read_of_installed_files_alone(tmp_path) -> None:
    header = b'{"encoder.block.0.layer.0.layer_norm.weight":{"dtype":"F16","shape":[4096]}}'
    for name in ("t5.safetensors", "other.safetensors"):
        file = tmp_path / "models/text_encoders" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(len(header).to_bytes(8, "little") + header)
    models = {"text_encoders": ["t5.safetensors", "gone.safetensors"]}
    comfy = FakeComfy({}, models=models, directory=tmp_path)
    async with serving(EnvironmentHandlers(EnvironmentScanner(comfy), comfy).routes()) as client:
        names = ["t5.safetensors", "gone.safetensors", "other.safetensors", "../t5.safetensors"]
        answer = await client.post("/environment/model-heads", json={"names": names})
        assert await answer.json() == {"heads": {"t5.safetensors": {"givesText": 4096}}}
        refused = await client.post("/environment/model-heads", json={"names": "a"})
        assert (await refused.json())["error"]["code"] == "invalid_request"
