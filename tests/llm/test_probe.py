from __future__ import annotations

import pytest
from comfyui_assistant.engine.llm.probe import is_local


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("https://api.example/v1", False),
        ("http://10.0.0.2/v1", False),
    ],
)
def test_a_local_endpoint_is_told_by_its_address(base_url: str, expected: bool) -> None:
    assert is_local(base_url) is expected
