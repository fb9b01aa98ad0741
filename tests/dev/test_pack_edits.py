from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.host.pack_edits import try_edits

NO_INPUT = {"error": "No input found for flattened id [1] slot [0]"}
PICTURE = {
    "1": {"class_type": "Picture", "inputs": {}},
    "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
}


class Page:
    """Answers with what became of one edit of node 1."""

    def __init__(self, **edit: Any) -> None:
        self.edit = {
            "kind": "bypass",
            "what": "",
            "before": PICTURE,
            "undone": PICTURE,
            "inTheWay": [],
            "ok": True,
            "told": "",
            "added": [],
            **edit,
        }

    def evaluate(self, *_: Any) -> Mapping[str, Any]:
        return {"id": "1", "moving": {"first": PICTURE, "again": PICTURE}, "tried": [self.edit]}


class FakeBridge:
    def __init__(self, **edit: Any) -> None:
        self.page = Page(**edit)


def wrong(**edit: Any) -> list[str]:
    tried = try_edits(FakeBridge(**edit), "Picture", {})  # pyright: ignore[reportArgumentType]
    assert not isinstance(tried, str)
    return [line for each in tried for line in each.wrong]


def test_a_bypass_of_which_the_page_makes_no_prompt_by_hand_either_is_right():
    assert wrong(after=NO_INPUT, byPage=NO_INPUT) == []


def test_a_bypass_after_which_only_the_page_makes_a_prompt_is_wrong():
    assert wrong(after=NO_INPUT, byPage=PICTURE) == [f"no prompt any more: {NO_INPUT['error']}"]
    assert wrong(after=NO_INPUT, byPage={"error": "another"}) == [f"no prompt any more: {NO_INPUT['error']}"]


def test_a_bypass_after_which_only_ours_has_a_prompt_is_wrong():
    assert wrong(after=PICTURE, byPage=NO_INPUT) != []
