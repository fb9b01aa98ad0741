from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.orders import plain_orders, without_what_stays


@pytest.mark.parametrize(
    "request_",
    [
        "set the steps to 30",
        "steps to 28",
        "use euler",
        "the width should be 640",
        "Please: the sampler is to be euler, use it.",
        "prompt: 'why not?'",
    ],
)
def test_a_plain_order_is_kept_whole(request_: str) -> None:
    assert plain_orders(request_) == request_


@pytest.mark.parametrize(
    ("request_", "orders"),
    [
        ("It took too long. Use 20 steps.", "Use 20 steps."),
        ("Use 20 steps. Is that enough?", ""),
        ("Use 20 steps and do not run it.", "Use 20 steps."),
        ("Never use 20 steps", ""),
        ("The sampler is euler.", ""),
    ],
)
def test_what_is_no_order_is_left_away(request_: str, orders: str) -> None:
    assert plain_orders(request_) == orders


@pytest.mark.parametrize(
    "request_",
    [
        "dont set the steps to 30",
        "i dont want 30 steps",
        "don't change cfg to 5",
        "you cant use 30 steps",
        "don't change width to 640 and height to 800",
        "the steps are set to 30",
        "max 15 steps",
        "i need help with the seed 5",
        "how to change the seed to 5",
        "how to set seed 5",
        "would 30 steps be better",
        "why did you set steps to 30",
        "warum 30 schritte",
        "no cambies los pasos a 30",
        "keine 30 schritte",
    ],
)
def test_what_is_forbidden_told_or_asked_without_its_marks_orders_nothing(request_: str) -> None:
    assert plain_orders(request_) == ""


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("dont touch the seed, just make it 40 steps", "just make it 40 steps"),
        ("set cfg to 5 but don't run it", "set cfg to 5"),
        ("nicht den seed ändern, nur die breite auf 896", "nur die breite auf 896"),
        ("leave the width alone and set the height to 640", "set the height to 640"),
        ("ne touche pas à la graine, mets 30 étapes", "mets 30 étapes"),
        ("keep the steps at 30", "keep the steps at 30"),
        ("why not use 30 steps", "why not use 30 steps"),
    ],
)
def test_what_is_to_stay_is_left_out(request_: str, rest: str) -> None:
    assert without_what_stays(request_).strip(" ,").removeprefix("and ") == rest
