from __future__ import annotations

from comfyui_assistant.engine.plain.names import values_by_name
from comfyui_assistant.engine.plain.request.texts_said import texts_and_rest, with_role_spelled

from ..workflows import DEFAULT

VALUES = values_by_name(DEFAULT)


def read(request: str, *, is_fresh: bool = True) -> tuple[dict[str, str], str]:
    texts, rest = texts_and_rest(VALUES, request, is_fresh=is_fresh)
    return {value.name: new for value, new in texts}, rest


def test_a_prompt_that_is_not_wanted_is_emptied_and_its_node_stays() -> None:
    for request in (
        "get rid of the negative prompt",
        "remove the negative prompt",
        "lösch den negativen Prompt",
    ):
        assert read(request)[0] == {"negative prompt": ""}
    assert read("remove the negative prompt node")[0] == {}


def test_what_is_said_beside_a_text_is_left() -> None:
    assert read("cfg 5 and remove text from the negative prompt") == (
        {"negative prompt": "watermark"},
        "cfg 5 and ",
    )
    assert read("prompt: a cat, cfg 7") == ({"positive prompt": "a cat"}, "prompt:  , cfg 7")


def test_a_text_that_goes_on_with_another_order_is_left_to_who_reads_that() -> None:
    for request in (
        "change the prompt to a fox and add a lora",
        "prompt: a fox, then remove the save image node",
        "setze den prompt auf ein fuchs und füge eine lora hinzu",
    ):
        assert read(request) == ({}, request)
    assert read("prompt: a fox and a user of adders")[0] == {"positive prompt": "a fox and a user of adders"}


def test_both_prompts_in_one_sentence_get_their_own_text() -> None:
    both = {"positive prompt": "a red fox", "negative prompt": "blurry"}
    assert read("change the prompt to a red fox and the negative to blurry") == (both, "")
    assert read("positive: a red fox, negative: blurry") == (both, "")


def test_what_a_text_is_to_have_or_not_is_no_text() -> None:
    for request in (
        "the negative prompt should not contain blurry",
        "prompt a dog running",
        "clear both prompts",
        "prompts: a dog",
    ):
        assert read(request)[0] == {}
    assert read("cambia el prompt a un gato")[0] == {"positive prompt": "un gato"}


def test_a_part_is_changed_only_once() -> None:
    assert read("add fog to the prompt", is_fresh=False)[0] == {}


def test_which_prompt_it_is_may_be_misspelled() -> None:
    assert with_role_spelled("neagtive prompt: smapler") == "negative prompt: smapler"
    assert with_role_spelled("neagtive: blurry") == "negative: blurry"
