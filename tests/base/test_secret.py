from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.secret import Secret, usable_key
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.saved_settings import SavedSettings


def test_keys_do_not_show_themselves() -> None:
    secret = Secret("sk-canary-0123456789")
    assert (
        "canary" not in f"{secret} {secret!r} {Settings(api_key=secret)} {SavedSettings(keys={'x': secret})}"
    )
    assert (secret.last4(), Secret("short").last4()) == ("6789", "")


KEY = "sk-canary-0123456789"


@pytest.mark.parametrize(
    "echo",
    [
        KEY,
        KEY.upper(),
        KEY[:-1],
        KEY[3:],
        "sk%2Dcanary%2D0123456789",
        "%73k-canary-0123456789",
        f"{KEY}{KEY}",
        f"{KEY} and {KEY}",
        f"{KEY[:-1].upper()}",
        "SK%2dCANARY%2d%30123456",
    ],
)
def test_a_key_that_a_server_echoes_is_masked_however_it_is_spelled(echo: str) -> None:
    masked = Secret(KEY).mask(f"Incorrect key: {echo}. Try 42 % more.")
    assert masked.startswith("Incorrect key: ****")
    assert masked.endswith(". Try 42 % more.")
    assert "canary" not in masked.lower()
    assert "0123" not in masked


@pytest.mark.parametrize("before", ["", "key "])
def test_a_key_in_angle_brackets_is_no_tag(before: str) -> None:
    assert Secret(KEY).mask(f"Incorrect <{before}{KEY}>.") == f"Incorrect <{before}****>."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sk-",
        "ends in 6789",
        "key 456789",
        "A key such as sk-cana… is refused.",
        "0123456789 ends it",
        "İstanbul %zz %7",
    ],
)
def test_what_tells_little_or_nothing_of_a_key_stays(text: str) -> None:
    assert Secret(KEY).mask(text) == text
    assert Secret("").mask(text) == text


def test_a_short_key_that_is_a_name_without_its_signs_masks_no_sentence() -> None:
    secret = Secret("lm-studio")
    assert secret.mask("LM Studio could not load it.") == "LM Studio could not load it."
    assert secret.mask("The key LM-Studio is wrong.") == "The key **** is wrong."
    assert secret.mask("The key <lm-studio> is wrong.") == "The key <****> is wrong."


def test_a_short_key_is_masked_where_it_stands_whole() -> None:
    assert Secret("abc").mask("key abc, not ab") == "key ****, not ab"


@pytest.mark.parametrize(
    ("text", "complaint"), [("“k”", "character 1 is U\\+201C"), ("k\u200b", "character 2")]
)
def test_a_key_that_no_header_can_carry_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        usable_key(text)
