"""Where the keys go: they stay in the panel when the button that had them goes; Escape stops from anywhere in it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.pages_of_a_turn import RUNS_AT_ONCE
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


def test_the_keyboard_stays_in_the_panel_when_its_button_goes(comfy, panel, model):
    node = comfy.add_node("EmptyImage")
    comfy.page.evaluate(
        "(id) => app.canvas.selectNode(app.graph.nodes.find((node) => String(node.id) === id))", node
    )
    model.play(scenario("short-answer"))
    panel.page.get_by_role("button", name="Explain this workflow").click()
    panel.wait_until_the_turn_is_over()
    expect(panel.composer).to_be_focused()

    panel.page.get_by_role("button", name="Answer again").click()
    panel.wait_until_the_turn_is_over()
    expect(panel.composer).to_be_focused()

    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#2")
    panel.stop()
    panel.wait_until_the_turn_is_over()
    expect(panel.composer).to_be_focused()
    comfy.page.keyboard.press("Delete")
    assert comfy.node_types() == ["EmptyImage"]


def test_escape_stops_the_turn_from_anywhere_in_the_conversation(panel, model):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#2")

    panel.answers.last.click()
    panel.page.keyboard.press("Escape")

    model.wait_until(lambda: model.requests[0].closed_early, seconds=2)
    expect(panel.answers.last).to_contain_text("Stopped.")
    expect(panel.answers.last.get_by_role("button", name="Continue")).to_be_visible()


def test_escape_closes_a_large_picture_and_not_the_turn_below_it(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=64, height=48)
    comfy.connect(image, "IMAGE", comfy.add_node("PreviewImage"), "images")
    model.play(RUNS_AT_ONCE)
    panel.send("run it")
    picture = panel.root.locator(".cass-tool-shown a img").first
    expect(panel.answers.last).to_contain_text("b1 ")
    picture.click()
    expect(panel.root.get_by_role("dialog")).to_be_visible()

    panel.page.keyboard.press("Escape")

    expect(panel.root.get_by_role("dialog")).to_have_count(0)
    expect(panel.stop_button).to_be_visible()
    panel.wait_until_the_turn_is_over()
    expect(panel.answers.last).to_contain_text("b29 ")


def test_escape_leaves_a_long_text_that_is_being_written_before_it_closes_the_view(panel):
    panel.send("/you")
    goals = panel.root.get_by_role("region", name="Goals")
    goals.get_by_role("button", name="Write").click()
    goals.get_by_role("textbox").fill("A film about a lighthouse.")

    goals.get_by_role("textbox").press("Escape")
    expect(goals.get_by_role("textbox")).to_have_value("A film about a lighthouse.")
    expect(panel.root.get_by_role("region", name="You", exact=True)).to_be_focused()

    panel.page.keyboard.press("Escape")
    expect(goals).to_have_count(0)

    panel.send("/you")
    expect(goals.get_by_role("textbox")).to_have_value("A film about a lighthouse.")
    goals.get_by_role("button", name="Cancel").click()
    expect(goals.get_by_role("textbox")).to_have_count(0)
    panel.close_view()


def test_a_skill_that_is_being_written_is_there_when_its_view_is_opened_again(panel):
    skill = panel.root.get_by_role("region", name="New skill")
    panel.send("/skills")
    panel.root.get_by_role("button", name="New skill").click()
    skill.get_by_label("Name").fill("night-scenes")
    skill.get_by_label("Text").fill("Paint them blue.")
    panel.root.get_by_role("region", name="Skills").get_by_role("button", name="Close").click()
    expect(skill).to_have_count(0)

    panel.send("/skills")
    expect(skill.get_by_label("Name")).to_have_value("night-scenes")
    expect(skill.get_by_label("Text")).to_have_value("Paint them blue.")
    skill.get_by_role("button", name="Cancel").click()
    expect(skill).to_have_count(0)
    panel.close_view()


@pytest.mark.parametrize("key", ["Escape", "Tab", "Shift+Tab"])
def test_the_menu_of_models_is_never_left_open_behind_the_keys(panel, key):
    panel.root.locator(".cass-model").focus()
    panel.page.keyboard.press("Enter")
    menu = panel.root.get_by_role("menu", name="Models")
    expect(menu.get_by_role("menuitemradio").first).to_be_focused()

    panel.page.keyboard.press(key)

    expect(menu).to_have_count(0)
    expect(panel.composer).to_be_focused()


def test_the_help_is_read_from_its_beginning_and_escape_closes_it(low_window: None, panel, model):
    """Also where it is taller than the conversation's part of the window."""
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.send("/help")
    help_card = panel.root.get_by_role("region", name="Help")
    expect(help_card.get_by_text("Alt+A")).not_to_be_in_viewport()
    expect(help_card.get_by_text("/help")).to_be_in_viewport()

    panel.composer.press("Escape")

    expect(help_card).to_have_count(0)


def test_somebody_who_went_to_the_canvas_is_left_there(comfy, panel, model):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#2")
    panel.stop_button.focus()
    comfy.page.mouse.click(700, 170)

    comfy.page.evaluate("() => document.querySelector('.cass-send').click()")
    panel.wait_until_the_turn_is_over()

    assert not comfy.page.evaluate("() => Boolean(document.activeElement?.closest('.cass-root'))")


WHERE_THE_FOCUS_IS = """() => {
  const at = document.activeElement;
  if (at?.closest(".cass-thread")) return "conversation";
  return at?.closest(".cass-overlay") ? "view" : at?.closest(".cass-root") ? "rail" : "page";
}"""


def test_tab_stays_off_what_a_view_covers_and_reaches_it_again_afterwards(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.root.get_by_role("button", name="Settings", exact=True).click()
    view = panel.root.get_by_role("region", name="Settings", exact=True)
    expect(view).to_be_focused()

    places = []
    for key in ("Tab", "Shift+Tab"):
        view.focus()
        for _ in range(15):
            comfy.page.keyboard.press(key)
            places.append(comfy.page.evaluate(WHERE_THE_FOCUS_IS))
    assert "view" in places
    assert "conversation" not in places

    view.focus()
    comfy.page.keyboard.press("Escape")
    expect(view).to_have_count(0)
    expect(panel.composer).to_be_focused()
    comfy.page.keyboard.press("Shift+Tab")
    assert comfy.page.evaluate(WHERE_THE_FOCUS_IS) == "conversation"

    panel.open_chats()
    panel.composer.focus()
    expect(panel.composer).to_be_focused()
    assert comfy.errors == []


def test_the_field_grows_with_its_text_as_far_as_it_may_and_nothing_is_measured(panel):
    heights = []
    for text in ("one", "one\ntwo\nthree", "one\n" * 9, "one\n" * 40, ""):
        panel.composer.fill(text)
        heights.append(panel.composer.bounding_box()["height"])
    assert heights[0] < heights[1] < heights[2] == heights[3]
    assert heights[4] == heights[0]
    assert panel.composer.evaluate("({ style }) => style.height") == ""


def test_what_can_be_said_is_there_where_a_new_chat_has_room_for_little(panel):
    examples = panel.root.locator(".cass-examples button")
    expect(panel.root.get_by_role("heading")).to_be_visible()
    panel.root.evaluate("root => { root.style.maxHeight = '150px'; }")
    expect(examples.last).to_be_in_viewport(ratio=1)
    expect(panel.root.get_by_role("heading")).to_be_hidden()
    panel.root.evaluate("root => { root.style.maxHeight = ''; }")
