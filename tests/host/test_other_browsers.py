"""A turn that a page of one browser runs, in the page of another one, with nothing in common but the server."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.host.conftest import WINDOW
from tests.host.pages_of_a_turn import RUNS_AT_ONCE, another_browser, another_tab, calls_late, runs_so_far
from tests.host.saved_workflows import open_saved
from tests.host.scenarios import scenario

LONG_ENOUGH_TO_READ_IT_AGAIN = 1_000
MILLISECONDS_TO_TELL_BOTH = 1_000
CLICK_AT = "(button, moment) => void setTimeout(() => button.click(), moment - Date.now())"

pytestmark = [pytest.mark.any_frontend, pytest.mark.usefixtures("no_workflows_left")]


@pytest.fixture(scope="module")
def other_browser(frontend: str, browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests, since its first page loads all of ComfyUI; each page of it begins without a memory."""
    context = browser.new_context(viewport=WINDOW)
    yield context
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("is_opened_before", [True, False])
def test_a_run_in_one_browser_is_not_made_again_by_another_one_that_shows_it(
    comfy, panel, model, other_browser, end_the_run, is_opened_before
):
    """Whether that is opened while the tool runs already, or before."""
    model.play(calls_late("executeWorkflow") if is_opened_before else RUNS_AT_ONCE)
    comfy.add_node("TestSlowRun", seconds=120)
    ran = runs_so_far(comfy)
    panel.send("run it")
    if is_opened_before:
        expect(panel.answers.last).to_contain_text("a3 ")
    else:
        comfy.wait_until_running(1)
    with another_browser(comfy, other_browser) as (second, other):
        expect(other.answers.last).to_be_visible()
        model.hurry()
        second.wait_until_running(1, seconds=40)
        said = [each.root.get_by_text("Runs in another page") for each in (panel, other)]
        expect(said[1]).to_be_visible()
        expect(said[0]).to_be_hidden()
        other.look_at("turn-in-another-page")
        end_the_run()
        for each in (panel, other):
            expect(each.answers.last).to_contain_text("b29", timeout=60_000)
            each.wait_until_the_turn_is_over()
            assert each.tools_by_state() == [("executeWorkflow", "succeeded")]
            assert each.errors.count() == 0
            expect(each.root.get_by_text("Runs in another page")).to_be_hidden()
        assert len(model.requests) == 2
        assert runs_so_far(comfy) == ran + 1


@pytest.mark.slow
def test_another_browser_goes_on_with_a_turn_whose_page_is_gone(comfy, panel, model, other_browser):
    model.play(calls_late("addNode", type="EmptyImage"))
    with another_tab(comfy) as (first, its_panel):
        open_saved(first.page, "goes-on")
        its_panel.begin_new_chat()
        its_panel.send("add an image")
        expect(its_panel.answers.last).to_contain_text("a3 ")
        with another_browser(first, other_browser) as (second, other):
            open_saved(second.page, "goes-on")
            expect(other.answers.last).to_contain_text("a3 ")
            before = second.node_types()
            first.page.close()
            model.hurry()

            expect(other.answers.last).to_contain_text("b29", timeout=40_000)
            assert other.tools_by_state() == [("addNode", "succeeded")]
            assert second.node_types() == sorted(["EmptyImage", *before])
            assert len(model.requests) == 2


@pytest.mark.slow
def test_another_browser_waits_for_the_run_of_a_page_that_is_gone(
    comfy, panel, model, other_browser, end_the_run
):
    model.play(RUNS_AT_ONCE)
    with another_tab(comfy) as (first, its_panel):
        first.add_node("TestSlowRun", seconds=120)
        its_panel.begin_new_chat()
        its_panel.send("run it")
        first.wait_until_running(1)
        with another_browser(first, other_browser) as (second, other):
            second.wait_until_running(1, seconds=40)
            ran = runs_so_far(second)
            first.page.close()
            end_the_run()

            expect(other.answers.last).to_contain_text("b29", timeout=40_000)
            assert other.tools_by_state() == [("executeWorkflow", "succeeded")]
            second.wait_until_running(0, seconds=20)
            assert runs_so_far(second) == ran + 1


@pytest.mark.slow
@pytest.mark.parametrize("is_stopped_by_the_other", [True, False])
def test_a_stop_in_either_browser_ends_the_run_for_both(
    comfy, panel, model, other_browser, is_stopped_by_the_other
):
    model.play(RUNS_AT_ONCE)
    comfy.add_node("TestSlowRun", seconds=90)
    panel.send("run it")
    comfy.wait_until_running(1)
    with another_browser(comfy, other_browser) as (_, other):
        expect(other.stop_button).to_be_visible()
        (other if is_stopped_by_the_other else panel).stop()

        for each in (panel, other):
            expect(each.stop_button).to_be_hidden()
        comfy.wait_until_running(0, seconds=20)
        assert len(model.requests) == 1

        model.play(scenario("short-answer"))
        other.ask("and now?")
        expect(other.root.locator(".cass-user")).to_have_text(["run it", "and now?"])
        assert [each.errors.count() for each in (panel, other)] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("is_stopped_by_the_other", [True, False])
def test_a_stop_in_either_tab_is_told_once_in_both(comfy, panel, model, is_stopped_by_the_other):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")
    with another_tab(comfy) as (_, other):
        expect(other.stop_button).to_be_visible()
        (other if is_stopped_by_the_other else panel).stop()

        for each in (panel, other):
            expect(each.stop_button).to_be_hidden()
            comfy.page.wait_for_timeout(LONG_ENOUGH_TO_READ_IT_AGAIN)
            expect(each.answers.last.get_by_text("Stopped.")).to_have_count(1)


@pytest.mark.slow
def test_a_stop_in_both_tabs_in_the_same_moment_is_told_once_and_the_chat_goes_on(comfy, panel, model):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")
    with another_tab(comfy) as (second, other):
        expect(other.stop_button).to_be_visible()
        moment = time.time() * 1000 + MILLISECONDS_TO_TELL_BOTH
        for each in (panel, other):
            each.stop_button.evaluate(CLICK_AT, moment)

        for each in (panel, other):
            expect(each.stop_button).to_be_hidden()
            comfy.page.wait_for_timeout(LONG_ENOUGH_TO_READ_IT_AGAIN)
            expect(each.answers.last.get_by_text("Stopped.")).to_have_count(1)
        model.play(scenario("short-answer"))
        other.ask("and now?")
        for each in (panel, other):
            expect(each.root.locator(".cass-user")).to_have_text(["tell me a story", "and now?"])
            assert each.errors.count() == 0
        assert comfy.errors == second.errors == []
