from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.text.amounts import pluralize


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 places"), (1, "1 place"), (12, "12 places"), (1_200, "1,200 places")]
)
def test_a_noun_agrees_with_its_number(count: int, told: str) -> None:
    assert pluralize(count, "place") == told
