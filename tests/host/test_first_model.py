"""The way from an installation without a model to the first answer of a real one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from dev.places import SCREENSHOTS
from tests.host.comfy import ComfyPage
from tests.host.conftest import set_up_scripted_model
from tests.host.pages_of_a_turn import another_tab
from tests.host.panel import Panel
from tests.host.served_model import SECONDS_TO_ANSWER, serving

pytestmark = pytest.mark.any_frontend


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a real model, of little wit but quick."""
    # It is tried while other tests use the cores; threads that wait for each other then take minutes.
    limits = ("--threads", "1", "--longest-reply", "60")
    with serving("small", *limits, log=tmp_path_factory.mktemp("model") / "model.log") as port:
        yield f"http://127.0.0.1:{port}/v1"


@pytest.fixture
def nothing_set_up(comfyui: ComfyUIProcess, model_port: int) -> Iterator[None]:
    comfyui.save_assistant_settings(baseUrl="", model="")
    yield
    set_up_scripted_model(comfyui, model_port)


@pytest.mark.slow
def test_somebody_who_has_no_model_yet_enters_a_real_one_and_talks_to_it(
    comfy: ComfyPage, nothing_set_up: None, panel: Panel, small_model: str
):
    form = panel.root.get_by_role("region", name="Set up the assistant")
    expect(form.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    form.get_by_label("Base URL").fill(small_model)
    panel.send("too early")
    expect(panel.errors).to_have_attribute("data-code", "no_provider")
    expect(form.get_by_label("Base URL")).to_have_value(small_model)
    panel.composer.fill("")
    form.get_by_role("button", name="Test connection").click()
    expect(form.get_by_role("status")).to_contain_text("Connected in", timeout=SECONDS_TO_ANSWER * 1000)
    comfy.screenshot(SCREENSHOTS / "onboarding.png")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(panel.root.get_by_role("heading", name="What shall we build?")).to_be_in_viewport(ratio=1)
    # What came too early was refused, and so was the question about its context.
    comfy.errors.clear()

    panel.send("Say hello in one short sentence.")
    expect(panel.answers.last.locator(".cass-markdown")).not_to_be_empty(timeout=SECONDS_TO_ANSWER * 1000)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    expect(panel.answers.last.locator(".cass-about")).to_have_text(re.compile(r"[1-9][\d,]* tokens"))
    expect(panel.errors).to_have_count(0)
    assert comfy.errors == []


def test_who_has_no_model_yet_reads_from_the_beginning_and_need_not_know_an_address(
    comfy: ComfyPage, low_window: None, nothing_set_up: None, panel: Panel
):
    form = panel.root.get_by_role("region", name="Set up the assistant")
    servers = form.get_by_label("Common servers")
    expect(servers).to_be_visible()
    expect(form.get_by_role("heading", name="Which model should build with you?")).to_be_in_viewport(ratio=1)
    comfy.screenshot(SCREENSHOTS / "onboarding-low.png")
    fields = [form.get_by_label(label) for label in ("API key", "Model")]
    assert len({field.bounding_box()["y"] for field in fields}) == 1, "the last of four stands alone"
    servers.select_option(label="Ollama")
    expect(form.get_by_label("Base URL")).to_have_value("http://127.0.0.1:11434/v1")
    form.get_by_label("Base URL").fill("127.0.0.1:9/v1")
    form.get_by_role("button", name="Test connection").click()
    expect(form.get_by_role("alert")).to_contain_text("http://127.0.0.1:9/v1")
    expect(form.get_by_role("alert")).not_to_contain_text("Settings")
    expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(form.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    comfy.screenshot(SCREENSHOTS / "onboarding-low-tested.png")
    assert comfy.errors == []


@pytest.mark.slow
def test_who_has_no_model_is_led_to_where_that_is_set_up_but_not_to_the_form_that_is_there(
    comfy: ComfyPage, nothing_set_up: None, panel: Panel
):
    # In a page of its own: the chat whose only message is refused is the one that a page loaded anew would open.
    with another_tab(comfy) as (_, other):
        form = other.root.get_by_role("region", name="Set up the assistant")
        expect(form).to_be_visible()
        other.send("hello")
        expect(other.errors).to_contain_text("in the settings")
        expect(other.errors.get_by_role("button", name="Open settings")).to_have_count(0)
        other.look_at("no-model-yet")

        form.get_by_role("button", name="Later").click()
        expect(other.errors.get_by_role("button", name="Open settings")).to_be_visible()
        other.root.get_by_role("button", name="Set up a model").click()
        settings = other.root.get_by_role("region", name="Settings", exact=True)
        expect(settings.get_by_label("Base URL")).to_be_visible()
