from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.handles import list_handles, read_back

from .conversations import answer, call, file, text, user

NOTES = file("notes.txt", "text/plain", "data:text/plain,Blue%20hour")
NOTES["providerMetadata"] = {"comfyuiAssistant": {"document": 1}}
CONVERSATION = [
    user("m1", "Paint.", NOTES),
    answer("m2", [text("Wait."), call("c1", "first")], [call("c2", "second")]),
    answer("m3", [text("Done.")]),
    user("m4", "Again."),
    answer("m5", [call("c3", "third")]),
    user("m6", "And?"),
]


@pytest.mark.parametrize(
    ("ref", "whole"),
    [
        ("u1", "Paint.\n[Attached: d1 notes.txt]"),
        ("u3", "And?"),
        ("a1", "Wait.\n\nDone."),
        ("r1", "first"),
        ("r3", "third"),
        ("d1", "Blue hour"),
        (" R02 ", "second"),
    ],
)
def test_a_handle_reads_back_the_whole_text(ref: str, whole: str) -> None:
    assert read_back(CONVERSATION, ref) == whole


@pytest.mark.parametrize(
    "ref", ["u0", "u4", "a2", "a3", "r0", "r4", "d0", "d2", "x1", "r", "r-1", "r1 r2", "", "r1234567890"]
)
def test_a_handle_of_nothing_reads_back_nothing(ref: str) -> None:
    assert read_back(CONVERSATION, ref) is None


def test_a_document_without_a_number_has_no_handle() -> None:
    unnumbered = file("a.txt", "text/plain", "data:text/plain,x")
    assert read_back([user("m1", "Look.", unnumbered)], "d0") is None


@pytest.mark.parametrize(
    ("count", "phrase"),
    [
        pytest.param(0, "none yet", id="nothing was said"),
        pytest.param(1, "u1 to u1, d1 to d1", id="nothing was answered"),
        pytest.param(2, "r1 to r2, u1 to u1, a1 to a1, d1 to d1", id="an answer that goes on"),
        pytest.param(6, "r1 to r3, u1 to u3, a1 to a1, d1 to d1", id="answers without a word"),
    ],
)
def test_the_handles_that_there_are_are_told_in_one_phrase(count: int, phrase: str) -> None:
    assert list_handles(CONVERSATION[:count]) == phrase
