from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.stream.step_news import StepNews, join_news

START = {"type": "step-start"}


def news(number: int, keep: int, grow: str, *parts: dict[str, Any]) -> StepNews:
    return StepNews(number=number, keep=keep, grow=grow, parts=list(parts))


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "state": "done"}


BEGUN = news(0, 0, "", START, said("Hel"))


@pytest.mark.parametrize(
    ("pieces", "parts", "problem"),
    [
        pytest.param([], [], "", id="nothing"),
        pytest.param([BEGUN], [START, said("Hel")], "", id="a beginning"),
        pytest.param([BEGUN, news(1, 2, "lo")], [START, said("Hello")], "", id="a text goes on"),
        pytest.param(
            [BEGUN, news(1, 2, "lo", said("You"))], [START, said("Hello"), said("You")], "", id="and another"
        ),
        pytest.param([BEGUN, news(1, 1, "")], [START], "", id="what was said is taken back"),
        pytest.param([BEGUN, news(0, 0, "", START)], [START], "", id="another step begins"),
        pytest.param(
            [BEGUN, news(2, 2, "!")],
            [START, said("Hel")],
            "what follows on piece 1 of it is lost",
            id="a piece between is lost",
        ),
        pytest.param([news(1, 2, "lo")], [], "what follows on piece 0 of it is lost", id="the first is lost"),
        pytest.param(
            [BEGUN, news(1, 1, "lo")],
            [START],
            "piece 1 of it goes on with a text that is not there",
            id="a part that has no text grows",
        ),
    ],
)
def test_pieces_are_joined_as_far_as_none_is_missing(
    pieces: list[StepNews], parts: list[Any], problem: str
) -> None:
    assert join_news(pieces) == (parts, problem)
