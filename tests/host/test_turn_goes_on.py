"""A turn goes on while its page is loaded anew, loses the network, or is not the only one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.pages_of_a_turn import (
    ADDS_IN_THE_MIDDLE,
    BOTH,
    LONG,
    RUNS_AT_ONCE,
    another_tab,
    calls_late,
    reopened,
    runs_so_far,
)
from tests.host.saved_workflows import open_saved
from tests.host.scenarios import scenario
from tests.running_assistant import running_assistant

pytestmark = pytest.mark.usefixtures("no_workflows_left")

STORY = f"Once upon a time.{''.join(f'#{number} ' for number in range(100))}The end."


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_an_answer_goes_on_where_it_was_after_a_reload(comfy, panel, model):
    model.play(scenario("slow-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")

    comfy.reload()
    again = reopened(comfy.page)

    expect(again.answers.last).to_contain_text("The end.", timeout=30_000)
    again.wait_until_the_turn_is_over()
    assert again.answer() == STORY
    expect(again.messages).to_have_count(2)
    assert len(model.requests) == 1
    assert comfy.errors == []


@pytest.mark.any_frontend
def test_a_browser_tool_called_after_a_reload_is_run_once_and_the_turn_goes_on(comfy, panel, model):
    model.play(ADDS_IN_THE_MIDDLE)
    panel.send("add an image")
    expect(panel.answers.last).to_contain_text("a3 ")

    comfy.reload()
    again = reopened(comfy.page)

    expect(again.answers.last).to_contain_text("b29", timeout=30_000)
    again.wait_until_the_turn_is_over()
    assert again.answer().split() == " ".join(BOTH).split()
    assert comfy.node_types() == ["EmptyImage"]
    assert again.tools_by_state() == [("addNode", "succeeded")]
    assert len(model.requests) == 2


def go_offline(comfy: ComfyPage, seconds: float) -> None:
    comfy.page.context.set_offline(True)
    comfy.page.wait_for_timeout(seconds * 1000)
    comfy.page.context.set_offline(False)


@pytest.mark.any_frontend
def test_a_lost_network_that_comes_back_costs_nothing(comfy, panel, model):
    model.play(scenario("slow-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")

    go_offline(comfy, 5)

    expect(panel.answers.last).to_contain_text("The end.")
    panel.wait_until_the_turn_is_over()
    assert panel.answer() == STORY
    assert panel.errors.count() == 0
    assert len(model.requests) == 1


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_network_that_is_lost_while_a_tool_runs_costs_nothing_either(comfy, panel, model):
    comfy.add_node("TestSlowRun", seconds=2)
    model.play(RUNS_AT_ONCE)
    ran = runs_so_far(comfy)
    panel.send("run it")
    comfy.wait_until_running(1)

    go_offline(comfy, 5)

    expect(panel.answers.last).to_contain_text("b29", timeout=30_000)
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state() == [("executeWorkflow", "succeeded")]
    assert panel.errors.count() == 0
    assert (runs_so_far(comfy), len(model.requests)) == (ran + 1, 2)


@pytest.mark.older_frontend
def test_two_tabs_see_the_same_turn_and_either_stops_it(comfy, panel, model):
    model.play(ADDS_IN_THE_MIDDLE)
    panel.send("add an image")
    expect(panel.answers.last).to_contain_text("a3 ")
    with another_tab(comfy) as (second, other):
        for each in (panel, other):
            expect(each.answers.last).to_contain_text("b29", timeout=30_000)
            each.wait_until_the_turn_is_over()
            assert each.answer().split() == " ".join(BOTH).split()
            assert each.tools_by_state() == [("addNode", "succeeded")]
        assert (comfy.node_types(), second.node_types()) == (["EmptyImage"], [])
        assert len(model.requests) == 2

        model.play(scenario("slow-story"))
        panel.send("tell me a story")
        expect(other.answers.last).to_contain_text("#5")
        other.stop()
        for each in (panel, other):
            expect(each.stop_button).to_be_hidden()
        model.wait_until(lambda: model.open_streams == 0)


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_tab_that_shows_a_turn_rests_when_it_is_over_also_after_a_run_of_seconds(comfy, panel, model):
    model.play(calls_late("executeWorkflow"))
    comfy.add_node("TestSlowRun", seconds=3)
    panel.send("run it")
    expect(panel.answers.last).to_contain_text("a3 ")
    with another_tab(comfy) as (second, other):
        expect(other.answers.last).to_contain_text("a3 ")
        model.hurry()
        for each in (panel, other):
            expect(each.answers.last).to_contain_text("b29", timeout=40_000)
            each.wait_until_the_turn_is_over()
            assert each.tools_by_state() == [("executeWorkflow", "succeeded")]
            assert each.errors.count() == 0
        assert len(model.requests) == 2
        assert comfy.errors == second.errors == []


@pytest.mark.older_frontend
def test_a_tab_that_shows_a_turn_goes_on_with_it_when_the_tab_that_ran_it_is_closed(comfy, panel, model):
    """The call of a browser tool comes when nobody is there to run it."""
    model.play(calls_late("addNode", type="EmptyImage"))
    with another_tab(comfy) as (first, its_panel):
        open_saved(first.page, "goes-on")
        its_panel.begin_new_chat()
        its_panel.send("add an image")
        expect(its_panel.answers.last).to_contain_text("a3 ")
        with another_tab(first) as (second, other):
            open_saved(second.page, "goes-on")
            expect(other.answers.last).to_contain_text("a3 ")
            first.page.close()
            model.hurry()

            expect(other.answers.last).to_contain_text("b29", timeout=30_000)
            other.wait_until_the_turn_is_over()
            assert other.answer().split() == " ".join([*LONG, BOTH[1]]).split()
            assert other.tools_by_state() == [("addNode", "succeeded")]
            assert second.node_types() == ["EmptyImage"]
            assert len(model.requests) == 2
            assert second.errors == []
    assert comfy.node_types() == []


@pytest.mark.older_frontend
def test_a_tab_on_another_workflow_makes_no_call_of_the_tab_that_is_closed_and_says_so(comfy, panel, model):
    model.play(calls_late("addNode", type="EmptyImage"))
    with another_tab(comfy) as (first, its_panel):
        open_saved(first.page, "meant")
        its_panel.begin_new_chat()
        its_panel.send("add an image")
        expect(its_panel.answers.last).to_contain_text("a3 ")
        with another_tab(first) as (second, other):
            open_saved(second.page, "another")
            expect(other.answers.last).to_contain_text("a3 ")
            first.page.close()
            model.hurry()

            expect(other.answers.last).to_contain_text("b29", timeout=30_000)
            assert other.tools_by_state() == [("addNode", "skipped")]
            assert second.node_types() == []
            told = model.requests[-1].body["messages"][-1]["content"].replace("\\", "")
            assert 'This turn began on "meant"' in told
            assert 'open here is "another"' in told


@pytest.mark.older_frontend
def test_a_run_of_a_tab_that_is_closed_is_waited_for_in_the_tab_that_shows_it(
    comfy, panel, model, end_the_run
):
    model.play(calls_late("executeWorkflow"))
    with another_tab(comfy) as (first, its_panel):
        first.add_node("TestSlowRun", seconds=120)
        its_panel.begin_new_chat()
        its_panel.send("run it")
        expect(its_panel.answers.last).to_contain_text("a3 ")
        with another_tab(first) as (second, other):
            expect(other.answers.last).to_contain_text("a3 ")
            model.hurry()
            second.wait_until_running(1, seconds=40)
            ran = runs_so_far(second)
            first.page.close()
            end_the_run()

            expect(other.answers.last).to_contain_text("b29", timeout=30_000)
            assert other.tools_by_state() == [("executeWorkflow", "succeeded")]
            assert runs_so_far(second) == ran + 1
            assert len(model.requests) == 2


@contextmanager
def answering_process(comfyui: ComfyUIProcess, model: ScriptedProviderThread, thread: str) -> Iterator[None]:
    """Another process at the same store answers in the chat, which is waited for at the end."""

    async def answer() -> None:
        settings = {"COMFYUI_ASSISTANT_BASE_URL": model.base_url, "COMFYUI_ASSISTANT_MODEL": "scripted"}
        async with running_assistant(comfyui.base / "user" / "__comfyui_assistant", settings) as process:
            await process.say("tell me a story", thread=thread, message_id="elsewhere")

    with ThreadPoolExecutor(1) as executor:
        answered = executor.submit(asyncio.run, answer())
        yield
        answered.result(timeout=60)


@pytest.mark.older_frontend
def test_an_answer_of_another_process_is_told_and_grows_as_it_is_saved(comfy, comfyui, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    thread = comfy.page.evaluate("() => sessionStorage.getItem('comfyui-assistant.thread')")
    model.play({**ADDS_IN_THE_MIDDLE, "steps": [{"reply": [{"say": [f"a{n} " for n in range(250)]}]}]})
    with answering_process(comfyui, model, thread):
        model.wait_until(lambda: model.open_streams == 1, seconds=30)  # until the process has started
        comfy.reload()
        again = reopened(comfy.page)
        expect(again.root.get_by_text("Another ComfyUI at the same database")).to_be_visible(timeout=10_000)
        expect(again.answers.last).to_contain_text("a9 ")
        expect(again.stop_button).to_be_visible()
        again.look_at("turn-in-another-process")
        assert "a249" not in again.answer()
        expect(again.answers.last).to_contain_text("a249", timeout=40_000)
        again.wait_until_the_turn_is_over()
    assert again.answer().split() == [f"a{n}" for n in range(250)]
    assert len(model.requests) == 2
    model.play(scenario("short-answer"))
    again.ask("and now?")
    assert again.errors.count() == 0
    assert comfy.errors == []


@pytest.mark.any_frontend
def test_a_turn_that_runs_unseen_is_stopped_from_the_error_that_tells_of_it(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    thread = comfy.page.evaluate("() => sessionStorage.getItem('comfyui-assistant.thread')")
    model.play({**ADDS_IN_THE_MIDDLE, "steps": [{"reply": [{"say": [f"a{n} " for n in range(900)]}]}]})
    message = {"id": "unseen", "role": "user", "parts": [{"type": "text", "text": "go"}]}
    comfy.page.evaluate(
        "(body) => void fetch('/api/chat', { method: 'POST', body,"
        " headers: { 'content-type': 'application/json' } })",
        json.dumps({"id": thread, "messages": [message]}),
    )
    model.wait_until(lambda: model.open_streams == 1)
    panel.send("and now?")

    expect(panel.root.get_by_role("button", name="Stop it")).to_be_visible(timeout=15_000)
    panel.look_at("turn-elsewhere")
    panel.root.get_by_role("button", name="Stop it").click()
    expect(panel.root.get_by_text("Stopped; send it again.")).to_be_visible()
    assert model.open_streams == 0
    assert panel.composer.input_value() == "and now?"
    model.play(scenario("short-answer"))
    panel.composer.press("Enter")
    expect(panel.messages.filter(has_text="and now?")).to_have_count(1)
    panel.wait_until_the_turn_is_over()
    assert panel.errors.count() == 0


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_stop_in_one_tab_and_a_message_in_another_at_once_lose_nothing(comfy, panel, model):
    long_answer = {"user": "story", "steps": [{"reply": [{"say": [f"a{n} " for n in range(600)]}]}]}
    short_answer = {"user": "short one", "steps": [{"reply": [{"say": ["Here it is."]}]}]}
    model.play(
        {"about": "A long answer, then a short one.", "pace": 0.1, "turns": [long_answer, short_answer]}
    )
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("a3 ")
    with another_tab(comfy) as (second, other):
        expect(other.answers.last).to_contain_text("a3 ")
        other.composer.fill("and a short one?")
        panel.stop()
        other.composer.press("Control+Enter")

        for each in (panel, other):
            expect(each.answers.last).to_contain_text("Here it is.", timeout=30_000)
            expect(each.root.locator(".cass-user")).to_have_text(["tell me a story", "and a short one?"])
            each.wait_until_the_turn_is_over()
            assert each.errors.count() == 0
            assert each.composer.input_value() == ""
        assert len(model.requests) == 2
        assert comfy.errors == second.errors == []
