from __future__ import annotations

import inspect

import pytest
from comfyui_assistant.engine.comfy.comfy import RunningComfy
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import ComfyHost

ASKED = [name for name in vars(ComfyHost) if not name.startswith("_")]


@pytest.mark.parametrize("name", ASKED)
def test_both_can_be_asked_what_there_is_to_ask(name):
    expected = inspect.signature(getattr(ComfyHost, name))
    assert [inspect.signature(getattr(one, name)) for one in (FakeComfy, RunningComfy)] == [expected] * 2


def test_a_node_is_described_as_recorded_or_by_what_its_function_does():
    def fail():
        raise ValueError("broken")

    comfy = FakeComfy({"A": {"category": "x"}, "B": lambda: {"category": "y"}, "C": fail})
    assert comfy.node_types() == ["A", "B", "C"]
    assert [comfy.node_info(name) for name in ("A", "B")] == [{"category": "x"}, {"category": "y"}]
    with pytest.raises(ValueError, match="broken"):
        comfy.node_info("C")


def test_its_versions_change_with_what_they_tell_of():
    comfy = FakeComfy({"A": {}})
    nodes, files = comfy.node_classes_version(), comfy.input_files_version()
    assert (comfy.node_classes_version(), comfy.input_files_version()) == (nodes, files)
    comfy.object_info["A"] = {"category": "x"}
    comfy.input_files.append("a.png")
    assert comfy.node_classes_version() != nodes
    assert comfy.input_files_version() != files


def test_models_and_packages_are_those_recorded():
    comfy = FakeComfy({}, models={"vae": ["a.pt"]}, package_names=["one"])
    assert ([*comfy.model_folders()], comfy.model_files("vae"), comfy.packages()) == (
        ["vae"],
        ["a.pt"],
        ["one"],
    )
