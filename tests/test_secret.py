from __future__ import annotations

import pytest
from comfyui_assistant.engine.secret import Secret, usable_key
from comfyui_assistant.engine.settings import Settings
from comfyui_assistant.engine.store.saved_settings import SavedSettings


def test_keys_do_not_show_themselves() -> None:
    secret = Secret("sk-canary-0123456789")
    assert (
        "canary" not in f"{secret} {secret!r} {Settings(api_key=secret)} {SavedSettings(keys={'x': secret})}"
    )
    assert (secret.last4(), Secret("short").last4()) == ("6789", "")


@pytest.mark.parametrize(
    ("text", "complaint"), [("“k”", "character 1 is U\\+201C"), ("k\u200b", "character 2")]
)
def test_a_key_that_no_header_can_carry_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        usable_key(text)
