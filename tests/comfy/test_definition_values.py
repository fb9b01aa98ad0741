from __future__ import annotations

from enum import Enum

import pytest
from comfyui_assistant.engine.comfy.definition_values import as_choices, as_scalar, as_text


@pytest.mark.parametrize(
    ("written", "expected"),
    [(None, ""), ("a\ud800", "a\N{REPLACEMENT CHARACTER}"), (7, "7"), ("x" * 3_000, "x" * 2_000)],
)
def test_whatever_is_written_becomes_a_text_of_some_length(written, expected):
    assert as_text(written) == expected


class Named(str, Enum):
    SMALL = "small one"


def test_a_member_of_an_enumeration_is_told_by_its_value():
    assert (as_text(Named.SMALL), as_scalar(Named.SMALL)) == ("small one", "small one")
    assert as_choices([Named.SMALL], None) == ("small one",)


@pytest.mark.parametrize(
    ("written", "expected"),
    [(True, True), (1, 1), (float("inf"), None), ("a", "a"), ({}, None), (None, None)],
)
def test_a_scalar_is_what_json_can_say(written, expected):
    assert as_scalar(written) is expected


def test_choices_that_are_no_scalars_are_told_as_text():
    assert as_choices(["a", 1, True, None, ["b"]], None) == ("a", 1, True, "", "['b']")
