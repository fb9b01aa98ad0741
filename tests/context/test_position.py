from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.position import START, Block, Position, blocks, steps

from .conversations import STEP, answer, call, text, user

ONE, TWO, THREE = call("c1"), call("c2"), call("c3")
SYSTEM: Any = {"id": "s", "role": "system", "parts": [text("Rules.")]}
CONVERSATION = [
    SYSTEM,
    user("m1"),
    answer("m2", [text("First."), ONE, TWO], [text("Done.")]),
    user("m3"),
    answer("m4", [THREE]),
]


def spans(found: Any) -> list[Any]:
    return [
        (block.kind, tuple(block.start), tuple(block.end), block.user, block.results, len(block.calls))
        for block in found
    ]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([STEP, ONE, STEP, TWO], [[STEP, ONE], [STEP, TWO]], id="each start opens one"),
        pytest.param([ONE, STEP, TWO], [[ONE], [STEP, TWO]], id="parts before the first start are a step"),
        pytest.param([STEP, STEP], [[STEP], [STEP]], id="empty steps count"),
    ],
)
def test_an_answer_is_taken_apart_into_its_steps(parts: Any, expected: Any) -> None:
    assert steps(parts) == expected


def test_blocks_are_user_messages_and_steps_with_the_counts_that_name_what_they_hold() -> None:
    assert spans(blocks(CONVERSATION)) == [
        ("user", (1, 0), (2, 0), 1, 0, 0),
        ("step", (2, 0), (2, 1), 1, 0, 2),
        ("step", (2, 1), (3, 0), 1, 2, 0),
        ("user", (3, 0), (4, 0), 2, 2, 0),
        ("step", (4, 0), (4, 1), 2, 2, 1),
    ]


@pytest.mark.parametrize("number", range(5))
def test_the_blocks_from_the_end_of_one_are_those_that_follow_it(number: int) -> None:
    everything = list(blocks(CONVERSATION))
    last = everything[number]
    rest = blocks(CONVERSATION, last.end, users=last.user, results=last.results + len(last.calls))
    assert list(rest) == everything[number + 1 :]


def test_a_block_holds_its_own_parts() -> None:
    message = CONVERSATION[4]
    assert list(blocks(CONVERSATION))[-1] == Block(
        "step", message, [STEP, THREE], [THREE], Position(4), Position(4, 1), 2, 2
    )


def test_nothing_has_no_blocks() -> None:
    assert list(blocks([], START)) == []
