"""From a stranger's workflow, dropped into ComfyUI, to its first picture; and nothing without a yes."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from dev.places import SCREENSHOTS
from tests.host.comfy import READY
from tests.host.conftest import set_up_scripted_model
from tests.host.panel import CHOOSE_PALETTE, Panel
from tests.host.scenarios import scenario
from tests.host.strangers_page import DROP, World, answer, dropped, note_clicks, offer, question, world
from tests.host.strangers_world import (
    ELSEWHERE,
    ENDLESS,
    FILES,
    PACKAGE,
    PICKLE,
    SLOW,
    SWAPPED,
    with_dead_group_node,
    with_many_models,
    workflow,
)

__all__ = ["dropped", "world"]

CONFIRM_UNLOAD = "(asks) => app.extensionManager.setting.set('Comfy.Window.UnloadConfirmation', asks)"


def fetch(panel: Panel, world: World, *files: str) -> None:
    """Everything allowed, but for the package: so only files come."""
    panel.page.evaluate(DROP, workflow(world.url, files))
    panel.send("make this run here")
    answer(panel, "Look up 2 model files", "Look up")
    question(panel).get_by_label("What to do about Stranger's Tint").select_option("Leave it")
    answer(panel, "A yes fetches ", "Do it")


@pytest.mark.nodes_2
def test_nothing_is_asked_fetched_or_installed_without_a_yes(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    dropped.send("make this run here")
    answer(dropped, "Look up 2 model files and 1 node package", "Deny")
    dropped.wait_until_the_turn_is_over()
    offer(dropped).get_by_role("button", name="Dismiss").click()
    expect(offer(dropped)).to_have_count(0)
    assert world.asked == []

    dropped.send("make this run here")
    answer(dropped, "only their names are sent: strangers-tint.", "Look up")
    expect(question(dropped)).to_contain_text("This workflow lacks 2 models and 1 node package")
    expect(question(dropped).get_by_role("listitem")).to_have_count(3)
    question(dropped).get_by_role("button", name="Deny").click()
    dropped.wait_until_the_turn_is_over()
    assert set(world.asked) == {*(f"/{name}" for name in FILES), f"/nodes/{PACKAGE['id']}"}
    assert world.model_files == []
    assert not (world.comfyui.base / "custom_nodes" / PACKAGE["id"]).exists()


@pytest.mark.slow
@pytest.mark.any_frontend
def test_stop_in_the_middle_of_a_file_leaves_nothing_of_it(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    fetch(dropped, world, SLOW, "shade.safetensors")
    expect(dropped.tool_card("findMissing")).to_contain_text(f"{SLOW}: 2 MB of 5 MB")
    assert len(world.model_files) == 1
    dropped.stop()

    dropped.wait_until_the_turn_is_over()
    dropped.page.wait_for_timeout(500)
    assert world.model_files == []
    assert f"/{SLOW}" in world.asked
    assert world.asked.count("/shade.safetensors") == 1


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_download_is_shown_and_stopped_in_a_page_that_was_loaded_anew(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    fetch(dropped, world, SLOW, "shade.safetensors")
    card = dropped.tool_card("findMissing")
    expect(card).to_contain_text(f"1 of 2, {SLOW}: 2 MB of 5 MB")
    dropped.page.reload(wait_until="domcontentloaded")
    dropped.page.wait_for_function(READY)
    dropped.open()
    expect(card).to_contain_text(f"1 of 2, {SLOW}: 2 MB of 5 MB", timeout=30_000)
    expect(question(dropped)).to_have_count(0)
    dropped.look_at("missing-loaded-anew")
    assert len(world.model_files) == 1
    dropped.stop()

    dropped.wait_until_the_turn_is_over()
    dropped.page.wait_for_timeout(500)
    assert world.model_files == []
    assert world.asked.count("/shade.safetensors") == 1


@pytest.mark.any_frontend
def test_a_pickle_by_another_name_is_not_kept(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    fetch(dropped, world, PICKLE, "missing-there.safetensors")

    dropped.wait_until_the_turn_is_over()
    assert world.model_files == []
    assert "it is not a safetensors file but a pickle" in str(model.requests[-1].messages[-1]["content"])


@pytest.mark.any_frontend
def test_the_card_says_why_a_file_is_not_fetched_from_elsewhere_nor_kept_with_another_hash(
    world, dropped, model
):
    model.play(scenario("from-elsewhere"))
    dropped.page.evaluate(DROP, workflow(world.url, (ELSEWHERE, SWAPPED)))
    dropped.send("make this run here")
    answer(dropped, "Look up 2 model files", "Look up")
    question(dropped).get_by_label("What to do about Stranger's Tint").select_option("Leave it")
    expect(question(dropped).get_by_role("listitem").filter(has_text=ELSEWHERE)).to_contain_text(
        "redirects to"
    )
    dropped.look_at("missing-redirected")
    answer(dropped, "A yes fetches 1 file ", "Do it")

    dropped.wait_until_the_turn_is_over()
    card = dropped.tool_card("findMissing")
    expect(card).to_contain_text("another hash than it should have")
    dropped.look_at("missing-another-hash")
    assert world.model_files == []


@pytest.mark.slow
@pytest.mark.any_frontend
def test_the_card_says_that_a_file_has_no_room_on_the_disk_and_nothing_of_it_comes(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    dropped.page.evaluate(DROP, workflow(world.url, (ENDLESS, "shade.safetensors")))
    dropped.send("make this run here")
    answer(dropped, "Look up 2 model files", "Look up")

    file = question(dropped).get_by_role("listitem").filter(has_text=ENDLESS)
    expect(file).to_contain_text("are free")
    for by_hand in (f"{world.url}/{ENDLESS}", "models/loras"):
        expect(file.get_by_text(by_hand)).to_be_visible()
    file.get_by_text("models/loras").scroll_into_view_if_needed()
    dropped.look_at("missing-no-room")
    question(dropped).get_by_role("button", name="Deny").click()
    dropped.wait_until_the_turn_is_over()
    assert world.model_files == []


@pytest.mark.slow
@pytest.mark.any_frontend
def test_who_goes_on_with_something_else_is_told_of_it_in_brief(dropped, model):
    model.play(scenario("short-answer"))
    expect(offer(dropped)).to_contain_text("is asked for the size and licence")
    dropped.ask("hello")
    expect(offer(dropped)).to_be_visible()
    expect(offer(dropped)).not_to_contain_text("is asked for")
    offer(dropped).get_by_role("button", name="Details").click()
    expect(offer(dropped)).to_contain_text("is asked for the size and licence")
    expect(offer(dropped).get_by_role("button", name="Get all")).to_be_visible()


@pytest.mark.slow
@pytest.mark.any_frontend
def test_what_had_no_room_is_asked_for_anew_by_another_click(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    dropped.page.evaluate(DROP, workflow(world.url, (ENDLESS, "shade.safetensors")))
    offer(dropped).get_by_role("button", name="Get all").click()
    question(dropped).get_by_label("What to do about Stranger's Tint").select_option("Leave it")
    answer(dropped, "A yes fetches 1 file ", "Do it")
    expect(offer(dropped)).to_contain_text("This workflow lacks 1 model and 1 node package")
    dropped.wait_until_the_turn_is_over()
    dropped.look_at("missing-again")
    offer(dropped).get_by_role("button", name="Get all").click()
    expect(question(dropped).get_by_role("listitem").filter(has_text=ENDLESS)).to_contain_text("are free")
    assert world.asked.count(f"/{ENDLESS}") == 2
    question(dropped).get_by_role("button", name="Deny").click()
    dropped.wait_until_the_turn_is_over()
    assert world.model_files == ["shade.safetensors"]
    next((world.comfyui.base / "models").rglob("shade.safetensors")).unlink()


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_model_that_is_larger_than_the_devices_memory_is_told_with_what_is_smaller(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    large = [world.comfyui.base / "models" / folder / "large.safetensors" for folder in ("loras", "vae")]
    for path in large:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.truncate(10**13)
    try:
        whole = workflow(world.url, ("large.safetensors", "large.safetensors"))
        picture, _, saved = whole["nodes"]
        picture["widgets_values"] = ["large.safetensors", "large.safetensors"]
        picture["outputs"][0]["links"] = []
        saved["inputs"][0]["link"] = None
        dropped.page.evaluate(DROP, {**whole, "nodes": [picture, saved], "links": []})
        line = dropped.root.get_by_role("status").filter(has_text="larger than this device's memory")
        expect(line).to_contain_text("large.safetensors (10000.0 GB)")
        dropped.look_at("missing-too-large")
        line.get_by_role("button", name="See what is smaller").click()
        dropped.wait_until_the_turn_is_over()
        expect(line).to_have_count(0)
    finally:
        for path in large:
            path.unlink()


@pytest.mark.slow
def test_a_list_longer_than_the_panel_shows_its_beginning_and_the_buttons(frontend, world, dropped, model):
    model.play(scenario("from-elsewhere"))
    dropped.page.evaluate(DROP, with_many_models(world.url, 20))
    dropped.send("make this run here")
    answer(dropped, "Look up 2 model files", "Look up")
    expect(question(dropped)).to_contain_text("This workflow lacks 22 models and 1 node package.")
    dropped.look_at(f"missing-{frontend}-long")
    asked = question(dropped)
    for each in (
        asked.get_by_text("This workflow lacks 22 models"),
        asked.get_by_role("listitem").first,
        asked.get_by_text("A yes fetches 2 files"),
        asked.get_by_role("button", name="Do it"),
    ):
        expect(each).to_be_in_viewport(ratio=1)
    expect(asked.get_by_role("listitem").last).not_to_be_in_viewport()
    expect(offer(dropped)).to_have_count(0)
    asked.get_by_role("button", name="Deny").click()
    dropped.wait_until_the_turn_is_over()
    expect(offer(dropped)).to_be_visible()


@pytest.mark.slow
@pytest.mark.nodes_2
def test_two_clicks_lead_from_a_strangers_workflow_to_its_first_picture(frontend, world, dropped, model):
    model.play(scenario("from-elsewhere"))
    clicks = note_clicks(dropped)
    dropped.page.evaluate(DROP, workflow(world.url))
    expect(offer(dropped)).to_contain_text("is asked for the size and licence of colour.safetensors")
    expect(offer(dropped)).to_contain_text("only their names are sent: strangers-tint.")
    dropped.look_at(f"missing-{frontend}-offer")
    offer(dropped).get_by_role("button", name="Get all").click()
    expect(question(dropped)).to_contain_text(
        "shade.safetensors: 5 MB from 127.0.0.1 into vae, licence unknown"
    )
    expect(question(dropped)).to_contain_text("Stranger's Tint 1.0.0")
    expect(question(dropped)).to_contain_text(
        "strangers-tint by A. Stranger, 12 downloads, updated 2026-01-02, https://github.com/stranger/tint"
    )
    dropped.look_at(f"missing-{frontend}")
    expect(question(dropped).get_by_role("button", name="Deny")).to_be_focused()
    dropped.composer.fill("and then")
    answer(dropped, "Then ComfyUI restarts", "Do it")

    picture = dropped.tool_card("executeWorkflow").locator("img")
    expect(picture).to_have_js_property("naturalWidth", 64, timeout=120_000)
    dropped.wait_until_the_turn_is_over()
    assert dropped.answer() == "Here is your first picture."
    expect(dropped.composer).to_have_value("and then")
    assert clicks == ["Get all", "Do it"]
    told = str(model.requests[-1].messages)
    assert "Installed strangers-tint 1.0.0; ComfyUI has restarted. Nothing is missing now." in told
    assert "Fetched loras/colour.safetensors" in told
    assert "Set 1.vae_name = shade.safetensors." in told
    assert world.model_files == sorted(FILES)
    assert dropped.tools_by_state() == [("findMissing", "succeeded"), ("executeWorkflow", "succeeded")]


@pytest.mark.slow
def test_help_is_not_offered_while_there_is_no_model_to_give_it(world, dropped, model_port):
    expect(offer(dropped)).to_be_visible()
    world.comfyui.save_assistant_settings(baseUrl="", model="")
    try:
        dropped.close()
        dropped.open()
        expect(dropped.root.get_by_role("region", name="Set up the assistant")).to_be_visible()
        expect(offer(dropped)).to_have_count(0)
    finally:
        set_up_scripted_model(world.comfyui, model_port)


@pytest.mark.slow
@pytest.mark.nodes_2
def test_a_workflow_that_lacks_something_is_told_of_once_where_the_panel_is_closed(frontend, world, dropped):
    page = dropped.page
    toasts = page.get_by_text(re.compile("^This workflow lacks 2 models( and 1 node package)?$"))
    page.evaluate(DROP, workflow(world.url, ("nowhere.safetensors", "not-here.safetensors")))
    expect(offer(dropped)).to_be_visible()
    expect(toasts).to_have_count(0)

    dropped.close()
    page.evaluate(DROP, workflow(world.url, ("nowhere.safetensors", "not-here.safetensors")))
    expect(toasts.first).to_be_visible()
    expect(page.get_by_text("Open the assistant (Alt+A)").first).to_be_visible()
    for palette in ("light", "dark"):
        page.evaluate(CHOOSE_PALETTE, palette)
        page.screenshot(path=SCREENSHOTS / f"missing-{frontend}-toast-{palette}.png")

    dropped.open()
    expect(offer(dropped)).to_be_visible()
    expect(toasts).to_have_count(0, timeout=5_000)

    page.evaluate(CONFIRM_UNLOAD, False)
    page.reload(wait_until="domcontentloaded")
    page.wait_for_function(READY)
    page.wait_for_timeout(3000)
    expect(toasts).to_have_count(0)
    whole = workflow(world.url)
    page.evaluate(DROP, {**whole, "nodes": whole["nodes"][2:], "links": []})
    page.wait_for_timeout(3000)
    expect(toasts).to_have_count(0)
    page.evaluate(CONFIRM_UNLOAD, True)


@pytest.mark.slow
@pytest.mark.newer_frontend
def test_in_app_mode_no_word_lies_over_the_apps_inputs(world, dropped):
    page = dropped.page
    toasts = page.get_by_text(re.compile("^This workflow lacks"))
    dropped.close()
    lacking = workflow(world.url, ("nowhere.safetensors", "of-an-app.safetensors"))
    lacking["extra"] = {"linearMode": True, "linearData": {"inputs": [["1", "vae_name"]], "outputs": ["3"]}}
    # Only a tab that it opens takes the mode from the file.
    page.evaluate(DROP.replace("strangers.json", "an-app.json"), lacking)
    page.wait_for_function("() => app.extensionManager.workflow.activeWorkflow.initialMode === 'app'")
    page.get_by_role("button", name="Skip").click()  # a tour of ComfyUI's own
    page.wait_for_timeout(3000)
    assert toasts.count() == 0

    page.keyboard.press("Alt+a")
    expect(offer(dropped)).to_be_visible()


@pytest.mark.any_frontend
def test_a_token_is_entered_for_a_host_and_never_shown(comfy, panel):
    panel.root.get_by_role("button", name="Settings").first.click()
    form = panel.root.get_by_role("form", name="Model hosts")
    form.get_by_role("button", name="huggingface.co").click()
    form.get_by_label("Token").fill("hf_0123456789abcdef")
    form.get_by_role("button", name="Save the host").click()
    expect(form.get_by_role("button", name="huggingface.co token …cdef")).to_be_visible()
    comfy.screenshot(SCREENSHOTS / "model-hosts.png")
    assert "hf_0123" not in json.dumps(comfy.fetch("/assistant/models/hosts"))
    form.get_by_role("button", name="huggingface.co").click()
    form.get_by_role("button", name="Remove the token of huggingface.co").click()
    form.get_by_role("button", name="Delete", exact=True).click()
    expect(form.get_by_role("button", name="huggingface.co no token")).to_be_visible()
    panel.close_view()


@pytest.mark.slow
@pytest.mark.nodes_2
def test_a_group_node_that_lacks_nothing_any_more_is_loaded_anew_and_run(world, dropped, model):
    model.play(scenario("from-elsewhere"))
    dropped.page.evaluate(DROP, with_dead_group_node())
    assert dropped.page.evaluate("app.graph.nodes.map(({ type }) => type)").count("workflowTurned round") == 1
    expect(offer(dropped)).to_have_count(0)

    dropped.send("make this run here")
    dropped.wait_until_the_turn_is_over()
    assert dropped.tools_by_state() == [("findMissing", "succeeded"), ("executeWorkflow", "succeeded")]
    expect(dropped.tool_card("executeWorkflow").locator("img")).to_have_js_property("naturalWidth", 64)
    told = str(model.requests[-1].messages)
    assert "Loaded anew, since their types are installed by now: workflow>Turned round." in told
