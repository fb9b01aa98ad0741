from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.stream.parts import StepDelta, StepParts, join_deltas
from hypothesis import given
from hypothesis import strategies as st

START = {"type": "step-start"}
CALL = {"type": "tool-look", "toolCallId": "c1"}
OWN = {"comfyuiAssistant": {"callId": "f:0"}}


def news(number: int, keep: int, grow: str, *parts: dict[str, Any]) -> StepDelta:
    return StepDelta(number=number, keep=keep, grow=grow, parts=list(parts))


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
    pieces: list[StepDelta], parts: list[Any], problem: str
) -> None:
    assert join_deltas(pieces) == (parts, problem)


def chunk(kind: str, **fields: Any) -> Any:
    return {"type": kind, **fields}


def started(call_id: str = "c1", name: str = "look") -> Any:
    return chunk("tool-input-start", toolCallId=call_id, toolName=name)


def parts(*chunks: Any) -> list[Any]:
    step = StepParts()
    step.read(chunks)
    return step.parts()


def ready(call_input: Any, **fields: Any) -> Any:
    return chunk("tool-input-available", toolCallId="c1", toolName="look", input=call_input, **fields)


def answered(output: Any, **fields: Any) -> Any:
    return chunk("tool-output-available", toolCallId="c1", output=output, **fields)


TYPED = chunk("tool-input-delta", toolCallId="c1", inputTextDelta='{"a"')


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(
            [
                chunk("reasoning-start", id="r"),
                chunk("reasoning-delta", id="r", delta="Hm."),
                chunk("reasoning-end", id="r"),
                chunk("text-start", id="t"),
                chunk("text-delta", id="t", delta="Hel"),
                chunk("text-delta", id="t", delta="lo"),
            ],
            [
                {"type": "reasoning", "text": "Hm.", "state": "done"},
                {"type": "text", "text": "Hello", "state": "done"},
            ],
            id="what was thought and said, also where it is still open",
        ),
        pytest.param([started(), TYPED], [], id="a call that is still coming is none yet"),
        pytest.param(
            [started(), TYPED, ready({"a": 1}, providerMetadata=OWN)],
            [{**CALL, "state": "input-available", "input": {"a": 1}, "callProviderMetadata": OWN}],
            id="a call that is ready to run, with what its provider wants back",
        ),
        pytest.param(
            [started(), ready({}), answered("x", providerExecuted=True)],
            [{**CALL, "state": "output-available", "input": {}, "output": "x", "providerExecuted": True}],
            id="a call with its result",
        ),
        pytest.param(
            [started(), TYPED, answered({"ok": False})],
            [{**CALL, "state": "output-available", "rawInput": '{"a"', "output": {"ok": False}}],
            id="a call that was never ready to run keeps its input as it came",
        ),
        pytest.param(
            [started(), started("c2"), ready({}), chunk("text-start", id="t")],
            [
                {**CALL, "state": "input-available", "input": {}},
                {"type": "text", "text": "", "state": "done"},
            ],
            id="a call has its place from its beginning on",
        ),
        pytest.param(
            [
                chunk("data-notice", data={"code": "length"}),
                chunk("data-context", data={"form": "full"}, transient=True),
            ],
            [{"type": "data-notice", "data": {"code": "length"}}],
            id="data, but not what passes",
        ),
        pytest.param(
            [chunk("text-start", id="t"), chunk("reset-step"), chunk("data-compaction", data={})],
            [{"type": "data-compaction", "data": {}}],
            id="what comes after a reset",
        ),
        pytest.param(
            [chunk("start", messageId="a1"), chunk("start-step"), chunk("finish-step"), chunk("finish")],
            [],
            id="what frames a step is no part of it",
        ),
    ],
)
def test_a_step_is_what_its_chunks_come_to(chunks: Any, expected: Any) -> None:
    assert parts(*chunks) == [START, *expected]


def test_what_was_read_of_a_step_does_not_change_while_it_goes_on() -> None:
    step = StepParts()
    step.read([chunk("text-start", id="t"), chunk("text-delta", id="t", delta="Hel"), started(), ready({})])
    before = step.parts()
    step.read([answered("x"), chunk("text-start", id="u"), chunk("text-delta", id="u", delta="lo")])
    assert before == [
        START,
        {"type": "text", "text": "Hel", "state": "done"},
        {**CALL, "state": "input-available", "input": {}},
    ]


PIECES: Any = st.one_of(
    st.builds(lambda text: [chunk("text-delta", id="t", delta=text)], st.text(max_size=3)),
    st.just([chunk("text-end", id="t"), chunk("text-start", id="t")]),
    st.just([chunk("reset-step"), chunk("text-start", id="t")]),
    st.just([chunk("data-notice", data={"code": "x"}), chunk("text-start", id="t")]),
    st.builds(
        lambda number, kinds: (
            [
                {**made, "toolCallId": f"c{number}"}
                for made in (started(), TYPED, ready({}), answered(1))[:kinds]
            ]
            + [chunk("text-start", id="t")]
        ),
        st.integers(0, 1_000),
        st.integers(1, 4),
    ),
)


@pytest.mark.slow
@given(st.lists(st.tuples(PIECES, st.booleans()), max_size=20))
def test_the_news_of_a_step_amount_to_its_parts(pieces: Any) -> None:
    step = StepParts()
    step.read([chunk("text-start", id="t")])
    all_news = []
    for chunks, is_asked in pieces:
        step.read(chunks)
        if is_asked and (news := step.news()) is not None:
            all_news.append(news)
    last = step.news()
    assert join_deltas([*all_news, *([last] if last else [])]) == (step.parts(), "")


def test_a_text_that_grows_is_told_once() -> None:
    step = StepParts()
    step.read([chunk("text-start", id="t")])
    told = 0
    for _ in range(1_000):
        step.read([chunk("text-delta", id="t", delta="0123456789")])
        news = step.news()
        assert news is not None
        told += len(str(news))
    assert told < 10 * 10_000
