from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.slot_types import fits, shares_type


@pytest.mark.parametrize(
    ("one", "other", "shared", "fitting"),
    [
        ("IMAGE", "IMAGE", True, True),
        ("IMAGE", "MASK", False, False),
        ("IMAGE", "IMAGE,MASK", True, True),
        ("FLOAT, INT", "int,BOOLEAN", True, True),
        ("IMAGE", "*", False, True),
        ("*", "IMAGE", False, True),
        ("*", "*", True, True),
    ],
)
def test_slots_of_several_types_fit_by_any_of_them(one, other, shared, fitting):
    assert (shares_type(one, other), fits(one, other)) == (shared, fitting)
