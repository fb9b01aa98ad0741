"""The promises of docs/decisions/invariants.md: each has tests, and those that it names are there."""

from __future__ import annotations

import re

import pytest

from dev.places import ROOT

PAGE = ROOT / "docs" / "decisions" / "invariants.md"
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (`.+`) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))


def test_there_are_twenty_in_their_order() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 21))


@pytest.mark.parametrize(("promise", "tests"), [(f"{number} {words}", each) for number, words, each in ROWS])
def test_each_promise_is_held_by_tests_that_are_there(promise: str, tests: str) -> None:
    for named in re.findall(r"`([^`]+)`", tests):
        path, _, name = named.partition("::")
        text = (ROOT / path).read_text("utf-8")
        # A test of Python by its whole name, one of the panel by how its sentence begins.
        assert (f"def {name}(" if path.endswith(".py") else name) in text, f"{promise}: {named}"
