"""Several providers side by side: added, switched in the midst of a chat, one deleted while it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.listed_providers import add_provider, listed_providers, open_settings
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

STORY = {"say": [f"#{number} " for number in range(80)]}


def says(text: str) -> dict[str, object]:
    return {"about": "One sentence.", "steps": [{"reply": [{"say": text}]}], "after": "repeat"}


@pytest.fixture
def other() -> Iterator[ScriptedProviderThread]:
    with ScriptedProviderThread(says("I am the other.")) as provider:
        yield provider


@pytest.fixture
def one_provider(comfy: ComfyPage) -> Iterator[None]:
    """Those that a test adds go with it."""
    before = {each["id"] for each in providers(comfy)}
    yield
    for each in providers(comfy):
        if each["id"] not in before:
            comfy.fetch(f"/assistant/providers/{each['id']}", method="DELETE")


def providers(comfy: ComfyPage) -> list[dict[str, str]]:
    return comfy.fetch("/assistant/providers")["body"]["providers"]


def chip(panel: Panel) -> Locator:
    return panel.root.locator(".cass-model")


def choose(panel: Panel, name: str) -> None:
    chip(panel).click()
    panel.root.get_by_role("menu", name="Models").get_by_role("menuitemradio", name=name).first.click()
    expect(panel.notice).to_contain_text("answers in this chat from now on")


@pytest.mark.slow
def test_five_providers_are_added_switched_in_a_chat_and_one_is_deleted_while_it_answers(
    comfy: ComfyPage, panel: Panel, model, other: ScriptedProviderThread, one_provider: None
):
    model.play(says("I am the first."))
    short = other.base_url.removesuffix("/v1")
    view = open_settings(panel)
    view.get_by_role("button", name="Add a provider").click()
    view.get_by_label("Base URL").fill(short)
    view.get_by_label("Model", exact=True).fill("scripted")
    view.get_by_role("button", name="Test connection").click()
    view.get_by_role("button", name=f"Use {other.base_url}").click()
    expect(view.get_by_role("status").filter(has_text="Connected in")).to_be_visible()
    panel.look_at("provider-form")
    view.get_by_role("button", name="Save", exact=True).click()
    for name in ("Large", "Quick", "Cheap", "Elsewhere"):
        add_provider(
            panel, name, other.base_url, f"scripted/{name.lower()}" if name == "Quick" else "scripted"
        )
    expect(listed_providers(panel)).to_have_count(6)
    panel.look_at("providers")
    view.get_by_role("button", name="Costs").click()
    expect(panel.root.get_by_role("heading", name="Costs")).to_be_visible()
    panel.close_view()

    assert panel.ask("who are you?") == "I am the first."
    listed = comfy.fetch("/assistant/providers")["body"]["providers"]
    cheap = next(provider["id"] for provider in listed if provider["name"] == "Cheap")
    known = {"window": 128_000, "price": {"input": 0.4, "cached": 0.1, "output": 1.6}}
    comfy.fetch(f"/assistant/providers/{cheap}", method="PATCH", body=known)
    chip(panel).click()
    expect(panel.root.get_by_role("menuitemradio")).to_have_count(6)
    expect(panel.root.get_by_role("menuitemradio", name="Cheap")).to_contain_text(
        "128k tokens, $0.4 in, $1.6 out"
    )
    expect(panel.root.get_by_role("menuitemradio", name="Large")).to_contain_text("free")
    panel.look_at("model-menu")
    panel.page.keyboard.press("Escape")
    choose(panel, "Large")
    expect(chip(panel)).to_have_text("Large")
    assert panel.ask("and now?") == "I am the other."
    moved = f"This chat’s answers now come from {short}; everything above is sent there too."
    expect(panel.answers.last.get_by_text(moved)).to_be_visible()
    panel.look_at("answers-from-elsewhere")
    panel.send("/provider default")
    expect(chip(panel)).to_have_text("scripted")
    assert panel.ask("and again?") == "I am the first."
    panel.send("/model scripted/red-image")
    expect(chip(panel)).to_have_text("red-image")
    panel.send("/provider Elsewhere")
    expect(chip(panel)).to_have_text("Elsewhere")

    other.play({"about": "Takes seconds.", "pace": 0.05, "steps": [{"reply": [STORY]}], "after": "repeat"})
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#3")
    view = open_settings(panel)
    view.get_by_role("button", name="Delete Elsewhere").click()
    view.get_by_role("button", name="Delete", exact=True).click()
    expect(view.get_by_role("listitem").filter(has_text="Elsewhere")).to_have_count(0)
    panel.close_view()
    panel.wait_until_the_turn_is_over()
    expect(panel.answers.last).to_contain_text("#79")
    expect(chip(panel)).to_have_text("scripted")
    assert panel.ask("and then?") == "I am the first."
    gone = "The provider of this chat was deleted. scripted answers from here on."
    expect(panel.answers.last.get_by_text(gone)).to_be_visible()
    panel.begin_new_chat()
    expect(chip(panel)).to_have_text("scripted")
    assert comfy.errors == []


def test_a_model_is_found_by_its_name_and_chosen_by_keys_alone(
    comfy: ComfyPage, panel: Panel, model, other: ScriptedProviderThread, one_provider: None
):
    add_provider(panel, "Other", other.base_url, "scripted")
    panel.close_view()
    chip(panel).focus()
    keyboard = panel.page.keyboard
    keyboard.press("Enter")
    menu = panel.root.get_by_role("dialog", name="Choose a model")
    expect(menu.get_by_role("menuitemradio").first).to_be_focused()
    expect(menu.get_by_role("menuitemradio", name="Other")).to_have_attribute("title", re.compile("scripted"))
    keyboard.press("End")
    expect(menu.get_by_role("button", name="Open settings")).to_be_focused()
    keyboard.press("ArrowUp")
    keyboard.press("Enter")
    find = menu.get_by_label("Find a model")
    expect(find).to_be_focused()
    keyboard.type("no such one")
    expect(menu.get_by_text("No model has “no such one” in its name.")).to_be_visible()
    find.fill("RED-image")
    keyboard.press("Enter")
    expect(panel.notice).to_contain_text("red-image answers in this chat from now on")
    expect(chip(panel)).to_have_text("red-image")
    # The choice has made a chat, which the next test deletes.
    panel.send("/new")
    expect(chip(panel)).to_have_text("scripted")
    assert comfy.errors == []


def test_who_opens_a_provider_can_type_at_once_and_reads_what_a_test_came_to(
    comfy: ComfyPage, panel: Panel, low_window: None, model, one_provider: None
):
    view = open_settings(panel)
    view.get_by_role("button", name="Add a provider").click()
    expect(view.get_by_label("Common servers")).to_be_focused()
    # Refused, which the browser tells on its console.
    view.get_by_label("Base URL").fill("openrouter.ai/api/v1")
    view.get_by_role("button", name="Test connection").click()
    expect(view.get_by_role("alert")).to_contain_text("expected one that begins with http:// or https://")
    expect(view.get_by_role("alert")).to_be_in_viewport(ratio=1)
    view.get_by_role("button", name="Back to the list").click()
    view.get_by_role("button", name="scripted").first.click()
    expect(view.get_by_label("Base URL")).to_be_focused()
    panel.close_view()
    expect(open_settings(panel).get_by_role("button", name="Add a provider")).to_be_visible()
    panel.close_view()
    assert [error for error in comfy.errors if "providers/test" not in error] == []


def test_a_chat_with_a_small_model_of_its_own_is_shown_the_workflow_that_it_changes(
    comfy: ComfyPage, panel: Panel, model, other: ScriptedProviderThread, one_provider: None
):
    comfy.add_node("EmptyImage", width=64)
    model.play(says("I am the first."))
    small = {"baseUrl": other.base_url, "model": "scripted", "name": "Small", "profile": "slim"}
    assert comfy.fetch("/assistant/providers", method="POST", body=small)["status"] < 300
    call = {"call": "setValue", "arguments": {"name": "width", "value": "128"}}
    other.play({"about": "Small.", "steps": [{"reply": [call]}, {"reply": [{"say": "It is 128 wide."}]}]})
    assert panel.ask("who are you?") == "I am the first."
    panel.send("/provider Small")
    expect(chip(panel)).to_have_text("Small")

    assert panel.ask("set the width to 128 for a banner") == "It is 128 wide."

    assert "width = 64" in str(other.requests[0].messages[-1]["content"])
    assert panel.tools_by_state() == [("setNodeWidgetValue", "succeeded")]
    assert comfy.errors == []


def test_of_two_pages_that_change_one_provider_the_later_is_told(
    comfy: ComfyPage, panel: Panel, model, one_provider: None
):
    view = open_settings(panel)
    add_provider(panel, "Ours", model.base_url, "scripted")
    view.get_by_role("listitem").filter(has_text="Ours").get_by_role("button").first.click()
    view.get_by_role("button", name="tokens (").click()
    view.get_by_label("Window in tokens").fill("many")
    view.get_by_role("button", name="Save", exact=True).click()
    expect(view.get_by_role("alert")).to_contain_text("expected a whole number from 2,048 to")
    ours = next(each["id"] for each in providers(comfy) if each["name"] == "Ours")
    comfy.fetch(f"/assistant/providers/{ours}", method="PATCH", body={"name": "Theirs"})
    view.get_by_label("Window in tokens").fill("16k")
    view.get_by_role("button", name="Save", exact=True).click()
    expect(view.get_by_role("alert")).to_contain_text("was changed elsewhere")
    view.get_by_role("button", name="Show it as it is now").click()
    expect(view.get_by_label("Window in tokens")).to_have_value("16k")
    panel.look_at("provider-values")
    view.get_by_role("button", name="Save", exact=True).click()
    changed = view.get_by_role("listitem").filter(has_text="Theirs")
    expect(changed).to_be_visible()
    changed.get_by_role("button").first.click()
    expect(view.get_by_role("button", name="16,000 tokens (entered by you)")).to_be_visible()
    panel.close_view()
    comfy.errors.clear()


def test_a_key_that_expired_is_renewed_from_the_error_itself(
    comfy: ComfyPage, panel: Panel, model, one_provider: None
):
    add_provider(panel, "Expired", model.base_url, "scripted")
    panel.close_view()
    choose(panel, "Expired")
    expect(chip(panel)).to_have_text("Expired")
    model.play(says("Good day."))
    assert panel.ask("good day") == "Good day."
    model.play("wrong-key")
    panel.send("hello")
    expect(panel.errors).to_have_attribute("data-code", "key_refused")
    panel.errors.get_by_role("button", name="Open settings").click()
    form = open_settings(panel).get_by_role("form", name="Provider Expired")
    form.get_by_label("API key").fill("a-new-key")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(listed_providers(panel).filter(has_text="Expired")).to_contain_text("has a key")
    panel.close_view()
    model.play(says("Here I am."))
    panel.errors.get_by_role("button", name="Retry").click()
    expect(panel.answers.last).to_contain_text("Here I am.")
    expect(panel.root.locator(".cass-user")).to_have_text(["good day", "hello"])
    comfy.errors.clear()


def test_a_model_that_vanishes_in_the_midst_of_a_chat_is_named_and_another_one_answers(
    comfy: ComfyPage, panel: Panel, model, other: ScriptedProviderThread, one_provider: None
):
    add_provider(panel, "Other", other.base_url, "scripted")
    panel.close_view()
    model.play(says("Good day."))
    assert panel.ask("good day") == "Good day."
    model.play("unknown-model")
    panel.send("hello")
    expect(panel.errors).to_have_attribute("data-code", "unknown_model")
    expect(panel.errors).to_contain_text("Choose another one by the model's name below the chat")
    panel.look_at("model-vanished")
    panel.errors.get_by_role("button", name="Choose a model").click()
    panel.root.get_by_role("menuitemradio", name="Other").click()
    expect(panel.notice).to_contain_text("answers in this chat from now on")
    panel.errors.get_by_role("button", name="Retry").click()
    expect(panel.answers.last).to_contain_text("I am the other.")
    panel.wait_until_the_turn_is_over()
    expect(panel.root.locator(".cass-user")).to_have_text(["good day", "hello"])
    expect(panel.errors).to_have_count(0)
    (asked,) = other.requests
    assert [message["role"] for message in asked.messages] == ["system", "user", "assistant", "user"]
    comfy.errors.clear()


def test_a_model_is_asked_with_the_effort_and_temperature_that_the_person_entered(
    comfy: ComfyPage, panel: Panel, model, one_provider: None
):
    add_provider(panel, "Thoughtful", model.base_url, "scripted")
    view = open_settings(panel)
    view.get_by_role("listitem").filter(has_text="Thoughtful").get_by_role("button").first.click()
    view.get_by_role("button", name="tokens (").click()
    view.get_by_label("Reasoning effort").select_option("high")
    view.get_by_label("Temperature").fill("0,2")
    view.get_by_label("Send instructions as").select_option("part of the first message")
    view.get_by_role("button", name="Save", exact=True).click()
    expect(view.get_by_role("listitem").filter(has_text="Thoughtful")).to_be_visible()
    panel.close_view()
    choose(panel, "Thoughtful")
    model.play(says("Well thought."))
    assert panel.ask("hello") == "Well thought."
    body = model.requests[-1].body
    assert (body["reasoning_effort"], body["temperature"]) == ("high", 0.2)
    assert "system" not in [message["role"] for message in body["messages"]]
    assert comfy.errors == []
