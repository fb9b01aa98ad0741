"""A small panel: nothing is cut off, and what is typed into is in view and as wide as it needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from dev.places import SCREENSHOTS
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

WIDTH = "(root, width) => { root.style.width = width; }"
IS_CUT = """(view) => [...view.querySelectorAll("input, select, textarea, button, h2, dd")].filter((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  const edges = view.getBoundingClientRect();
  return width > 0 && !element.closest("[role=tablist]") && (left < edges.left || right > edges.right);
}).length"""

IS_BELOW = """(root) => {
  const composer = root.querySelector(".cass-composer").getBoundingClientRect();
  return Math.max(0, composer.bottom - root.getBoundingClientRect().bottom);
}"""


@pytest.fixture
def narrow(panel: Panel) -> Iterator[Panel]:
    panel.root.evaluate(WIDTH, "320px")
    yield panel
    panel.root.evaluate(WIDTH, "")


def test_the_field_for_a_message_has_a_line_of_its_own(narrow: Panel):
    assert narrow.composer.bounding_box()["width"] > 200
    assert narrow.composer.bounding_box()["height"] < 40


def test_options_can_be_changed_and_the_title_stands_beside_its_tabs(narrow: Panel):
    narrow.send("/config")
    view = narrow.root.get_by_role("region", name="Context", exact=True)
    expect(view.get_by_label("Steps of a message")).to_be_visible()
    assert view.evaluate(IS_CUT) == 0
    title = view.get_by_role("heading", name="Context").bounding_box()
    tabs = view.get_by_role("tablist").bounding_box()
    assert title["x"] + title["width"] <= tabs["x"]
    expect(view.get_by_role("tab", name="Options", selected=True)).to_be_in_viewport(ratio=1)
    narrow.close_view()


def test_a_page_shows_the_part_that_was_asked_for_and_how_it_is_closed(narrow: Panel):
    narrow.send("/persona list")
    view = narrow.root.get_by_role("region", name="You", exact=True)
    part = view.get_by_role("region", name="Persona of this chat")
    expect(part.get_by_role("button", pressed=True)).to_be_focused()
    expect(part.get_by_role("heading")).to_be_in_viewport(ratio=1)
    view.locator(".cass-page").evaluate("(page) => page.scrollTo(0, 0)")
    expect(part.get_by_role("heading")).not_to_be_in_viewport()
    expect(view.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    narrow.close_view()


def test_the_help_is_wider_than_a_word(narrow: Panel):
    narrow.send("/help")
    card = narrow.root.get_by_role("region", name="Help")
    expect(card).to_be_visible()
    assert card.locator("dd").first.evaluate("(dd) => dd.parentElement.clientWidth") > 150
    assert card.locator("dd").nth(2).bounding_box()["height"] < 45
    narrow.composer.press("Escape")


def test_what_a_notice_says_has_the_width_that_its_button_would_take(panel: Panel, model):
    model.play("cut-off")
    panel.ask("hello")
    panel.root.evaluate(WIDTH, "200px")
    words = panel.answers.last.locator(".cass-notice > span").bounding_box()
    button = panel.answers.last.get_by_role("button", name="Continue").bounding_box()
    assert words["width"] > 80
    assert words["y"] + words["height"] <= button["y"]
    panel.root.evaluate(WIDTH, "")


def test_what_became_of_a_call_stands_below_it(panel: Panel, model):
    model.play("cut-off-call")
    panel.ask("hello")
    card = panel.root.locator(".cass-tool-line").first
    label, outcome = card.locator(".cass-tool-label"), card.locator(".cass-tool-outcome")
    assert outcome.bounding_box()["y"] < label.bounding_box()["y"] + label.bounding_box()["height"]
    panel.root.evaluate(WIDTH, "200px")
    assert outcome.bounding_box()["y"] >= label.bounding_box()["y"] + label.bounding_box()["height"]
    assert outcome.evaluate("(words) => words.scrollWidth <= words.clientWidth")
    panel.look_at("narrow-call")
    panel.root.evaluate(WIDTH, "200px")
    panel.root.screenshot(path=SCREENSHOTS / "narrow-call-200.png")
    panel.root.evaluate(WIDTH, "")


@pytest.fixture
def low(panel: Panel) -> Iterator[Panel]:
    panel.root.evaluate("(root) => { root.style.height = '140px'; }")
    yield panel
    panel.root.evaluate("(root) => { root.style.height = ''; }")


def test_a_message_can_be_written_however_much_stands_above_it(low: Panel, model):
    model.play(scenario("endless-story"))
    low.send("tell me a story")
    expect(low.answers.last).to_contain_text("#2")
    for text in ("and one more", "and another", "and the last"):
        low.send(text)
    low.stop()
    low.wait_until_the_turn_is_over()
    low.send("/hepl")
    expect(low.root.get_by_text("Did you mean /help?")).to_have_count(1)
    assert low.root.evaluate(IS_BELOW) == 0
    assert low.page.locator(".cass-viewport").bounding_box()["height"] > 20


def test_one_command_is_chosen_by_keys_and_pointer_alike(panel: Panel):
    panel.composer.fill("/")
    options = panel.root.get_by_role("option")
    options.nth(2).hover()
    chosen = panel.root.get_by_role("option", selected=True)
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text(options.nth(2).inner_text().split()[0])
    panel.composer.press("ArrowDown")
    expect(chosen).to_contain_text(options.nth(3).inner_text().split()[0])
    painted = "(option) => getComputedStyle(option).backgroundColor"
    assert len({each.evaluate(painted) for each in options.all()}) == 2
    panel.composer.fill("")
