from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.missing_types import missing_types
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("`LoraLoader` and `KSampler.model`", "\n\nNot installed here: LoraLoader.", id="named"),
        pytest.param("`LoraLoader.model`, `LoraLoader`", "\n\nNot installed here: LoraLoader.", id="once"),
        pytest.param("LoraLoader, `seed`, `KSampler`", "", id="prose, widgets and what there is"),
    ],
)
async def test_a_text_ends_with_the_types_of_comfyui_that_it_names_and_that_are_not_here(
    object_info, text: str, line: str
) -> None:
    nodes = {name: info for name, info in object_info.items() if name != "LoraLoader"}
    environment = await EnvironmentScanner(FakeComfy(object_info=nodes)).snapshot()
    assert missing_types(text, environment) == line
