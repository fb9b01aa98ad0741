from __future__ import annotations

import itertools
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import ReasoningDelta, ReplyFinished, StepReset, TextDelta
from comfyui_assistant.engine.llm.replies.thoughts import Thoughts
from hypothesis import given
from hypothesis import strategies as st

from ..reading import shown

END = ReplyFinished("stop", (), None)
ROLE, THOUGHT, FINAL = "<|start|>assistant", "<|channel|>analysis<|message|>", "<|channel|>final<|message|>"
SAYS, CALL = (
    "<|channel|>commentary<|message|>",
    f"{ROLE}<|channel|>commentary to=functions.look<|message|>{{}}",
)


def split(*pieces: str) -> list[Any]:
    thoughts = Thoughts()
    given = [*map(TextDelta, pieces), END]
    return [passed for event in given for passed in thoughts.feed(event)][:-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("<think>why</think>\n\nbecause", ("because", "why"), id="both tags"),
        pytest.param("why</think>\nbecause", ("because", "why"), id="only the closing tag"),
        pytest.param("<think>never closed", ("never closed", ""), id="never closed is text"),
        pytest.param("a <think> b </thin", ("a <think> b </thin", ""), id="a tag inside the answer is text"),
        pytest.param("<think>a</think>x</think>y", ("x</think>y", "a"), id="a second closing tag is text"),
        pytest.param("<think>\n\n</think>\n\nbecause", ("because", ""), id="nothing was thought"),
        pytest.param(" \n<think>why</think>because", (" \nbecause", "why"), id="blanks before the tag"),
        pytest.param("</think>because", ("because", ""), id="a closing tag at the beginning"),
        pytest.param("<think>why</think>", ("", "why"), id="nothing was said"),
        pytest.param("<think>why</thin", ("why</thin", ""), id="a closing tag that is cut off"),
        pytest.param("1 < 2 <th", ("1 < 2 <th", ""), id="what only looks like a tag is text"),
        pytest.param("<think>a</think>\n<think>b</think>c", ("c", "ab"), id="two thoughts before the answer"),
        pytest.param("<think>a</think><think>b", ("b", "a"), id="the second is never closed"),
        pytest.param("[THINK]why[/THINK]because", ("because", "why"), id="Mistral"),
        pytest.param("<seed:think>why</seed:think>because", ("because", "why"), id="Seed"),
        pytest.param("<|channel>thought\nwhy<channel|>because", ("because", "why"), id="Gemma 4"),
        pytest.param("<|channel>thought\n<channel|>because", ("because", ""), id="Gemma 4 thought nothing"),
        pytest.param("why<channel|>because", ("because", "why"), id="only Gemma 4's closing mark"),
        pytest.param("<|channel>thought\nwhy", ("", "why"), id="Gemma 4 was cut"),
        pytest.param(f"{THOUGHT}why<|end|>{ROLE}{FINAL}because<|return|>", ("because", "why"), id="gpt-oss"),
        pytest.param(f"{FINAL}because", ("because", ""), id="gpt-oss only answers"),
        pytest.param(
            f"{THOUGHT}a<|end|>{ROLE}{THOUGHT}b<|end|>{ROLE}{FINAL}c", ("c", "ab"), id="gpt-oss twice"
        ),
        pytest.param(f"{ROLE}{THOUGHT}why", ("", "why"), id="gpt-oss was cut"),
        pytest.param(
            f"{SAYS}so<|end|>{ROLE}{THOUGHT}why<|end|>{CALL}", (f"so{CALL}", "why"), id="gpt-oss calls"
        ),
        pytest.param(
            f"The mark {THOUGHT} opens.<|end|>", (f"The mark {THOUGHT} opens.<|end|>", ""), id="quoted"
        ),
    ],
)
@given(data=st.data())
def test_think_tags_mean_the_same_however_the_stream_is_cut(
    data: Any, text: str, expected: tuple[str, str]
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1))))
    pieces = [text[a:b] for a, b in itertools.pairwise([0, *cuts, len(text)])]
    assert shown(split(*pieces)) == expected


def test_text_that_could_still_become_a_tag_is_held_back() -> None:
    thoughts = Thoughts()
    assert thoughts.feed(TextDelta("<th")) == []
    assert thoughts.feed(TextDelta("ing>")) == [TextDelta("<thing>")]
    assert thoughts.feed(TextDelta(" </thin")) == [TextDelta(" ")]
    assert thoughts.feed(END) == [TextDelta("</thin"), END]


def test_a_step_whose_thought_had_no_opening_tag_starts_over_in_its_right_form() -> None:
    assert split("why", "</think>", "because") == [
        TextDelta("why"),
        StepReset(),
        ReasoningDelta("why"),
        TextDelta("because"),
    ]


@given(st.lists(st.sampled_from(["<think>", "</think>", "<th", "a", "\n", " ", "ink>"]), max_size=8))
def test_no_word_is_lost_whatever_is_streamed(pieces: list[str]) -> None:
    text, reasoning = shown(split(*pieces))
    assert (text + reasoning).count("a") == "".join(pieces).count("a")
