from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import Budget

from .conversations import answer, call, turns, user
from .planned import planned

SHORT = planned([user("u1", "hi")])


def test_only_what_was_condensed_makes_a_compaction_anew() -> None:
    condensed = planned(turns(40), window=8_000)
    assert condensed.has_compacted
    assert condensed.new_compaction is condensed.compaction
    assert (SHORT.has_compacted, SHORT.new_compaction) == (False, None)
    assert planned(turns(10), window=8_000, emergency=1).is_emergency
    assert not condensed.is_emergency


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (SHORT, "checkpoint"),
        (planned([user("u1"), answer("a1", [call("c1")])]), "digest"),
        (replace(SHORT, budget=Budget(32_000, 4_000, auto_compact=False)), "emergency"),
    ],
)
def test_a_report_says_what_happens_next(made: Any, what: str) -> None:
    report = made.report()
    assert report["nextAction"]["what"] == what
    assert report["messages"] == len(made.messages)
    assert 0 < report["low"] < report["high"] <= report["working"]
