from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.comfy.snapshot import Environment, missing_types

SAMPLER = NodeDefinition("KSampler", "KSampler", "", "", inputs=(), outputs=(), package=None)


def test_an_environment_keeps_what_it_was_made_of_whatever_becomes_of_that():
    nodes, models = {"KSampler": SAMPLER}, {"vae": ("a.safetensors",)}
    environment = Environment.build(nodes, models, packages=("one",), unreadable=("Broken",))
    nodes.clear()
    models["vae"] = ()
    assert dict(environment.nodes) == {"KSampler": SAMPLER}
    assert dict(environment.models) == {"vae": ("a.safetensors",)}
    assert (environment.packages, environment.unreadable) == (("one",), ("Broken",))
    with pytest.raises(TypeError):
        environment.nodes["Other"] = SAMPLER


def test_its_nodes_can_be_searched_at_once():
    assert [node.type for node in Environment.build({"KSampler": SAMPLER}, {}).index.search("sampler")] == [
        "KSampler"
    ]


def test_two_with_the_same_content_are_equal():
    assert Environment.build({"KSampler": SAMPLER}, {}) == Environment.build({"KSampler": SAMPLER}, {})
    assert Environment.build({"KSampler": SAMPLER}, {}) != Environment.build({}, {})


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
