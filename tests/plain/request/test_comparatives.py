from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.plain.request.values_said import values_said
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, TWO_SAMPLERS, node, workflow


def said(request: str, flow: Workflow = DEFAULT) -> dict[str, str]:
    found = values_said(flow, ENVIRONMENT.nodes, request)
    return {f"{value.node.id}.{value.widget}": new for value, new in found}


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("less steps", {"3.steps": "13"}),
        ("double the steps", {"3.steps": "40"}),
        ("mehr Schritte", {"3.steps": "30"}),
        ("half the cfg", {"3.cfg": "4"}),
        ("make it bigger", {"5.width": "768", "5.height": "768"}),
        ("make the picture a bit wider", {"5.width": "640"}),
        ("use a smaller size", {"5.width": "320", "5.height": "320"}),
        ("mach das Bild größer", {"5.width": "768", "5.height": "768"}),
        ("taller image and more steps", {"5.height": "768", "3.steps": "30"}),
        ("make it wider than tall", {}),
    ],
)
def test_more_and_less_of_what_is_named(request_: str, values: dict[str, str]) -> None:
    assert said(request_) == values


@pytest.mark.parametrize(
    "request_",
    [
        "make the fox bigger",
        "make the picture of the fox bigger",
        "give it longer hair",
        "put a smaller picture in the corner",
        "lower the size of the hat",
        "show me more",
        "why does it take more steps?",
        "is a lower cfg better?",
        "the image is bigger than before",
        "use more steps only if it is blurry",
        "more detail",
    ],
)
def test_what_is_not_about_a_value_changes_none(request_: str) -> None:
    assert said(request_) == {}


def test_of_several_the_one_grows_that_the_request_tells_apart() -> None:
    assert said("more steps in the refiner", TWO_SAMPLERS) == {"2.steps": "30"}
    assert said("more denoise", TWO_SAMPLERS) == {}
    assert said("turn the LoRA down a bit", TWO_LORAS) == {}


def test_a_strength_is_known_by_its_node() -> None:
    flow = workflow(node(32, "ControlNetApplyAdvanced", strength=1.0, start_percent=0.0, end_percent=1.0))
    assert said("turn the controlnet down a bit", flow) == {"32.strength": "0.83"}
    assert said("make the controlnet weaker", flow) == {"32.strength": "0.67"}


def test_what_may_have_decimals_is_not_rounded_to_nothing() -> None:
    flow = workflow(node(3, "KSampler", denoise=1, cfg=1, steps=20))
    assert said("lower the denoise a tad", flow) == {"3.denoise": "0.83"}
    assert said("less cfg", flow) == {"3.cfg": "0.67"}


def test_what_is_compared_stays_within_its_bounds() -> None:
    known = ENVIRONMENT.nodes["KSampler"]
    bounded = tuple(replace(each, minimum=0, maximum=1) for each in known.inputs)
    definitions = {"KSampler": replace(known, inputs=bounded)}
    for now, new in ((0.9, ["1"]), (1.0, [])):
        found = values_said(workflow(node(1, "KSampler", denoise=now)), definitions, "higher denoise")
        assert [value for _, value in found] == new
