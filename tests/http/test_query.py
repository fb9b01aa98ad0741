from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.http.query import whole_number


def test_a_number_within_its_bounds_is_read() -> None:
    request = make_mocked_request("GET", "/?tail=5&from=0")
    assert whole_number(request, "tail", most=5) == 5
    assert whole_number(request, "from", least=0, most=5) == 0
    assert whole_number(request, "limit", most=5) is None


@pytest.mark.parametrize("text", ["0", "6", "-1", "٣", "1.0", "", "9999999999"])
def test_anything_else_is_refused_with_what_is_expected(text: str) -> None:
    with pytest.raises(RequestError, match="expected 1 to 5"):
        whole_number(make_mocked_request("GET", f"/?tail={text}"), "tail", most=5)
