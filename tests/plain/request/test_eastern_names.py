from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.eastern_names import with_western_names, with_western_prompt

from .test_orders_read import ordered


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("步数改成30", {"steps": "30"}),
        ("30步", {"steps": "30"}),
        ("把种子设为42", {"seed": "42"}),
        ("宽度改为768，高度改为1024", {"width": "768", "height": "1024"}),
        ("不要改种子，步数改成25", {"steps": "25"}),
        ("ステップを30にして", {"steps": "30"}),
        ("シードを5にしてください", {"seed": "5"}),
        ("把分辨率改成1024x768", {"width": "1024", "height": "768"}),
        ("幅を640、高さを832にして", {"width": "640", "height": "832"}),
    ],
)
def test_numbers_are_set_by_their_eastern_names(request_: str, values: dict[str, str]) -> None:
    assert ordered(request_) == (values, False)


def test_choices_are_set_by_their_eastern_names() -> None:
    assert ordered("把采样器换成dpmpp_2m，步数30") == ({"steps": "30", "sampler": "dpmpp_2m"}, False)


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("把负面提示词改成：模糊，低质量", {"negative prompt": "模糊，低质量"}),
        ("替换提示词为：一只狐狸", {"positive prompt": "一只狐狸"}),
        ("把提示词改为 a red fox", {"positive prompt": "a red fox"}),
    ],
)
def test_a_prompt_gets_its_text_by_its_eastern_name(request_: str, values: dict[str, str]) -> None:
    assert ordered(request_) == (values, False)


@pytest.mark.parametrize(
    "request_",
    ["提示词太长了", "提示词改成英文", "提示词：一只猫，步数30", "提示词换一个", "提示词写得好吗？"],
)
def test_what_gives_no_text_or_more_than_one_is_left(request_: str) -> None:
    assert with_western_prompt(request_) == request_


def test_what_is_to_be_run_then_is_read_too() -> None:
    assert ordered("步数改成30，然后运行") == ({"steps": "30"}, True)


@pytest.mark.parametrize(
    "request_",
    [
        "画2只猫",
        "换成一只狗",
        "提示词改成30只猫",
        "步数为什么是30？",
        "シードは変えないで",
        "set the steps to 30",
    ],
)
def test_what_says_anything_else_stays_as_it_is_written(request_: str) -> None:
    assert with_western_names(request_) == request_
