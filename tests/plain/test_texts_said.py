from __future__ import annotations

from comfyui_assistant.engine.plain.names import values_by_name
from comfyui_assistant.engine.plain.texts_said import texts_and_rest, with_role_spelled

from .workflows import DEFAULT

VALUES = values_by_name(DEFAULT)


def read(request: str, *, is_fresh: bool = True) -> tuple[dict[str, str], str]:
    texts, rest = texts_and_rest(VALUES, request, is_fresh=is_fresh)
    return {value.name: new for value, new in texts}, rest


def test_what_is_said_beside_a_text_is_left() -> None:
    assert read("cfg 5 and remove text from the negative prompt") == (
        {"negative prompt": "watermark"},
        "cfg 5 and ",
    )
    assert read("prompt: a cat, cfg 7") == ({"positive prompt": "a cat"}, "prompt:  , cfg 7")


def test_a_part_is_changed_only_once() -> None:
    assert read("add fog to the prompt", is_fresh=False)[0] == {}


def test_which_prompt_it_is_may_be_misspelled() -> None:
    assert with_role_spelled("neagtive prompt: smapler") == "negative prompt: smapler"
    assert with_role_spelled("neagtive: blurry") == "negative: blurry"
