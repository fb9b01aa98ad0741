from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition
from comfyui_assistant.engine.comfy.snapshot import Environment

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
