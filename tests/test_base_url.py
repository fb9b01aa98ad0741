from __future__ import annotations

import pytest
from comfyui_assistant.engine.base_url import normal_base_url, without_secrets


@pytest.mark.parametrize(
    "text", ["http://h/v1", " http://h/v1/ ", "http://h/v1/chat/completions", "http://h/v1/chat/completions/"]
)
def test_one_server_has_one_address_however_it_was_pasted(text: str) -> None:
    assert normal_base_url(text) == "http://h/v1"


@pytest.mark.parametrize(
    "text",
    ["h:11434", "ftp://h", "http://", "http://h:99999", "http://u:p@h/v1", "http://h/v1?k=1", "http://h/#k"],
)
def test_what_is_no_address_or_may_carry_a_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="an address such as"):
        normal_base_url(text)


def test_what_is_shown_of_an_address_has_no_secret() -> None:
    assert without_secrets("http://me:canary@h/v1?key=canary") == "http://…@h/v1…"
