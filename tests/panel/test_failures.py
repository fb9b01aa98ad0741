"""What can go wrong with the model's endpoint: each failure has its own words, and no text is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.panel import Panel
from tests.host.scenarios import scenario as scenario_file

QUESTION = "What does this workflow do?"


@pytest.mark.parametrize(
    ("scenario", "code", "says"),
    [
        pytest.param("wrong-key", "key_refused", "Open settings", id="a wrong key"),
        pytest.param("unknown-model", "unknown_model", "Choose a model", id="an unknown model"),
        pytest.param("empty-reply", "empty_reply", "Retry", id="an empty reply"),
    ],
)
def test_a_refusal_says_what_to_do_and_keeps_the_question(comfy, panel, model, scenario, code, says):
    model.play(scenario)

    panel.ask(QUESTION)

    expect(panel.errors).to_have_count(1)
    expect(panel.errors).to_have_attribute("data-code", code)
    expect(panel.errors).to_contain_text(says)
    assert panel.has_kept(QUESTION)
    assert "key-for-tests" not in comfy.page.content()


def test_an_endpoint_that_nobody_listens_at_is_named_and_the_question_is_kept(panel, model_port):
    panel.ask(QUESTION)

    expect(panel.errors).to_have_count(1)
    expect(panel.errors).to_have_attribute("data-code", "provider_unreachable")
    expect(panel.errors).to_contain_text(f"http://127.0.0.1:{model_port}/v1")
    assert panel.has_kept(QUESTION)


def test_retry_answers_the_same_question_once_the_endpoint_is_back(panel, model):
    model.play("server-error")
    panel.ask(QUESTION)
    expect(panel.errors).to_have_count(1)
    failed = len(model.requests)

    model.play({"about": "Back again.", "steps": [{"reply": [{"say": "It saves an image."}]}]})
    panel.page.get_by_role("button", name="Retry").click()

    expect(panel.answers.last).to_contain_text("It saves an image.")
    panel.wait_until_the_turn_is_over()
    expect(panel.errors).to_have_count(0)
    assert panel.messages.filter(has_text=QUESTION).count() == 1
    assert len(model.requests) == failed + 1


def test_retry_after_an_edit_neither_edits_again_nor_says_anything(comfy, panel, model):
    model.play(scenario_file("refused-after-an-edit"))
    panel.ask("add an image")
    expect(panel.errors).to_have_count(1)

    panel.page.get_by_role("button", name="Retry").click()

    expect(panel.answers.last).to_contain_text("Added EmptyImage.")
    panel.wait_until_the_turn_is_over()
    expect(panel.errors).to_have_count(0)
    expect(panel.messages).to_have_count(2)
    assert comfy.node_types() == ["EmptyImage"]


def test_a_question_without_an_answer_is_still_there_after_a_reload(comfy, panel, model):
    model.play("wrong-key")
    panel.ask(QUESTION)

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()

    expect(reopened.page.locator(".cass-user")).to_contain_text(QUESTION)
