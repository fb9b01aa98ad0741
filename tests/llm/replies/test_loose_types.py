from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from comfyui_assistant.engine.llm.replies.loose_types import as_count, as_list, as_object, as_text

ODD = [None, True, 7, -7, 2.5, "x", [1], {"a": 1}, 2**31]


@pytest.mark.parametrize(
    ("read", "taken", "left_out"),
    [
        (as_text, ["x"], ""),
        (as_object, [{"a": 1}], {}),
        (as_list, [[1]], []),
        (as_count, [7], None),
    ],
)
def test_a_value_of_another_type_counts_as_left_out(
    read: Callable[[Any], Any], taken: list[Any], left_out: Any
) -> None:
    assert [read(value) for value in ODD] == [value if value in taken else left_out for value in ODD]
