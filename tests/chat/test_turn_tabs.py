from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.chat import turn_tabs
from comfyui_assistant.engine.chat.turn_tabs import MeantWorkflow, TurnTabs, read_meant_workflow


class Browsers:
    """The pages that are open, and what time it is."""

    def __init__(self) -> None:
        self.open = {"first", "second"}
        self.now = 0.0
        self.tabs = TurnTabs(self.open.__contains__, clock=lambda: self.now)

    def after(self, seconds: float) -> TurnTabs:
        self.now += seconds
        return self.tabs


@pytest.fixture
def browsers() -> Browsers:
    browsers = Browsers()
    browsers.tabs.put("t", "first")
    return browsers


def test_a_turn_stays_with_its_page_however_long_that_says_nothing(browsers):
    assert browsers.after(3600).claim("t", "first")
    assert not browsers.after(3600).claim("t", "second")


def test_a_turn_of_a_page_that_is_gone_goes_to_the_one_that_waited_for_it(browsers):
    browsers.open.remove("first")
    assert [browsers.after(4).claim("t", "second") for _ in range(4)] == [False, False, False, True]
    browsers.open.add("first")
    assert not browsers.after(1).claim("t", "first")


def test_a_turn_is_stopped_until_the_next_one_begins(browsers):
    browsers.tabs.stop("other")
    assert not browsers.tabs.is_stopped("t")
    browsers.tabs.stop("t")
    assert browsers.tabs.is_stopped("t")
    browsers.tabs.put("t", "first")
    assert not browsers.tabs.is_stopped("t")


def test_a_turn_of_another_process_is_stopped_until_it_has_another_newest_message(browsers):
    browsers.tabs.leave_elsewhere("t", "a1")
    browsers.tabs.stop("t")
    browsers.tabs.leave_elsewhere("t", "a1")
    assert browsers.tabs.is_stopped("t")
    browsers.tabs.leave_elsewhere("t", "a2")
    assert not browsers.tabs.is_stopped("t")


def test_a_page_that_comes_back_keeps_its_turn(browsers):
    browsers.open.remove("first")
    assert not browsers.after(1).claim("t", "second")
    browsers.open.add("first")
    assert not browsers.after(8).claim("t", "second")
    browsers.open.remove("first")
    assert not browsers.after(8).claim("t", "second")
    assert browsers.tabs.claim("t", "first")


def test_a_turn_of_which_nothing_is_known_belongs_to_the_page_that_asks_first(browsers):
    assert browsers.tabs.claim("other", "second")
    assert not browsers.tabs.claim("other", "first")


def test_a_message_of_another_page_brings_the_turn_to_that_one(browsers):
    browsers.tabs.put("t", "second")
    assert not browsers.tabs.claim("t", "first")


def test_a_turn_that_another_browser_began_in_a_pages_name_is_not_that_pages(browsers):
    browsers.tabs.put("t", "first:guessed")
    assert not browsers.tabs.claim("t", "first:its secret")
    assert browsers.tabs.socket("t") == "first"
    browsers.open.remove("first")
    assert not browsers.after(1).claim("t", "first:its secret")
    assert browsers.after(9).claim("t", "first:its secret")


def test_a_turn_of_another_process_is_no_page_of_this_one_until_a_message_comes_here(browsers):
    browsers.tabs.leave_elsewhere("t", "a1")
    browsers.open.clear()
    assert [browsers.after(60).claim("t", page) for page in ("first", "second")] == [False, False]
    assert browsers.tabs.socket("t") is None
    browsers.tabs.put("t", "second")
    assert not browsers.tabs.is_elsewhere("t")
    assert browsers.tabs.claim("t", "second")


def test_what_a_page_has_begun_is_told_until_its_results_are_posted(browsers):
    browsers.tabs.begin_call("t", "call-1", None)
    browsers.tabs.begin_call("t", "call-2", {"promptId": "p1"})
    browsers.open.remove("first")
    browsers.tabs.claim("t", "second")
    assert browsers.after(9).claim("t", "second")
    assert browsers.tabs.begun("t") == {"call-1": None, "call-2": {"promptId": "p1"}}
    browsers.tabs.put("t", "second")
    assert browsers.tabs.begun("t") == {}
    assert browsers.tabs.begun("other") == {}


def test_a_turn_keeps_the_workflow_of_its_message_until_a_call_is_made_on_another(browsers):
    fox, owl = MeantWorkflow("fox", "workflows/fox.json"), MeantWorkflow("owl", id="1")
    browsers.tabs.put("t", "first", fox)
    browsers.tabs.begin_call("t", "call-1", None)
    browsers.tabs.put("t", "first")
    assert browsers.tabs.workflow("t") == fox
    browsers.tabs.begin_call("t", "call-2", None, owl)
    browsers.open.remove("first")
    browsers.tabs.claim("t", "second")
    assert browsers.after(9).claim("t", "second")
    assert browsers.tabs.workflow("t") == owl
    browsers.tabs.put("t", "second", fox)
    assert (browsers.tabs.workflow("t"), browsers.tabs.workflow("other")) == (fox, None)


@pytest.mark.parametrize(
    ("posted", "read"),
    [
        (
            {"name": "fox", "file": "workflows/fox.json", "nodes": 2},
            {"name": "fox", "file": "workflows/fox.json"},
        ),
        ({"name": "fox", "file": None, "id": "a-b"}, {"name": "fox", "id": "a-b"}),
        ({"nodes": 2}, None),
        ("fox", None),
        (None, None),
    ],
)
def test_a_workflow_is_read_as_pages_post_it(posted, read):
    workflow = read_meant_workflow(posted)
    assert (workflow and workflow.as_json()) == read


def test_each_user_has_turns_of_their_own(browsers):
    with acting_for("somebody"):
        assert browsers.tabs.claim("t", "second")
    assert not browsers.tabs.claim("t", "second")


def test_only_so_many_are_remembered(browsers, monkeypatch):
    monkeypatch.setattr(turn_tabs, "_MOST", 2)
    for thread in ("t2", "t3"):
        browsers.tabs.put(thread, "first")
    assert browsers.tabs.claim("t", "second")
    assert not browsers.tabs.claim("t3", "second")
