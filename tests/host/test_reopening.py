"""The panel hidden, shown again, and the page reloaded: the conversation goes on where it was."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.host.interception import Held, held
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


def test_a_panel_closed_while_an_answer_streams_shows_all_of_it_when_opened_again(comfy, panel, model):
    model.play(scenario("slow-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")

    panel.close()
    model.wait_until(lambda: model.open_streams == 0, seconds=20)
    panel.open()

    panel.wait_until_the_turn_is_over()
    numbers = "".join(f"#{number} " for number in range(100))
    assert panel.answer() == f"Once upon a time.{numbers}The end."
    assert len(model.requests) == 1
    assert comfy.errors == []


def test_a_panel_opened_again_while_an_answer_streams_goes_on_with_it(panel, model):
    model.play(scenario("slow-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")

    panel.close()
    panel.open()

    expect(panel.stop_button).to_be_visible()
    panel.wait_until_the_turn_is_over()
    assert panel.answer().endswith("The end.")
    assert len(model.requests) == 1


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_change_of_tabs_and_a_closed_panel_keep_the_place_in_the_chat_the_draft_and_the_stream(
    comfy, panel, model
):
    model.play(LONG_STORY)
    panel.send("tell me a long story")
    expect(panel.answers.last).to_contain_text("#5")
    panel.composer.fill("half a thought")

    go_to_the_logs_and_back(panel)
    expect(panel.composer).to_have_value("half a thought")
    assert is_at_the_end(panel)

    scroll_to(panel, 700)
    go_to_the_logs_and_back(panel)
    assert scrolled_to(panel) == 700
    panel.close()
    panel.open()
    expect(panel.composer).to_be_focused()
    expect(panel.composer).to_have_value("half a thought")
    assert scrolled_to(panel) == 700

    panel.wait_until_the_turn_is_over()
    assert panel.answer().endswith("#98 #99 The end.")
    assert scrolled_to(panel) == 700
    assert len(model.requests) == 1
    panel.composer.fill("")
    assert comfy.errors == []


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_the_thread_is_there_after_a_reload(comfy, panel, model):
    model.play("red-image")
    answer = panel.ask("make a red 64x64 image and save it")
    cards = panel.tools_by_state()

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()

    expect(reopened.messages).to_have_count(2)
    assert reopened.messages.first.inner_text().startswith("make a red 64x64 image and save it")
    assert reopened.answer() == answer
    assert reopened.tools_by_state() == cards
    expect(reopened.tool_card("executeWorkflow").locator("img")).to_have_js_property("naturalWidth", 64)
    assert len(model.requests) == 6


@pytest.mark.slow
def test_a_restored_thread_goes_on_with_its_history(comfy, panel, model):
    model.play(scenario("parallel-calls"))
    panel.ask("add three nodes")
    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()
    expect(reopened.messages).to_have_count(2)

    reopened.ask("and three more")

    said = [message["content"] for message in model.requests[2].messages if message["role"] == "user"]
    assert [text.splitlines()[0] for text in said] == ["add three nodes", "and three more"]
    assert len(comfy.node_types()) == 6
    assert model.refusals == []


@pytest.mark.slow
def test_a_run_goes_on_over_a_reload_and_the_turn_with_it(comfy, panel, model):
    comfy.add_node("TestSlowRun", seconds=8)
    model.play(runs_what_it_added())
    panel.send("add an image and run it")
    comfy.wait_until_running(1)
    before = len(comfy.fetch("/history")["body"])

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()

    expect(reopened.answers.last).to_contain_text("Done.", timeout=30_000)
    reopened.wait_until_the_turn_is_over()
    assert reopened.tools_by_state() == [("addNode", "succeeded"), ("executeWorkflow", "succeeded")]
    assert comfy.node_types() == ["EmptyImage", "TestSlowRun"]
    assert len(comfy.fetch("/history")["body"]) == before + 1
    assert len(model.requests) == 2
    assert "Ran the workflow" in str(model.requests[-1].messages[-1])
    assert comfy.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, 2], ids=["tools at once", "tools late"])
def test_a_result_that_never_left_the_page_goes_out_with_the_next_one(comfy, panel, model, seconds):
    """Also where the panel's tools arrive long after the chat."""
    comfy.add_node("TestSlowRun", seconds=1)
    model.play(runs_what_it_added())
    runs = len(comfy.fetch("/history?max_items=10000")["body"])
    posted: list[Held] = []

    def let_the_first_pass(request: Held) -> None:
        posted.append(request)
        if len(posted) == 1:
            request.go_on()

    def come_late(request: Held) -> None:
        time.sleep(seconds)
        request.go_on()

    with held(comfy.page, "*/pageAccess*", come_late):
        with held(comfy.page, "*/api/chat", let_the_first_pass):
            panel.send("add an image and run it")
            while len(posted) < 2:
                comfy.page.wait_for_timeout(50)
            comfy.reload()
        reopened = Panel(comfy.page)
        reopened.open()

        expect(reopened.answers.last).to_contain_text("Done.", timeout=30_000)
    reopened.wait_until_the_turn_is_over()
    assert reopened.tools_by_state() == [("addNode", "succeeded"), ("executeWorkflow", "succeeded")]
    assert len(comfy.fetch("/history?max_items=10000")["body"]) == runs + 1
    assert len(model.requests) == 2
    assert comfy.errors == []


