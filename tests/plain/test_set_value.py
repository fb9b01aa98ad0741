from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall, edit
from comfyui_assistant.engine.plain.set_value import set_value

from .workflows import DEFAULT, RESIZED, TWO_SAMPLERS, node, workflow


@pytest.mark.parametrize(
    ("name", "value", "node", "widget", "meant"),
    [
        ("steps", "30", "3", "steps", "30"),
        ("width", "768 pixels", "5", "width", "768"),
        ("cfg", "6,5", "3", "cfg", "6.5"),
        ("negative_prompt", "blurry, 3 hands", "7", "text", "blurry, 3 hands"),
        ("steps", 30, "3", "steps", 30),
    ],
)
def test_a_value_is_set_by_its_name(name: str, value: object, node: str, widget: str, meant: object) -> None:
    assert set_value(DEFAULT, name, value) == BrowserCall(
        "setNodeWidgetValue", {"node": node, "widget": widget, "value": meant}
    )


def test_equal_values_of_one_name_are_set_together() -> None:
    call = set_value(TWO_SAMPLERS, "cfg", "6")
    assert isinstance(call, BrowserCall)
    assert [(each["nodes"], each["widgets"]) for each in call.input["operations"]] == [
        (["1"], {"cfg": "6"}),
        (["2"], {"cfg": "6"}),
    ]


@pytest.mark.parametrize(
    ("name", "value", "width", "height"),
    [
        ("width and height", "640", "640", "640"),
        ("size", "640x480", "640", "480"),
        ("width, height", "640, 480", "640", "480"),
        ("width x height", 640, 640, 640),
    ],
)
def test_several_names_are_several_values(name: str, value: object, width: object, height: object) -> None:
    call = set_value(DEFAULT, name, value)
    assert isinstance(call, BrowserCall)
    assert [each["widgets"] for each in call.input["operations"]] == [{"width": width}, {"height": height}]


def test_a_value_that_is_there_already_is_no_change() -> None:
    for value in (20, "20"):
        result = set_value(DEFAULT, "steps", value)
        assert not isinstance(result, BrowserCall)
        assert "steps has this value already" in result["error"]


def test_a_name_that_is_not_clear_is_answered_with_those_to_choose_from() -> None:
    assert set_value(TWO_SAMPLERS, "denoise", "1") == {
        "ok": False,
        "error": 'It is not clear which value "denoise" is.',
        "hint": 'Use one of these: "BASE denoise", "REFINER denoise".',
    }


def test_the_prompt_is_every_prompt_of_its_node() -> None:
    flux = workflow(
        node(41, "CLIPTextEncodeFlux", clip_l="a car", t5xxl="a long car"),
        node(3, "KSampler", {"positive": "41"}),
    )
    call = set_value(flux, "prompt", "a boat")
    assert call == edit(
        {"op": "set", "nodes": ["41"], "widgets": {"clip_l": "a boat"}},
        {"op": "set", "nodes": ["41"], "widgets": {"t5xxl": "a boat"}},
    )


@pytest.mark.parametrize("name", ["denoise", "BASE denoise"])
def test_of_two_values_of_a_name_it_is_the_one_that_the_person_told_apart(name: str) -> None:
    call = set_value(TWO_SAMPLERS, name, "0.4", "set the denoise of the refiner to 0.4")
    assert call == BrowserCall("setNodeWidgetValue", {"node": "2", "widget": "denoise", "value": "0.4"})


def test_a_text_without_what_was_copied_is_what_the_model_is_shown() -> None:
    old = "beautiful scenery, glass bottle"
    found = workflow(node(6, "CLIPTextEncode", text=old), node(3, "KSampler", {"positive": "6"}))
    call = set_value(found, "prompt", f"{old} a blue car", "change the prompt to a blue car")
    assert isinstance(call, BrowserCall)
    assert call.asked == {"name": "prompt", "value": "a blue car"}


def test_a_value_that_there_is_not_is_no_choice_of_others() -> None:
    result = set_value(DEFAULT, "brightness", "5", "set the brightness to 5")
    assert not isinstance(result, BrowserCall)
    assert result["error"] == 'There is no value "brightness".'
    assert "say that there is none" in result["hint"]


def test_a_share_is_not_taken_for_a_number() -> None:
    call = set_value(DEFAULT, "width", "50%", "make it half as wide")
    assert isinstance(call, BrowserCall)
    assert call.input["value"] == "50%"


def test_a_value_that_a_choice_brings_is_set_by_its_full_name() -> None:
    assert set_value(RESIZED, "multiplier", 3) == BrowserCall(
        "setNodeWidgetValue", {"node": "10", "widget": "resize_type.multiplier", "value": 3}
    )
