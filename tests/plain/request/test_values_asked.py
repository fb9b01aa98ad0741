from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.values_asked import values_asked
from comfyui_assistant.engine.plain.workflow import Workflow

from ...growth import grows_in_proportion
from ..workflows import DEFAULT, TWO_SAMPLERS, node, workflow


def asked(request: str, flow: Workflow = DEFAULT) -> list[str]:
    return [value.name for value in values_asked(flow, request)]


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("how many steps?", ["steps"]),
        ("combien d'étapes ?", ["steps"]),
        ("wie viele Schritte sind eingestellt?", ["steps"]),
        ("which sampler and which scheduler does it use?", ["sampler", "scheduler"]),
        ("welcher Sampler wird benutzt?", ["sampler"]),
        ("what is the cfg right now", ["cfg"]),
        ("what's the negative prompt?", ["negative prompt"]),
        ("whats the resolution?", ["width", "height"]),
        ("what size will the image be?", ["width", "height"]),
        ("how many steps does the sampler take?", ["steps"]),
        ("how many steps does the ksampler have", ["steps"]),
    ],
)
def test_a_question_after_a_value_is_read_where_nothing_else_is_said(request_: str, names: list[str]) -> None:
    assert asked(request_) == names


def test_of_several_the_node_that_is_named_tells_which() -> None:
    assert asked("how many steps does the refiner take?", TWO_SAMPLERS) == ["REFINER steps"]
    flow = workflow(
        node(1, "ControlNetApply", {"image": "2"}, strength=1),
        node(3, "KSampler", {"positive": "1"}, steps=20),
        node(4, "KSampler", {"latent_image": "3"}, steps=14),
    )
    assert asked("¿cuántos pasos hace el segundo sampler?", flow) == ["KSampler 2 steps"]
    assert asked("how strong is the controlnet", flow) == ["strength"]


def test_the_frames_of_a_video_are_its_length() -> None:
    flow = workflow(node(1, "EmptyHunyuanLatentVideo", width=832, height=480, length=33))
    assert asked("how many frames does the video have?", flow) == ["length"]


def test_what_model_is_used_is_told_by_its_file() -> None:
    assert asked("what model is this?") == asked("which model does it use?") == ["checkpoint"]


def test_of_several_all_are_told() -> None:
    assert asked("how many steps?", TWO_SAMPLERS) == ["BASE steps", "REFINER steps"]


@pytest.mark.parametrize(
    "request_",
    [
        "what is cfg?",
        "what does the cfg do?",
        "how many samplers are there?",
        "how many samplers does it have?",
        "how many steps should i use?",
        "which sampler is best?",
        "why so many steps?",
        "set the steps to 20",
        "how many images?",
        "what is the file size?",
        "how many steps does the refiner take?",
        "which checkpoint do you like?",
        "which model should i use?",
        "",
    ],
)
def test_every_other_question_is_for_the_model(request_: str) -> None:
    assert asked(request_) == []


def test_a_question_after_thousands_of_values_takes_no_longer_for_each_than_after_a_few() -> None:
    def ask(size: int) -> None:
        nodes = [node(number, "KSampler", steps=number, cfg=8) for number in range(1, size + 1)]
        flow = flows.setdefault(size, workflow(*nodes))
        assert len(asked("how many steps?", flow)) == size

    flows: dict[int, Workflow] = {}
    assert grows_in_proportion(ask, 250)
