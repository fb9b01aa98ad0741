from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.orders import plain_orders


@pytest.mark.parametrize(
    "request_",
    [
        "set the steps to 30",
        "steps to 28 please",
        "Could you use euler?",
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