@pytest.mark.slow
def test_a_run_that_a_reload_cuts_while_it_is_sent_is_not_told_as_failed(comfy, panel, model):
    comfy.add_node("TestSlowRun", seconds=1)
    model.play(runs_what_it_added())
    posted: list[Held] = []
    with held(comfy.page, "*/api/prompt", posted.append):
        panel.send("add an image and run it")
        while not posted:
            comfy.page.wait_for_timeout(50)
        comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()

    expect(reopened.tool_card("executeWorkflow")).to_contain_text("stopped", timeout=30_000)
    reopened.wait_until_the_turn_is_over()
    assert reopened.tools_by_state() == [("addNode", "succeeded"), ("executeWorkflow", "skipped")]
    assert len(model.requests) == 1
    assert comfy.errors == []


@pytest.mark.slow
def test_a_run_that_is_stopped_after_a_reload_is_interrupted(comfy, panel, model):
    comfy.add_node("TestSlowRun")
    model.play(runs_what_it_added())
    panel.send("add an image and run it")
    comfy.wait_until_running(1)

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()
    expect(reopened.messages).to_have_count(2)
    expect(reopened.stop_button).to_be_visible()
    reopened.stop()

    comfy.wait_until_running(0)
    reopened.wait_until_the_turn_is_over()
    assert comfy.node_types() == ["EmptyImage", "TestSlowRun"]
    assert len(model.requests) == 1


def runs_what_it_added() -> dict[str, object]:
    calls = [
        {"call": "addNode", "arguments": {"type": "EmptyImage"}},
        {"call": "executeWorkflow", "arguments": {}},
    ]
    return {"about": "Runs what it has added.", "steps": [{"reply": calls}, {"reply": [{"say": "Done."}]}]}


LONG_STORY = {
    "about": "Higher than the panel, and slow enough to look elsewhere meanwhile.",
    "steps": [
        {
            "reply": [
                {"say": "".join(f"Line {number}.\n\n" for number in range(80)), "split": "whole"},
                {"tokens": 100, "every": "100ms"},
                {"say": "The end."},
            ]
        }
    ],
}


def go_to_the_logs_and_back(panel: Panel) -> None:
    panel.page.get_by_role("tab", name="Logs").click()
    expect(panel.composer).to_be_hidden()
    panel.page.wait_for_timeout(200)
    panel.page.get_by_role("tab", name="Assistant").click()
    expect(panel.composer).to_be_visible()


def scroll_to(panel: Panel, top: int) -> None:
    panel.page.locator(".cass-viewport").evaluate("(viewport, top) => { viewport.scrollTop = top; }", top)
    panel.page.wait_for_timeout(200)


def scrolled_to(panel: Panel) -> int:
    """Once the page has drawn itself."""
    panel.page.wait_for_timeout(200)
    return panel.page.locator(".cass-viewport").evaluate("(viewport) => Math.round(viewport.scrollTop)")


def is_at_the_end(panel: Panel) -> bool:
    """Or on its way to what has just been said."""
    panel.page.wait_for_timeout(200)
    return panel.page.locator(".cass-viewport").evaluate(
        "({ scrollTop, scrollHeight, clientHeight }) => scrollTop + clientHeight > scrollHeight - 60"
    )
