from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.extension_metadata import METADATA_KEY, extension_metadata


@pytest.mark.parametrize("metadata", [None, [], "text", {}, {"another": {}}, {METADATA_KEY: None}])
def test_metadata_of_others_hold_nothing_of_ours(metadata: Any) -> None:
    assert extension_metadata(metadata) == {}


def test_our_own_stands_beside_that_of_others() -> None:
    assert extension_metadata({"another": 1, METADATA_KEY: {"document": 2}}) == {"document": 2}
