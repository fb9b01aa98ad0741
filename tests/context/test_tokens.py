from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.context.images import UNKNOWN_IMAGE_TOKENS
from comfyui_assistant.engine.context.tokens import (
    count_fewest_tokens,
    count_message_tokens,
    count_messages_tokens,
    count_text,
    count_tools_tokens,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import grows_in_proportion

from .pictures import png

FIXTURES = Path(__file__).parents[1] / "fixtures"


def user(content: Any) -> Any:
    return {"role": "user", "content": content}


def test_the_bytes_of_an_image_are_not_counted_as_text() -> None:
    picture = {"type": "image_url", "image_url": {"url": png(512, 512, body=3_000_000)}}
    unknown = {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}
    sound = {"type": "input_audio", "input_audio": {"data": "A" * 3_000_000, "format": "wav"}}
    empty = count_message_tokens(user(""))
    assert count_message_tokens(user([picture])) - empty == 255
    assert count_message_tokens(user([unknown])) - empty == UNKNOWN_IMAGE_TOKENS
    assert 1_500 <= count_message_tokens(user([sound])) - empty <= 1_600


def call(call_id: str, name: str, arguments: str) -> Any:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_the_estimate_is_the_one_that_the_panel_makes() -> None:
    estimates = json.loads((FIXTURES / "token_estimates.json").read_text(encoding="utf-8"))
    assert {text: count_text(text) for text in estimates} == estimates


@pytest.mark.parametrize(
    "longer",
    [
        pytest.param([call("c1-and-much-more", "look", "{}")], id="the id"),
        pytest.param([call("c1", "look-and-much-more", "{}")], id="the name"),
        pytest.param([call("c1", "look", '{"and": "much more"}')], id="the arguments"),
        pytest.param([call("c1", "look", "{}"), call("c2", "look", "{}")], id="a second call"),
    ],
)
def test_everything_of_a_call_counts(longer: Any) -> None:
    def size(calls: Any) -> int:
        return count_message_tokens({"role": "assistant", "content": None, "tool_calls": calls})

    assert size(longer) > size([call("c1", "look", "{}")])


def test_the_fewest_tokens_of_messages_are_their_words_in_the_cheapest_vocabulary() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    words = [user("steps"), user([{"type": "text", "text": "шаги" * 100}])]
    assert count_fewest_tokens([*words[:1], user([*words[1]["content"], picture])]) == 2 + 100 + 12
    assert count_fewest_tokens(words, lambda text: 1) == 2 + 12


def test_a_tools_schema_and_a_results_id_count() -> None:
    tool = {"type": "function", "function": {"name": "look", "description": "Look around.", "parameters": {}}}
    assert count_tools_tokens([tool, tool]) == 2 * count_tools_tokens([tool]) > 2 * count_text("Look around.")
    result: Any = {"role": "tool", "tool_call_id": "call-of-this", "content": ""}
    assert count_message_tokens(result) - count_message_tokens(user("")) == count_text("call-of-this")


@pytest.mark.slow
@given(
    st.one_of(
        st.text(),
        st.text(st.characters(categories=["Cs", "So", "Lo", "Cc"])),
        st.none(),
        st.lists(
            st.dictionaries(
                st.sampled_from(["type", "text", "image_url", "url", "data"]),
                st.one_of(
                    st.sampled_from(["text", "image_url", "file"]),
                    st.text(),
                    st.integers(),
                    st.dictionaries(st.just("url"), st.text() | st.just("data:image/png;base64,AAAA")),
                ),
            )
        ),
    )
)
def test_counting_takes_any_content(content: Any) -> None:
    size = count_message_tokens(user(content))
    assert size >= count_message_tokens(user(""))
    if isinstance(content, str):
        assert size - count_message_tokens(user("")) >= len(content) * 0.3


@pytest.mark.parametrize("character", ["\ud83d", "漢字", "😀", "a"])
def test_millions_of_characters_are_counted_in_a_moment(character: str) -> None:
    def count(size: int) -> None:
        assert count_text(character * size) >= len(character) * size * 0.3

    assert grows_in_proportion(count, 50_000)


def turn(number: int, rounds: int, size: int = 20) -> list[Any]:
    made = [user(f"ask {number}")]
    for step in range(rounds):
        ids = [f"{number}-{step}-{side}" for side in "ab"]
        made.append(
            {"role": "assistant", "content": None, "tool_calls": [call(i, "look", "{}") for i in ids]}
        )
        made += [{"role": "tool", "tool_call_id": i, "content": "x" * size} for i in ids]
    return [*made, {"role": "assistant", "content": f"answer {number}"}]


def test_a_thousand_messages_are_counted_as_soon_as_they_are_written_once_their_texts_are_known() -> None:
    known: dict[str, int] = {}

    def remembered(text: str) -> int:
        if text not in known:
            known[text] = count_text(text)
        return known[text]

    messages = [message for number in range(150) for message in turn(number, rounds=2, size=1_000)][:1_000]
    count_messages_tokens(messages, remembered)
    counting = min(_seconds_of(lambda: count_messages_tokens(messages, remembered)) for _ in range(5))
    writing = min(_seconds_of(lambda: json.dumps(messages)) for _ in range(5))
    assert counting < 5 * writing


def _seconds_of(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began
