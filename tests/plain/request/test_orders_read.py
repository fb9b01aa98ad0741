from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.orders_read import orders_read
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, TWO_LORAS, TWO_SAMPLERS
from .test_values_said import DEFINITIONS


def ordered(request: str, flow: Workflow = DEFAULT) -> tuple[dict[str, str], bool] | None:
    orders = orders_read(flow, DEFINITIONS, request)
    return orders and ({value.name: new for value, new in orders.values}, orders.runs)


@pytest.mark.parametrize(
    ("request_", "values", "runs"),
    [
        ("make it 30 steps", {"steps": "30"}, False),
        ("prompt: don't touch the flowers", {"positive prompt": "don't touch the flowers"}, False),
        ("25 steps", {"steps": "25"}, False),
        ("dont touch the seed, just make it 40 steps", {"steps": "40"}, False),
        ("set cfg to 5 but don't run it", {"cfg": "5"}, False),
        ("set the steps to 30 but keep the seed", {"steps": "30"}, False),
        ("nicht den seed ändern, nur die breite auf 896", {"width": "896"}, False),
        ("set 30 steps", {"steps": "30"}, False),
        ("mach mal 30 schritte", {"steps": "30"}, False),
        ("doppelt so viele schritte", {"steps": "40"}, False),
        ("mets 30 étapes", {"steps": "30"}, False),
        ("set the steps to 30", {"steps": "30"}, False),
        ("set steps to 30 and run it", {"steps": "30"}, True),
        ("change the prompt to a cat, then start it", {"positive prompt": "a cat"}, True),
        ("run it", {}, True),
        ("run it with seed 5", {"seed": "5"}, True),
        ("set the steps to 20 and cfg to 7", {"cfg": "7"}, False),
        ("wider, 1216 by 832", {"width": "1216", "height": "832"}, False),
        ("50 steps, cfg 7, karras", {"steps": "50", "cfg": "7", "scheduler": "karras"}, False),
        ("Setze die Schritte auf 12", {"steps": "12"}, False),
        ("cfg 4,5", {"cfg": "4.5"}, False),
        ("lower the cfg a bit", {"cfg": "7"}, False),
        ("add fog to the prompt", {"positive prompt": "a bottle, fog"}, False),
        ("save as holiday_01", {"file name": "holiday_01"}, False),
        ("make two images at once", {"batch size": "2"}, False),
        ("steps 25, cfg 7, euler", {"steps": "25", "cfg": "7"}, False),
        ("heun, karras", {"sampler": "heun", "scheduler": "karras"}, False),
        ("i want 4 images", {"batch size": "4"}, False),
        ("make four of them", {"batch size": "4"}, False),
        ("generate 4 pictures with 30 steps", {"batch size": "4", "steps": "30"}, True),
        ("make it landscape and set steps to 30", {"steps": "30", "width": "640", "height": "448"}, False),
        ("set the steps to 20", {}, False),
        ("twice as many steps", {"steps": "40"}, False),
        ("Ich hätte gern 35 Schritte", {"steps": "35"}, False),
        ("more steps and cfg 5", {"steps": "30", "cfg": "5"}, False),
        ("how about 25 steps", {"steps": "25"}, False),
        ("set the cfg to 7.", {"cfg": "7"}, False),
        (
            "prompt: a fox. also save as fox_test",
            {"positive prompt": "a fox", "file name": "fox_test"},
            False,
        ),
        ("prompt: a fox. Steps 25", {"positive prompt": "a fox", "steps": "25"}, False),
        ("add 'fog' to the prompt and 30 steps", {"positive prompt": "a bottle, fog", "steps": "30"}, False),
        ("the prompt should be: no people. cfg 7.", {"positive prompt": "no people", "cfg": "7"}, False),
        ("quiero 28 pasos y cfg 6", {"steps": "28", "cfg": "6"}, False),
    ],
)
def test_a_request_that_orders_nothing_else_is_read_whole(
    request_: str, values: dict[str, str], runs: bool
) -> None:
    assert ordered(request_) == (values, runs)


@pytest.mark.parametrize(
    "request_",
    [
        "render a cat with 30 steps",
        "set the steps to 30 and explain why",
        "set the steps to 30 and remove the upscaler",
        "steps 30, and tell me what the cfg does",
        "mute the sampler, steps 28",
        "more steps and a better sampler",
        "30 steps, cfg like before",
        "change the model and set 30 steps",
        "how many steps does it take?",
        "remove the Save Image node",
        "undo that",
        "make it look nicer",
        "run it 3 times",
        "make 3 images with different seeds",
        "make 2 images with a dog",
        "combine 2 images",
        "run it. then set the cfg to 5",
        "set the steps to 25. make it 30 steps",
        "set the cfg to 5. the picture is too dark",
        "prompt: a city. use neon lights",
        "",
    ],
)
def test_where_a_word_says_anything_else_a_model_is_asked(request_: str) -> None:
    assert ordered(request_) is None


def test_what_may_mean_two_nodes_is_left_to_a_model() -> None:
    assert ordered("set denoise to 0.4", TWO_SAMPLERS) is None
    assert ordered("cfg 5 and denoise 0.4", TWO_SAMPLERS) is None
    assert ordered("set the denoise of the refiner to 0.4", TWO_SAMPLERS) == (
        {"REFINER denoise": "0.4"},
        False,
    )
    assert ordered("strength of the second LoRA 1, steps 5", TWO_LORAS) is None
